/** Finds the user's git program on the PATH, but never inside a workspace. */

import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, sep } from "node:path";
import { trySystemCall } from "../common/errors.ts";

const NAMES = process.platform === "win32" ? ["git.exe"] : ["git"];

/** Returns an absolute path; undefined if no folder has git. Relative folders of the PATH are skipped, as they depend on the current folder. */
export async function findGit(
  path: string | undefined,
  workspace: string,
): Promise<string | undefined> {
  for (const folder of (path ?? "").split(delimiter).filter(isAbsolute)) {
    for (const name of NAMES) {
      const found = await executable(join(folder, name));
      if (found !== undefined && !found.startsWith(workspace + sep)) return found;
    }
  }
  return undefined;
}

async function executable(path: string): Promise<string | undefined> {
  return await trySystemCall(async () => {
    await access(path, constants.X_OK);
    const real = await realpath(path);
    return (await stat(real)).isFile() ? path : undefined;
  });
}
