/** The command line: reads the arguments, runs one command, and turns how it ended into an exit code. Start reading here. */

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
import { listenForInterrupt } from "./interrupt.ts";

type AddCommand = (program: Command, run: Run) => void;

/** By name, in the order in which --help shows them. Each is loaded only for its own call. */
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
  languages: async () => (await import("./languages.ts")).addLanguages,
  doctor: async () => (await import("./doctor.ts")).addDoctor,
  "helix-config": async () => (await import("./helix-config.ts")).addHelixConfig,
  demo: async () => (await import("./demo.ts")).addDemo,
  impact: async () => (await import("./impact.ts")).addImpact,
  // And `callers` and `callees`.
  deps: async () => (await import("./deps.ts")).addDeps,
};

const EPILOGUE = `
An editor starts the language server with --stdio, --pipe=NAME, --socket=PORT or --node-ipc, an agent the context server
with mcp; mcp --config CLIENT prints what to put into the client's configuration.
Exit codes: 0 found or done, 1 nothing found, 2 wrong usage, 3 something needed is not available,
70 a bug, 130 interrupted.`;

/** Resolves to the exit code, when the answer has been written. */
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
  const asked = helpAsOption(argv);
  for (const add of await commandsFor(asked[0])) add(program, run);
  try {
    await program.parseAsync(untilUnknown(program, asked), { from: "user" });
  } finally {
    // The parser ends help as an error, and does not wait until it is written.
    await Promise.all(shown);
  }
  return code;
}

/** `help deps show` is `deps show --help`: the parser knows `help` with one name only. */
function helpAsOption(argv: readonly string[]): readonly string[] {
  const [first, ...names] = argv;
  return first === "help" && names.length > 0 ? [...names, "--help"] : argv;
}

/** Without what is behind a name that is no command: asked for its help, the parser would show that of all commands. */
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

/** What the parser itself answers, such as help, is `shown` once it is written. */
function createProgram(
  { stdout, stderr, version }: CliOptions,
  { colors, program: name }: CommandContext,
  shown: Promise<void>[],
): Command {
  return new Command(name)
    .description("Finds code by meaning and by word.")
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shown.push(write(stdout, forTerminal(text, colors.isColorSupported))),
      writeErr: (text) => void stderr.write(forTerminal(text, colors.isColorSupported)),
      getOutHasColors: () => colors.isColorSupported,
      getErrHasColors: () => colors.isColorSupported,
    })
    .showHelpAfterError(`(${name} --help lists what there is)`)
    .addHelpText("after", EPILOGUE);
}

/** All of them where help, a message, a shell or a reader of the manual may have to know the others. */
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

/** Resolves when the reader of a pipe has seen enough (`| head`), which is no failure. */
function untilReaderLeft({ stdout }: CliOptions): Promise<ExitCode> {
  return new Promise((resolve, reject) => {
    // It is never taken off: what is still buffered may fail after the command has ended.
    stdout.on("error", (error) => {
      if (isErrorCode(error, "EPIPE")) resolve(EXIT.ok);
      else reject(notWritten(error));
    });
  });
}
