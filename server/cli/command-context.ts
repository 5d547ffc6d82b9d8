/** The context of a command: the engine session, output streams with their colors, and cancellation by Ctrl-C. */

import { spawn } from "node:child_process";
import pc from "picocolors";
import { isErrorCode, isSystemError, messageOf, Unavailable } from "../common/errors.ts";
import { forTerminal, jsonForTerminal } from "../common/terminal.ts";
import { ENGINE_VARIABLES } from "../config/engine-variables.ts";
import type { Parsed } from "../config/settings.ts";
import type { Team } from "../contracts/published.ts";
import type { Session } from "../contracts/session.ts";
import type { PartialSettings } from "../contracts/settings.ts";
import type { Installer } from "../models/install.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Colors = ReturnType<typeof pc.createColors>;

/** stdout or stderr, or a fake stream in tests. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean | undefined;
  /** Height of the terminal in lines. */
  readonly rows?: number | undefined;
}

export interface CliOptions {
  /** Called once, by the first command that needs the engine. */
  connect(): Promise<Session>;
  /** The commands of the team's database, with the settings from the environment. */
  team?(user: PartialSettings): Team;
  /** Ends the running engine, even an unresponsive one; resolves to its process ID if there was one. */
  endEngine?(): Promise<number | undefined>;
  readonly version: string;
  /** Read for the argument `-`; defaults to the stdin of the process. */
  readonly stdin?: NodeJS.ReadableStream;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly cwd: string;
  readonly env: Environment;
  /** The log of the engine, named in reports of bugs. */
  readonly logFile?: string;
  /** The folder with the times of MCP clients. */
  readonly clientsFolder?: string;
  /** Where models are installed, and the programs that this needs. */
  readonly installer?: Pick<Installer, "models" | "programs">;
}

export interface CommandContext
  extends Pick<CliOptions, "cwd" | "env" | "stderr" | "clientsFolder" | "installer"> {
  readonly stdin: NodeJS.ReadableStream;
  /** The name of the program in printed examples. */
  readonly program: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Colors for stdout; they do nothing if stdout is not a terminal. */
  readonly colors: Colors;
  /** Whether file names are written as terminal hyperlinks (OSC 8). */
  readonly hasLinks: boolean;
  /** Connects at the first call, and sends the settings from the environment. */
  readonly session: () => Promise<Session>;
  readonly team: () => Promise<Team>;
  readonly endEngine: () => Promise<number | undefined>;
  /** Writes the answer to stdout; resolves when the stream has taken it. */
  readonly print: (text: string) => Promise<void>;
  /** Like `print`, through the pager if the text is longer than the terminal. */
  readonly page: (text: string) => Promise<void>;
  readonly printJson: (value: unknown) => Promise<void>;
  /** Writes a message to stderr, the same message only once. */
  readonly note: (sentence: string) => void;
  close(): Promise<void>;
}

export function createContext(options: CliOptions, signal: AbortSignal): CommandContext {
  const { stdout, stderr, env, cwd } = options;
  const colors = pc.createColors(supportsColor(stdout, env));
  const noted = new Set<string>();
  let opened: Promise<Session> | undefined;
  const note = (sentence: string) => {
    if (noted.has(sentence)) return;
    noted.add(sentence);
    stderr.write(`${forTerminal(sentence, false)}\n`);
  };
  const print = (text: string) => write(stdout, `${forTerminal(text, colors.isColorSupported)}\n`);
  // stderr may be closed; without a listener its error would crash the process.
  stderr.on("error", () => undefined);
  const readSettings = async () => {
    const { settings, problems } = await settingsFrom(env);
    for (const problem of problems) note(`warning: ${problem}`);
    return settings;
  };
  const open = async () => {
    const settings = await readSettings();
    const session = await options.connect();
    await session.configure(settings);
    return session;
  };
  return {
    cwd,
    env,
    stderr,
    ...(options.clientsFolder === undefined ? {} : { clientsFolder: options.clientsFolder }),
    ...(options.installer === undefined ? {} : { installer: options.installer }),
    stdin: options.stdin ?? process.stdin,
    program: programName(env),
    signal,
    colors,
    hasLinks: supportsLinks(stdout, env),
    session: () => (opened ??= open()),
    team: async () => {
      const team = options.team?.(await readSettings());
      if (team !== undefined) return team;
      throw new Unavailable(
        "a team's database cannot be used here",
        "use the program cocosearch-lsp",
      );
    },
    endEngine: async () => await options.endEngine?.(),
    print,
    page: async (text) => {
      const isLong = stdout.isTTY === true && text.split("\n").length >= (stdout.rows ?? 24);
      const shown = forTerminal(text, colors.isColorSupported);
      if (!isLong || !(await showInPager(shown, env))) await print(text);
    },
    printJson: (value) => write(stdout, `${jsonForTerminal(JSON.stringify(value, null, 2))}\n`),
    note,
    close: async () => {
      if (opened === undefined) return;
      const [result] = await Promise.allSettled([opened]);
      if (result.status === "fulfilled") await result.value.dispose();
    },
  };
}

/** Loads the settings table only if a variable sets one: loading takes longer than a search. */
async function settingsFrom(env: Environment): Promise<Parsed> {
  const isSet = (name: string) => name.startsWith("COCOSEARCH_") && !ENGINE_VARIABLES.has(name);
  if (!Object.keys(env).some(isSet)) return { settings: {}, problems: [] };
  const { fromEnvironment } = await import("../config/settings.ts");
  return fromEnvironment(env);
}

/** A wrapper script passes its own name in COCOSEARCH_PROGRAM. */
function programName(env: Environment): string {
  return env["COCOSEARCH_PROGRAM"] || "cocosearch-lsp";
}

/** https://no-color.org and https://force-color.org define the variables. */
function supportsColor({ isTTY }: Output, env: Environment): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"]) return true;
  return isTTY === true && env["TERM"] !== "dumb";
}

/** https://github.com/Alhadis/OSC8-Adoption defines the variable. */
function supportsLinks({ isTTY }: Output, env: Environment): boolean {
  const forced = env["FORCE_HYPERLINK"];
  if (forced !== undefined) return forced !== "0" && forced !== "";
  return isTTY === true && supportsColor({ isTTY } as Output, env);
}

/** Resolves too if the reader closes the pipe (`| head`). */
export function write(stream: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (!error || isErrorCode(error, "EPIPE")) resolve();
      else reject(notWritten(error));
    });
  });
}

/** A system error, such as a full disk, is not a bug. */
export function notWritten(error: Error): Error {
  if (!isSystemError(error)) return error;
  const problem = `the answer cannot be written: ${messageOf(error)}`;
  return new Unavailable(problem, "free some space, or write it elsewhere", { cause: error });
}

const DEFAULT_PAGER = "less";

/** Resolves to false if the pager is missing and nothing was shown. PAGER may hold arguments, in the syntax of the shell. */
function showInPager(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const pager = env["PAGER"] ?? DEFAULT_PAGER;
  if (pager === "" || pager === "cat") return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    const child = spawn(pager, {
      shell: /\s/.test(pager),
      stdio: ["pipe", "inherit", "inherit"],
      // Quit if the text fits on the screen (F), show colors (R), keep the text on the screen (X).
      env: { ...env, LESS: env["LESS"] ?? "FRX" },
    });
    child.on("error", (error) => (isErrorCode(error, "ENOENT") ? resolve(false) : reject(error)));
    child.on("close", () => resolve(true));
    // The user may quit the pager before it has read everything.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(`${text}\n`);
  });
}
