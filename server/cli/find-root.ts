/** Resolves files and folders that the user names, and the paths that answers print. */

import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { BadRequest, isErrorCode, messageOf } from "../common/errors.ts";
import { isInside } from "../common/path-inside.ts";
import { findRoot, isMarked } from "../config/project-root.ts";

/** The folder's real path. Throws BadRequest if it is missing or a file. */
export function existingFolder(folder: string): string {
  try {
    if (statSync(folder).isDirectory()) return realpathSync(folder);
  } catch (cause) {
    const isMissing = isErrorCode(cause, "ENOENT") || isErrorCode(cause, "ENOTDIR");
    const problem = isMissing ? "does not exist" : `cannot be opened: ${messageOf(cause)}`;
    throw new BadRequest(`${folder} ${problem}`, { cause });
  }
  throw new BadRequest(`${folder} is a file; name the folder that holds it`);
}

/** Resolves symbolic links in the part of the path that exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const above = dirname(path);
    if (!isErrorCode(error, "ENOENT") || above === path) return path;
    return join(realPath(above), basename(path));
  }
}

/** The absolute path of a file that is named relative to the current folder or, as in answers, to the root. */
export function findFile(cwd: string, root: string, named: string): string {
  const here = resolve(cwd, named);
  const path = existsSync(here) ? here : resolve(root, named);
  const real = realPath(path);
  return real === root || isInside(root, real) ? real : (linkInside(root, path) ?? real);
}

/** The path inside the root of a link that leads out of it: the index has the file under that path. */
function linkInside(root: string, path: string): string | undefined {
  for (let above = dirname(path); ; above = dirname(above)) {
    const whole = join(realPath(above), relative(above, path));
    if (isInside(root, whole)) return whole;
    if (above === dirname(above)) return undefined;
  }
}

/** The nearest project around a file; undefined if the file is missing or in no project. */
export function projectOf(cwd: string, named: string): string | undefined {
  const file = resolve(cwd, named);
  if (!existsSync(file)) return undefined;
  const project = findRoot(dirname(realpathSync(file)), undefined);
  return isMarked(project) ? project : undefined;
}

/** The path of a file relative to the current folder, or absolute if that folder is outside the root. */
export function pathFromFolder(cwd: string, root: string, path: string): string {
  const whole = join(root, path);
  const isNear = cwd === root || isInside(root, cwd) || isInside(cwd, whole);
  return isNear ? relative(cwd, whole) : whole;
}
