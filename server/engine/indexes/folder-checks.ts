/** Checks that a folder can be opened. */

import { realpathSync, statSync } from "node:fs";
import { BadRequest, isErrorCode, messageOf } from "../../common/errors.ts";

/** The folder's real path. BadRequest if it is missing or not a folder. */
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
