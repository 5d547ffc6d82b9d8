/** The engine's log file: bounded in size, and a write error never fails the caller. */

import { appendFileSync, renameSync, statSync, writeSync } from "node:fs";
import { isOutOfFiles, isSystemError } from "../common/errors.ts";

/** The log rotates at this size and one old file is kept, so the disk holds at most twice as much: some weeks of logs. */
const MAX_LOG_BYTES = 10_000_000;
/** The size is read from the file every this many lines, because other processes append to it too. */
const LINES_BETWEEN_CHECKS = 100;

/** The path of the rotated log. */
export function previousLog(file: string): string {
  return `${file}.1`;
}

/** The log is also the standard error of the engine, which stays open when no other file can be opened. */
const STANDARD_ERROR = 2;

/** Returns a function that appends a line. A line that cannot be written is dropped. */
export function createLogFile(file: string, maxBytes = MAX_LOG_BYTES): (line: string) => void {
  let lines = 0;
  return (line) => {
    attempt(() => {
      if (lines++ % LINES_BETWEEN_CHECKS === 0) rotateWhenFull(file, maxBytes);
      append(file, line);
    });
  };
}

function append(file: string, line: string): void {
  try {
    appendFileSync(file, line, { mode: 0o600 });
  } catch (error) {
    if (!isOutOfFiles(error)) throw error;
    writeSync(STANDARD_ERROR, line);
  }
}

function rotateWhenFull(file: string, maxBytes: number): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && found.size > maxBytes) renameSync(file, previousLog(file));
}

/** Ignores system errors: there is no other log to report them to. */
function attempt(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
