/** The command line: reads the arguments, runs one command, and turns how it ended into an exit code. Start reading here. */

import { Command, CommanderError } from "commander";
import { BadRequest, isErrorCode, Unavailable } from "../errors.ts";
import type { Session } from "../session.ts";
import { addAnalyze } from "./commands/analyze.ts";
import { addClear } from "./commands/clear.ts";
import { addDemo } from "./commands/demo.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addIndex } from "./commands/index-workspace.ts";
import { addList } from "./commands/list.ts";
import { addSearch } from "./commands/search.ts";
import { addStatus } from "./commands/status.ts";
import { type CliContext, EXIT, type RunCommand, sessionSource } from "./context.ts";
import { createOutput, type Output } from "./output.ts";

export interface CliDeps {
  readonly connect: () => Promise<Session>;
  readonly version: string;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const COMMANDS: readonly ((program: Command, run: RunCommand) => void)[] = [
  addSearch,
  addIndex,
  addStatus,
  addAnalyze,
  addList,
  addClear,
  addDoctor,
  addDemo,
];

const EPILOGUE = `
An editor starts the language server with --stdio, --pipe=NAME, --socket=PORT or --node-ipc.
Exit codes: 0 found or done, 1 nothing found, 2 wrong usage, 3 something needed is not available.`;

/** Resolves to the exit code. Throws only what is a bug. */
export async function runCli(argv: readonly string[], deps: CliDeps): Promise<number> {
  const output = createOutput(deps.stdout, deps.stderr, deps.env);
  const controller = new AbortController();
  const sessions = sessionSource(deps.connect, deps.env, output);
  const program = deps.env["COCOSEARCH_PROGRAM"] || "cocosearch-lsp";
  const context: CliContext = {
    output,
    cwd: deps.cwd,
    program,
    signal: controller.signal,
    session: sessions.session,
  };
  const end = earlyEnd(deps.stdout, controller);
  try {
    return await Promise.race([parse(argv, program, deps.version, context), end.code]);
  } finally {
    end.dispose();
    await sessions.dispose();
    await flushed(deps.stdout);
  }
}

async function parse(
  argv: readonly string[],
  name: string,
  version: string,
  context: CliContext,
): Promise<number> {
  let code: number = EXIT.found;
  const run: RunCommand = async (command) => {
    code = await command(context);
  };
  try {
    await createProgram(name, version, context.output, run).parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    return exitCodeOf(error, context);
  }
}

function createProgram(name: string, version: string, output: Output, run: RunCommand): Command {
  const program = new Command(name)
    .description("Finds code by meaning and by word.")
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void output.stdout.write(text),
      writeErr: (text) => void output.stderr.write(text),
      getOutHasColors: () => output.colors.isColorSupported,
      getErrHasColors: () => output.colors.isColorSupported,
    })
    .showHelpAfterError(`(${name} --help lists what there is)`)
    .addHelpText("after", EPILOGUE);
  for (const add of COMMANDS) add(program, run);
  return program;
}

function exitCodeOf(error: unknown, { output, signal }: CliContext): number {
  if (signal.aborted) return EXIT.interrupted;
  // Commander has already said what is wrong; help and version are answers.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.found : EXIT.usage;
  if (error instanceof BadRequest) {
    output.note(error.message);
    return EXIT.usage;
  }
  if (error instanceof Unavailable) {
    output.note(error.message);
    return EXIT.unavailable;
  }
  throw error;
}

/** Ends that do not come from the command: the user interrupts, or the reader of a pipe has seen enough. */
function earlyEnd(
  stdout: NodeJS.WriteStream,
  controller: AbortController,
): { readonly code: Promise<number>; dispose(): void } {
  const interrupt = () => controller.abort();
  process.once("SIGINT", interrupt);
  const code = new Promise<number>((resolve, reject) => {
    controller.signal.addEventListener("abort", () => resolve(EXIT.interrupted));
    // It stays after the command has ended: what is still buffered may fail then.
    stdout.on("error", (error) => {
      if (isErrorCode(error, "EPIPE")) resolve(EXIT.found);
      else reject(error);
    });
  });
  return { code, dispose: () => void process.off("SIGINT", interrupt) };
}

/** A pipe may still hold what was written; the process ends right after. */
function flushed(stdout: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stdout.write("", () => resolve());
  });
}
