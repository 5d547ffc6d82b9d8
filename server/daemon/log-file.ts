/** The engine's log on disk: bounded in size, and never the reason for which anything fails. */

import { appendFileSync, renameSync, statSync } from "node:fs";
import { isSystemError } from "../common/errors.ts";

/** With the one before it at most twice as much is kept: some weeks of an engine that warns now and then. */
const MAX_LOG_BYTES = 10_000_000;
/** The size is asked for so seldom, because others write to the file too. */
const LINES_BETWEEN_CHECKS = 100;

/** Where the entries of before are, once the log has reached its size. */
export function previousLog(file: string): string {
  return `${file}.1`;
}

/** Appends lines. On a full disk, or where the file cannot be written, a line is lost and nothing else. */
export function createLogFile(file: string, maxBytes = MAX_LOG_BYTES): (line: string) => void {
  let lines = 0;
  return (line) => {
    attempt(() => {
      if (lines++ % LINES_BETWEEN_CHECKS === 0) startOverWhenFull(file, maxBytes);
      appendFileSync(file, line, { mode: 0o600 });
    });
  };
}

function startOverWhenFull(file: string, maxBytes: number): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && found.size > maxBytes) renameSync(file, previousLog(file));
}

/** There is nowhere to report that nothing can be reported. */
function attempt(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}
