/** Which folders may be indexed: real ones, and neither a home folder nor the whole disk. */

import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { BadRequest, isErrorCode, messageOf } from "../common/errors.ts";

/** The folder's real path. BadRequest when it is missing or no folder. */
export function realFolder(folder: string): string {
  try {
    const real = realpathSync(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || isErrorCode(error, "ENOTDIR")) {
      throw new BadRequest(`${folder} does not exist`, { cause: error });
    }
    throw new BadRequest(`${folder} cannot be opened: ${messageOf(error)}`, { cause: error });
  }
  throw new BadRequest(`${folder} is a file; name the folder that holds it`);
}

/** Why a folder is not indexed, in a sentence for the user; undefined when it may be. */
export function refusal(real: string): string | undefined {
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
