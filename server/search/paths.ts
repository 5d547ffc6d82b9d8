/** Extracts the parts of a path that ranking uses: stem, folders and words. */

import { baseNameOf } from "../common/relative-path.ts";

/** The file name without its extensions: `src/user_service.test.ts` -> user_service.test -> user_service. */
export function stemOf(path: string): string {
  const name = baseNameOf(path);
  const dot = name.indexOf(".", 1);
  return dot < 0 ? name : name.slice(0, dot);
}

/** Index files, which any folder may have: their names carry no information. */
const FOLDER_FILE = /^(?:mod|index|__init__|init)$/;

/** Whether a file is the index file of its folder, such as `routing/mod.rs` and `ui/index.ts`. */
export function isFolderIndex(path: string): boolean {
  return FOLDER_FILE.test(stemOf(path));
}

/** The descriptive name of a file: its stem, or the name of its folder for an index file. */
export function titleOf(path: string): string {
  const folder = isFolderIndex(path) ? path.split("/").at(-2) : undefined;
  return folder ?? stemOf(path);
}

/** The file name without its last extension: `src/user.test.ts` -> user.test. */
export function fileNameOf(path: string): string {
  const name = baseNameOf(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? name : name.slice(0, dot);
}

/** Normalizes a stem for comparison with a symbol: lower case, without separators. */
export function squash(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** `search/fuse.ts` names `server/search/fuse.ts`; `search/` names the files in it. */
export function isNamed(path: string, named: string): boolean {
  const plain = named.replaceAll("\\", "/").replace(/^\.{0,2}\//, "");
  if (plain.endsWith("/")) return `/${path}`.includes(`/${plain}`);
  // A trace names files from the root of the machine that wrote it.
  if (path.includes("/") && `/${plain}`.endsWith(`/${path}`)) return true;
  const withoutExtension = path.replace(/\.[^./]+$/, "");
  return [path, withoutExtension].some((each) => each === plain || each.endsWith(`/${plain}`));
}

/** The number of trailing segments that two paths share: `src/flask/app.py` and `site-packages/flask/app.py` two. */
export function sharedEnding(a: string, b: string): number {
  const [first, second] = [a.split("/"), b.split("/")];
  const most = Math.min(first.length, second.length);
  for (let shared = 0; shared < most; shared++) {
    if (first.at(-1 - shared) !== second.at(-1 - shared)) return shared;
  }
  return most;
}
