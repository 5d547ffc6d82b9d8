/** The engine's log file: bounded in size, and a write error never fails the caller. */

import { appendFileSync, renameSync, statSync } from "node:fs";
import { trySystemCallSync } from "../common/errors.ts";

/** The log rotates at this size and one old file is kept, so the disk holds at most twice as much: some weeks of logs. */
const MAX_LOG_BYTES = 10_000_000;
/** The size is read from the file every this many lines, because other processes append to it too. */
const LINES_BETWEEN_CHECKS = 100;

/** The path of the rotated log. */
export function previousLog(file: string): string {
  return `${file}.1`;
}

/** Returns a function that appends a line. A line that cannot be written is dropped. */
export function createLogFile(file: string, maxBytes = MAX_LOG_BYTES): (line: string) => void {
  let lines = 0;
  return (line) => {
    // No other log could report the error.
    trySystemCallSync(() => {
      if (lines++ % LINES_BETWEEN_CHECKS === 0) rotateWhenFull(file, maxBytes);
      appendFileSync(file, line, { mode: 0o600 });
    });
  };
}

function rotateWhenFull(file: string, maxBytes: number): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && found.size > maxBytes) renameSync(file, previousLog(file));
}
