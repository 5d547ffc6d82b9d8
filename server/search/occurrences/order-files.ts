/** Orders the files with matches: by a ranking, or product code before tests before documents. */

import type { Category } from "../../contracts/model.ts";

export interface OrderedFile {
  readonly root: string;
  readonly path: string;
  readonly category: Category;
}

const CATEGORIES: readonly Category[] = ["implementation", "config", "test", "docs"];

/** Files of the ranking come first, in its order; `roots` gives the order of the folders. */
export function orderFiles<T extends OrderedFile>(
  files: readonly T[],
  ranking: readonly Pick<OrderedFile, "root" | "path">[],
  roots: readonly string[],
): T[] {
  const ranks = new Map(ranking.map(({ root, path }, rank) => [keyOf(root, path), rank]));
  const rankOf = ({ root, path }: T) => ranks.get(keyOf(root, path)) ?? ranking.length;
  return files.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      CATEGORIES.indexOf(a.category) - CATEGORIES.indexOf(b.category) ||
      roots.indexOf(a.root) - roots.indexOf(b.root) ||
      comparePaths(a.path, b.path),
  );
}

function keyOf(root: string, path: string): string {
  return `${root}\0${path}`;
}

function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A part of the matches of a file, `to` excluded. */
export interface PagePart<T> {
  readonly file: T;
  readonly from: number;
  readonly to: number;
}

/** The parts of files that have the matches from `from` on, at most `limit`, counted over all files in order. */
export function pageOf<T extends { readonly matches: number }>(
  files: readonly T[],
  from: number,
  limit: number,
): PagePart<T>[] {
  const parts: PagePart<T>[] = [];
  let start = 0;
  for (const file of files) {
    const [first, last] = [Math.max(from, start), Math.min(from + limit, start + file.matches)];
    if (first < last) parts.push({ file, from: first - start, to: last - start });
    start += file.matches;
    if (start >= from + limit) break;
  }
  return parts;
}
