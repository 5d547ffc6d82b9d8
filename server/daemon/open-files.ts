/** Checks the limit of open files, which the engine inherits from the process that starts it. */

import { readFileSync } from "node:fs";
import { trySystemCallSync, Unavailable } from "../common/errors.ts";

/** The built-in database keeps up to 150 files open, and an engine that indexes has some 50 others. */
const MIN_OPEN_FILES = 256;

/** Throws Unavailable if the limit is too low: a database that cannot open its files looks damaged. */
export function checkOpenFiles(): void {
  const limit = openFilesLimit();
  if (limit >= MIN_OPEN_FILES) return;
  throw new Unavailable(
    `this process may open only ${limit} files at once, and the engine needs ${MIN_OPEN_FILES}`,
    `raise the limit in the shell that starts it: ulimit -n ${MIN_OPEN_FILES * 4}`,
  );
}

/** The limit on Linux, Infinity elsewhere. Node has already raised the soft limit to the hard limit. */
function openFilesLimit(): number {
  const limits = trySystemCallSync(() => readFileSync("/proc/self/limits", "utf8")) ?? "";
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
}
