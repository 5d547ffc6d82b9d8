/** The command line: reads the arguments, runs one command, and turns how it ended into an exit code. Start reading here. */

import { Command } from "commander";
import { isErrorCode } from "../common/errors.ts";
import { addAnalyze } from "./analyze.ts";
import { addClear } from "./clear.ts";
import type { Run } from "./command.ts";
import { type CliOptions, type CommandContext, createContext } from "./command-context.ts";
import { addContext } from "./context.ts";
import { addDemo } from "./demo.ts";
import { addDeps } from "./deps.ts";
import { addDoctor } from "./doctor.ts";
import { EXIT, type ExitCode, endOf } from "./exit-codes.ts";
import { addExplain } from "./explain.ts";
import { addHelixConfig } from "./helix-config.ts";
import { addHistory } from "./history.ts";
import { addIndex } from "./index-command.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { addLanguages } from "./languages.ts";
import { addList } from "./list.ts";
import { addPause, addResume } from "./pause.ts";
import { addSearch } from "./search.ts";
import { addShellIntegration } from "./shell-integration.ts";
import { addStatus } from "./status.ts";
import { forTerminal } from "./terminal.ts";

const COMMANDS: readonly ((program: Command, run: Run) => void)[] = [
  addSearch,
  addHistory,
  addExplain,
  addIndex,
  addStatus,
  addPause,
  addResume,
  addAnalyze,
  addContext,
  addList,
  addClear,
  addLanguages,
  addDoctor,
  addHelixConfig,
  addDemo,
  addDeps,
];

const EPILOGUE = `
An editor starts the language server with --stdio, --pipe=NAME, --socket=PORT or --node-ipc, an agent the context server
with mcp; mcp --config CLIENT prints what to put into the client's configuration.
Exit codes: 0 found or done, 1 nothing found, 2 wrong usage, 3 something needed is not available.`;

/** Resolves to the exit code, when the answer has been written. */
export async function runCli(argv: readonly string[], options: CliOptions): Promise<ExitCode> {
  const interruption = listenForInterrupt();
  const context = createContext(options, interruption.signal);
  const readerLeft = untilReaderLeft(options);
  try {
    return await Promise.race([parse(argv, options, context), interruption.happened, readerLeft]);
  } catch (error) {
    if (interruption.signal.aborted) return EXIT.interrupted;
    const { code, sentence } = endOf(error, options.logFile);
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
  const program = createProgram(options, context, async (command) => {
    code = await command(context);
  });
  await program.parseAsync(argv, { from: "user" });
  return code;
}

function createProgram(
  { stdout, stderr, version }: CliOptions,
  { colors, program: name }: CommandContext,
  run: Run,
): Command {
  const program = new Command(name)
    .description("Finds code by meaning and by word.")
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(forTerminal(text, colors.isColorSupported)),
      writeErr: (text) => void stderr.write(forTerminal(text, colors.isColorSupported)),
      getOutHasColors: () => colors.isColorSupported,
      getErrHasColors: () => colors.isColorSupported,
    })
    .showHelpAfterError(`(${name} --help lists what there is)`)
    .addHelpText("after", EPILOGUE);
  for (const add of COMMANDS) add(program, run);
  addShellIntegration(program, run, { version, epilogue: EPILOGUE });
  return program;
}

/** Resolves when the reader of a pipe has seen enough (`| head`), which is no failure. */
function untilReaderLeft({ stdout }: CliOptions): Promise<ExitCode> {
  return new Promise((resolve, reject) => {
    // It is never taken off: what is still buffered may fail after the command has ended.
    stdout.on("error", (error) => {
      if (isErrorCode(error, "EPIPE")) resolve(EXIT.ok);
      else reject(error);
    });
  });
}
