/** The command line: parses the arguments, runs one command and returns its exit code. Start reading here. */

import { Command } from "commander";
import { isErrorCode } from "../common/errors.ts";
import { forTerminal } from "../common/terminal.ts";
import type { Run } from "./command.ts";
import {
  type CliOptions,
  type CommandContext,
  createContext,
  notWritten,
  write,
} from "./command-context.ts";
import { EXIT, type ExitCode, endOf } from "./exit-codes.ts";

type AddCommand = (program: Command, run: Run) => void;

/** By name, in the order of --help. The module of a command is loaded when the command runs. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  search: async () => (await import("./search.ts")).addSearch,
  similar: async () => (await import("./similar.ts")).addSimilar,
  history: async () => (await import("./history.ts")).addHistory,
  explain: async () => (await import("./explain.ts")).addExplain,
  index: async () => (await import("./index-command.ts")).addIndex,
  status: async () => (await import("./status.ts")).addStatus,
  pause: async () => (await import("./pause.ts")).addPause,
  resume: async () => (await import("./pause.ts")).addResume,
  analyze: async () => (await import("./analyze.ts")).addAnalyze,
  context: async () => (await import("./context.ts")).addContext,
  list: async () => (await import("./list.ts")).addList,
  clear: async () => (await import("./clear.ts")).addClear,
  publish: async () => (await import("./publish.ts")).addPublish,
  team: async () => (await import("./team.ts")).addTeam,
  languages: async () => (await import("./languages.ts")).addLanguages,
  doctor: async () => (await import("./doctor.ts")).addDoctor,
  model: async () => (await import("./model.ts")).addModel,
  agent: async () => (await import("./agent.ts")).addAgent,
  "helix-config": async () => (await import("./helix-config.ts")).addHelixConfig,
  demo: async () => (await import("./demo.ts")).addDemo,
  impact: async () => (await import("./impact.ts")).addImpact,
  // The module adds `callers` and `callees`, too.
  deps: async () => (await import("./deps.ts")).addDeps,
};

const EPILOGUE = `
Editors start the language server with --stdio, --pipe=NAME, --socket=PORT or --node-ipc. Agents start the context
server with mcp; agent setup CLIENT writes the configuration of a client, and mcp --config CLIENT prints it.
Exit codes: 0 found or done, 1 nothing found, 2 wrong usage, 3 a required service is unavailable,
70 a bug, 130 interrupted.`;

/** Resolves to the exit code after the answer is written. */
export async function runCli(argv: readonly string[], options: CliOptions): Promise<ExitCode> {
  const interruption = listenForInterrupt();
  const context = createContext(options, interruption.signal);
  const readerLeft = untilReaderLeft(options);
  try {
    return await Promise.race([parse(argv, options, context), interruption.happened, readerLeft]);
  } catch (error) {
    if (interruption.signal.aborted) return EXIT.interrupted;
    const { code, sentence } = endOf(error, argv, options.logFile);
    if (sentence !== undefined) context.note(sentence);
    return code;
  } finally {
    interruption.stopListening();
    await context.close();
  }
}

async function parse(
  argv: readonly string[],
  options: CliOptions,
  context: CommandContext,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const shown: Promise<void>[] = [];
  const program = createProgram(options, context, shown);
  const run: Run = async (command) => {
    code = await command(context);
  };
  const args = helpAsOption(argv);
  for (const add of await commandsFor(args[0])) add(program, run);
  try {
    await program.parseAsync(untilUnknown(program, args), { from: "user" });
  } finally {
    // The parser throws after help, without waiting for the write.
    await Promise.all(shown);
  }
  return code;
}

/** Rewrites `help deps show` to `deps show --help`: the parser supports `help` with one name only. */
function helpAsOption(argv: readonly string[]): readonly string[] {
  const [first, ...names] = argv;
  return first === "help" && names.length > 0 ? [...names, "--help"] : argv;
}

/** Cuts the arguments after an unknown command, so that the parser reports it instead of printing the general help. */
function untilUnknown(program: Command, argv: readonly string[]): readonly string[] {
  let { commands } = program;
  for (const [i, name] of argv.entries()) {
    if (commands.length === 0 || name.startsWith("-") || name === "help") break;
    const command = commands.find((each) => each.name() === name);
    if (command === undefined) return argv.slice(0, i + 1);
    ({ commands } = command);
  }
  return argv;
}

/** `shown` receives a promise for each text that the parser writes itself, such as help. */
function createProgram(
  { stdout, stderr, version }: CliOptions,
  { colors, program: name }: CommandContext,
  shown: Promise<void>[],
): Command {
  return (
    new Command(name)
      .description("Finds code by meaning and by word.")
      .version(version)
      // After a command, `--version` and `-V` are text of its query.
      .enablePositionalOptions()
      .exitOverride()
      .configureOutput({
        writeOut: (text) => shown.push(write(stdout, forTerminal(text, colors.isColorSupported))),
        writeErr: (text) => void stderr.write(forTerminal(text, colors.isColorSupported)),
        getOutHasColors: () => colors.isColorSupported,
        getErrHasColors: () => colors.isColorSupported,
      })
      .showHelpAfterError(`(${name} --help lists the commands)`)
      .addHelpText("after", EPILOGUE)
  );
}

/** Only the named command; all of them for help, an unknown name, shell completion and the manual page. */
async function commandsFor(name: string | undefined): Promise<AddCommand[]> {
  const own = Object.hasOwn(COMMANDS, name ?? "") ? COMMANDS[name ?? ""] : undefined;
  if (own !== undefined) return [await own()];
  const [{ addMcp }, { addShellIntegration }] = await Promise.all([
    import("./mcp.ts"),
    import("./shell-integration.ts"),
  ]);
  const addLast: AddCommand = (program, run) => {
    addMcp(program);
    addShellIntegration(program, run, EPILOGUE);
  };
  return [...(await Promise.all(Object.values(COMMANDS).map((add) => add()))), addLast];
}

/** Resolves when the reader closes the pipe (`| head`), which is not a failure. */
function untilReaderLeft({ stdout }: CliOptions): Promise<ExitCode> {
  return new Promise((resolve, reject) => {
    // The listener stays: buffered output may fail after the command ended.
    stdout.on("error", (error) => {
      if (isErrorCode(error, "EPIPE")) resolve(EXIT.ok);
      else reject(notWritten(error));
    });
  });
}

interface Interruption {
  readonly signal: AbortSignal;
  /** Rejects at the first signal; never resolves. */
  readonly happened: Promise<never>;
  stopListening(): void;
}

/** SIGINT and SIGTERM: the first aborts the command, which restores the terminal; the second ends the process. */
function listenForInterrupt(): Interruption {
  const controller = new AbortController();
  const { signal } = controller;
  const interrupt = () => controller.abort();
  const happened = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  return {
    signal,
    happened,
    stopListening: () => {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
    },
  };
}
