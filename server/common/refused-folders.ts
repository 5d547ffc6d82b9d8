/** Refuses to index a home folder or a whole disk. */

import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { isErrorCode } from "./errors.ts";

/** The reason not to index a folder, as a sentence for the user. Undefined if it may be indexed. Takes a real path. */
export function refusalReason(real: string): string | undefined {
  if (dirname(real) === real)
    return `${real} is the whole disk and is not indexed; open a project folder`;
  if (real === realHome())
    return `${real} is your home folder and is not indexed; open a project folder`;
  return undefined;
}

function realHome(): string {
  try {
    return realpathSync(homedir());
  } catch (error) {
    if (isErrorCode(error, "ENOENT")) return homedir();
    throw error;
  }
}
