/** Exit codes, and the mapping from errors to codes. */

import { CommanderError } from "commander";
import { BadRequest, messageOf, Unavailable } from "../common/errors.ts";

export const EXIT = {
  ok: 0,
  nothingFound: 1,
  usage: 2,
  unavailable: 3,
  /** EX_SOFTWARE of sysexits.h. */
  bug: 70,
  /** 128 plus the number of SIGINT, the convention of shells. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface CommandEnd {
  readonly code: ExitCode;
  /** The message for stderr; undefined if the parser has printed one. */
  readonly sentence?: string;
}

/** Options whose name differs from the request parameter; other options are the parameter in kebab case. */
const OPTIONS: Readonly<Record<string, string>> = {
  hops: "--depth",
  indexes: "--index",
  languages: "--lang",
  paths: "--path",
  pattern: "--regex",
  revision: "--diff",
  symbolName: "--name",
  symbolTypes: "--type",
  tokenBudget: "--tokens",
  types: "--type",
};

export function endOf(
  error: unknown,
  argv: readonly string[],
  logFile: string | undefined,
): CommandEnd {
  if (error instanceof CommanderError) {
    return { code: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
  }
  if (error instanceof BadRequest) {
    return { code: EXIT.usage, sentence: `error: ${usageProblem(error, argv)}` };
  }
  if (error instanceof Unavailable) {
    return { code: EXIT.unavailable, sentence: `error: ${error.what}\n${error.remedy}` };
  }
  const log = logFile === undefined ? "" : ` The log may show the cause: ${logFile}`;
  return { code: EXIT.bug, sentence: `error: ${messageOf(error)}\nThis is a bug.${log}` };
}

/** Names the option that the user passed instead of the request parameter. */
function usageProblem(
  { message, parameter, problem }: BadRequest,
  argv: readonly string[],
): string {
  if (parameter === undefined) return message;
  const [name = ""] = parameter.split(".");
  const option =
    OPTIONS[name] ?? `--${name.replaceAll(/[A-Z]/g, (upper) => `-${upper.toLowerCase()}`)}`;
  const isGiven = argv.some((each) => each === option || each.startsWith(`${option}=`));
  return isGiven ? `${option}: ${problem}` : message;
}
