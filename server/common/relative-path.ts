/** Splits a path with forward slashes into folder and file name. */

/** Empty for a file in the root folder. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function baseNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
