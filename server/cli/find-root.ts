/** Which folder a command is about. */

import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { BadRequest, isErrorCode, messageOf } from "../common/errors.ts";
import { isInside } from "../common/path-inside.ts";
import { findRoot, isMarked } from "../config/project-root.ts";

/** The folder's real path. */
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

/** The path without symbolic links, as far as it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const above = dirname(path);
    if (!isErrorCode(error, "ENOENT") || above === path) return path;
    return join(realPath(above), basename(path));
  }
}

/** A file that the user named, relative to where they are, or to the root as answers name it. */
export function findFile(cwd: string, root: string, named: string): string {
  const here = resolve(cwd, named);
  const path = existsSync(here) ? here : resolve(root, named);
  const real = realPath(path);
  return real === root || isInside(root, real) ? real : (linkInside(root, path) ?? real);
}

/** The path of a link in the root, or of something behind it, that leads out of it: what is known of it is known by that path. */
function linkInside(root: string, path: string): string | undefined {
  for (let above = dirname(path); ; above = dirname(above)) {
    const whole = join(realPath(above), relative(above, path));
    if (isInside(root, whole)) return whole;
    if (above === dirname(above)) return undefined;
  }
}

/** The nearest project around a file that the user named; undefined where the file or the project is missing. */
export function projectOf(cwd: string, named: string): string | undefined {
  const file = resolve(cwd, named);
  if (!existsSync(file)) return undefined;
  const project = findRoot(dirname(realpathSync(file)), undefined);
  return isMarked(project) ? project : undefined;
}

/** How a file is named so that the user's terminal and editor can open it from where they are. */
export function shownPath(cwd: string, root: string, path: string): string {
  const whole = join(root, path);
  const isNear = cwd === root || isInside(root, cwd) || isInside(cwd, whole);
  return isNear ? relative(cwd, whole) : whole;
}
