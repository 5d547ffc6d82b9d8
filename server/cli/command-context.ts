/** What a command works with: a session of the engine, the two streams and how they look, and the user's Ctrl-C. */

import pc from "picocolors";
import { isErrorCode, isSystemError, messageOf, Unavailable } from "../common/errors.ts";
import { forTerminal, jsonForTerminal } from "../common/terminal.ts";
import { ENGINE_VARIABLES } from "../config/engine-variables.ts";
import type { Parsed } from "../config/settings.ts";
import type { Session } from "../contracts/session.ts";
import { showInPager } from "./pager.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Colors = ReturnType<typeof pc.createColors>;

/** A stream of the process, or one that a test reads. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean | undefined;
  /** Lines of the terminal. */
  readonly rows?: number | undefined;
}

export interface CliOptions {
  /** Called once, by the first command that needs the engine. */
  connect(): Promise<Session>;
  /** Ends the running engine, also one that does not answer; resolves to its process, if there was one. */
  endEngine?(): Promise<number | undefined>;
  readonly version: string;
  /** What `-` reads; that of the process when it is left out. */
  readonly stdin?: NodeJS.ReadableStream;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly cwd: string;
  readonly env: Environment;
  /** Where the engine writes what it did; named when something went wrong. */
  readonly logFile?: string;
}

export interface CommandContext extends Pick<CliOptions, "cwd" | "env" | "stderr"> {
  readonly stdin: NodeJS.ReadableStream;
  /** How the user called the program, for the examples that it prints. */
  readonly program: string;
  /** Aborted when the user has had enough. */
  readonly signal: AbortSignal;
  /** For stdout; without effect when that is not a terminal. */
  readonly colors: Colors;
  /** Whether places are written as links that a terminal opens. */
  readonly hasLinks: boolean;
  /** Connects at the first call; the settings of the environment are already said. */
  readonly session: () => Promise<Session>;
  readonly endEngine: () => Promise<number | undefined>;
  /** Writes the answer; resolves when it was taken. */
  readonly print: (text: string) => Promise<void>;
  /** As `print`, in the user's pager where there is a terminal. */
  readonly page: (text: string) => Promise<void>;
  readonly printJson: (value: unknown) => Promise<void>;
  /** A sentence for people, on stderr; each is said once. */
  readonly note: (sentence: string) => void;
  close(): Promise<void>;
}

export function createContext(options: CliOptions, signal: AbortSignal): CommandContext {
  const { stdout, stderr, env, cwd } = options;
  const colors = pc.createColors(supportsColor(stdout, env));
  const said = new Set<string>();
  let opened: Promise<Session> | undefined;
  const note = (sentence: string) => {
    if (said.has(sentence)) return;
    said.add(sentence);
    stderr.write(`${forTerminal(sentence, false)}\n`);
  };
  const print = (text: string) => write(stdout, `${forTerminal(text, colors.isColorSupported)}\n`);
  // Who cannot be told anything is not told so either; without a listener the process would end.
  stderr.on("error", () => undefined);
  const open = async () => {
    const { settings, problems } = await settingsFrom(env);
    for (const problem of problems) note(`warning: ${problem}`);
    const session = await options.connect();
    await session.configure(settings);
    return session;
  };
  return {
    cwd,
    env,
    stderr,
    stdin: options.stdin ?? process.stdin,
    program: programName(env),
    signal,
    colors,
    hasLinks: supportsLinks(stdout, env),
    session: () => (opened ??= open()),
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

/** The table of settings takes longer to load than a search, so that it is loaded only where there is a setting. */
async function settingsFrom(env: Environment): Promise<Parsed> {
  const isSet = (name: string) => name.startsWith("COCOSEARCH_") && !ENGINE_VARIABLES.has(name);
  if (!Object.keys(env).some(isSet)) return { settings: {}, problems: [] };
  const { fromEnvironment } = await import("../config/settings.ts");
  return fromEnvironment(env);
}

/** A script that starts the program for its user says its own name. */
function programName(env: Environment): string {
  return env["COCOSEARCH_PROGRAM"] || "cocosearch-lsp";
}

/** The two variables are what terminals and programs have agreed on: https://no-color.org, https://force-color.org */
function supportsColor({ isTTY }: Output, env: Environment): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"]) return true;
  return isTTY === true && env["TERM"] !== "dumb";
}

/** The variable is what programs have agreed on: https://github.com/Alhadis/OSC8-Adoption */
function supportsLinks({ isTTY }: Output, env: Environment): boolean {
  const forced = env["FORCE_HYPERLINK"];
  if (forced !== undefined) return forced !== "0" && forced !== "";
  return isTTY === true && supportsColor({ isTTY } as Output, env);
}

/** The reader of a pipe may have seen enough (`| head`); that is not an error. */
export function write(stream: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (!error || isErrorCode(error, "EPIPE")) resolve();
      else reject(notWritten(error));
    });
  });
}

/** A full disk behind `> file` is no bug. */
export function notWritten(error: Error): Error {
  if (!isSystemError(error)) return error;
  const problem = `the answer cannot be written: ${messageOf(error)}`;
  return new Unavailable(problem, "make room there, or write it elsewhere", { cause: error });
}
