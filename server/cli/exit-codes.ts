/** How a command ends: the exit codes, and which error ends in which. */

import { CommanderError } from "commander";
import { BadRequest, messageOf, Unavailable } from "../common/errors.ts";

export const EXIT = {
  ok: 0,
  nothingFound: 1,
  usage: 2,
  unavailable: 3,
  /** EX_SOFTWARE of sysexits.h. */
  bug: 70,
  /** 128 and the number of SIGINT, as shells count. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface CommandEnd {
  readonly code: ExitCode;
  /** Undefined where everything has been said. */
  readonly sentence?: string;
}

export function endOf(error: unknown, logFile: string | undefined): CommandEnd {
  if (error instanceof CommanderError) {
    return { code: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
  }
  if (error instanceof BadRequest) return { code: EXIT.usage, sentence: `error: ${error.message}` };
  if (error instanceof Unavailable) {
    return { code: EXIT.unavailable, sentence: `error: ${error.what}\n${error.remedy}` };
  }
  const log = logFile === undefined ? "" : ` What led to it may be in the log: ${logFile}`;
  return { code: EXIT.bug, sentence: `error: ${messageOf(error)}\nThis is a bug.${log}` };
}
