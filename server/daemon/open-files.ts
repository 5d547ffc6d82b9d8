/** Whether an engine may open as many files as it needs: it has the limit of the process that starts it. */

import { readFileSync } from "node:fs";
import { isSystemError, Unavailable } from "../common/errors.ts";

/** The built-in database keeps up to 150 files open, and an engine that indexes has some 50 others. */
const MIN_OPEN_FILES = 256;

/** Throws Unavailable. A database that cannot open its files would be taken for a damaged one. */
export function checkOpenFiles(): void {
  const limit = openFilesLimit();
  if (limit >= MIN_OPEN_FILES) return;
  throw new Unavailable(
    `this process may open only ${limit} files at once, and the engine needs ${MIN_OPEN_FILES}`,
    `raise the limit where it is started: ulimit -n ${MIN_OPEN_FILES * 4}`,
  );
}

/** Infinity where the system does not tell: Linux does. Node has raised the soft limit to the hard one. */
function openFilesLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
  } catch (error) {
    if (isSystemError(error)) return Infinity;
    throw error;
  }
}
