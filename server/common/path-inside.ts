/** Whether one path is below another one, and its name there. Both are absolute and normalized. */

import { isAbsolute, relative, sep } from "node:path";

/** The path relative to the root, with forward slashes; undefined when it is not below the root. */
export function pathInside(root: string, path: string): string | undefined {
  const inside = relative(root, path);
  const isOutside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return inside === "" || isOutside ? undefined : inside.replaceAll(sep, "/");
}

/** Whether the path is below the root; the root itself is not. */
export function isInside(root: string, path: string): boolean {
  return pathInside(root, path) !== undefined;
}
