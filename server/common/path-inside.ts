/** Whether one path is below another, and the relative path. Both are absolute and normalized. */

import { isAbsolute, relative, sep } from "node:path";

/** The path relative to the root, with forward slashes. Undefined if it is not below the root. */
export function pathInside(root: string, path: string): string | undefined {
  const inside = relative(root, path);
  const isOutside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return inside === "" || isOutside ? undefined : inside.replaceAll(sep, "/");
}

/** Whether the path is below the root. The root is not below itself. */
export function isInside(root: string, path: string): boolean {
  return pathInside(root, path) !== undefined;
}
