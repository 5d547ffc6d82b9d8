/** The external packages that a file imports, with their versions from lock files. */

import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { readFileInside } from "../../common/read-file.ts";
import { folderOf } from "../../common/relative-path.ts";
import type { UsedPackage } from "../../contracts/graph-requests.ts";
import type { Graph } from "../../graph/graph.ts";
import { LOCK_FORMATS } from "../../graph/packages/lock-files.ts";
import type { FindLocked } from "../../graph/packages/locked-package.ts";

const MAX_LOCK_BYTES = 20_000_000;
/** Maximum number of cached lock files. */
const MAX_KEPT = 8;

interface Lock {
  /** Relative to the index. */
  readonly folder: string;
  readonly find: FindLocked;
}

interface Kept {
  readonly stamp: string;
  readonly find: FindLocked;
}

const kept = new LRUCache<string, Kept>({ max: MAX_KEPT });

/** In the order of the imports, each once. */
export async function usedPackages(
  root: string,
  graph: Graph,
  file: number,
): Promise<UsedPackage[]> {
  const { project } = graph;
  const path = project.path(file);
  const language = project.language(file);
  const statements = project.facts(file)?.imports ?? [];
  const outside = graph.resolutions(file).flatMap(({ files, external }, i) => {
    const statement = statements[i];
    if (statement === undefined || files.length > 0 || external === undefined) return [];
    return [{ ...statement, external }];
  });
  if (outside.length === 0) return [];
  const locks = await locksAbove(root, folderOf(path), language);
  const found = new Map<string, UsedPackage>();
  for (const { module, external, line } of outside) {
    const locked = versionOf(locks, module, folderOf(path));
    const name = locked?.name ?? external;
    if (found.has(name)) continue;
    found.set(name, { name, line, ...(locked === undefined ? {} : { version: locked.version }) });
  }
  return [...found.values()];
}

function versionOf(locks: readonly Lock[], module: string, folder: string) {
  for (const { folder: at, find } of locks) {
    const below = at === "" ? folder : folder.slice(at.length + 1);
    const locked = find(module, below);
    if (locked !== undefined) return locked;
  }
  return undefined;
}

/** Lock files from the file's folder up; the nearest one that lists a package counts. */
async function locksAbove(root: string, folder: string, language: string): Promise<Lock[]> {
  const names = Object.entries(LOCK_FORMATS)
    .filter(([, { languages }]) => languages.includes(language))
    .map(([name]) => name);
  const locks: Lock[] = [];
  if (names.length === 0) return locks;
  for (let at = folder; ; at = folderOf(at)) {
    for (const name of names) {
      const find = await readLock(root, at, name);
      if (find !== undefined) locks.push({ folder: at, find });
    }
    if (at === "") return locks;
  }
}

/** Undefined for a missing or damaged file. */
async function readLock(
  root: string,
  folder: string,
  name: string,
): Promise<FindLocked | undefined> {
  const path = join(folder, name);
  const key = join(root, path);
  const read = await readFileInside(root, path, async ({ handle, found }) => {
    const stamp = `${found.size} ${found.mtimeNs}`;
    const known = kept.get(key);
    if (known?.stamp === stamp) return { find: known.find };
    if (found.size > MAX_LOCK_BYTES) return { find: undefined };
    const find = parse(name, await handle.readFile("utf8"));
    if (find === undefined) return { find };
    kept.set(key, { stamp, find });
    return { find };
  });
  return "absent" in read ? undefined : read.find;
}

function parse(name: string, text: string): FindLocked | undefined {
  try {
    return LOCK_FORMATS[name]?.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
