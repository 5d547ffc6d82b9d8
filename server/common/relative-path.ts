/** The two parts of a path with forward slashes. */

/** Empty for a file at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function baseNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
