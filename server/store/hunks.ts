/** The table of hunks, with a row per commit that has any. */

import type { CommitRow, Hunk } from "../contracts/history.ts";
import { slices, storableJson, texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

/** First line, lines, old first line, old lines, symbols, hash of the text. */
type HunkFields = readonly [number, number, number, number, readonly string[], string];

/** In the order of the diff. */
type HunksByPath = [path: string, hunks: HunkFields[]][];

export async function insertHunks(
  tx: Queryable,
  { history }: Tables,
  commits: readonly CommitRow[],
): Promise<void> {
  for (const slice of slices(commits.filter(({ hunks }) => hunks.length > 0))) {
    await tx.query(
      `insert into ${history.hunks} (sha, hunks) select * from unnest($1::text[], $2::text[])`,
      [
        texts(slice.map(({ sha }) => sha)),
        texts(slice.map(({ hunks }) => storableJson(byPath(hunks)))),
      ],
    );
  }
}

/** By commit hash, in the order of the diff; commits without hunks are missing. */
export async function readHunks(
  database: Queryable,
  { history }: Tables,
  shas: readonly string[],
): Promise<Map<string, Hunk[]>> {
  const found = new Map<string, Hunk[]>();
  for (const slice of slices(shas)) {
    const rows = await database.query<{ readonly sha: string; readonly hunks: string }>(
      `select sha, hunks from ${history.hunks} where sha = any ($1::text[])`,
      [texts(slice)],
    );
    for (const { sha, hunks } of rows) found.set(sha, fromPaths(JSON.parse(hunks) as HunksByPath));
  }
  return found;
}

function byPath(hunks: readonly Hunk[]): HunksByPath {
  const paths: HunksByPath = [];
  for (const { path, start, lines, oldStart, oldLines, symbols, textHash } of hunks) {
    const fields: HunkFields = [start, lines, oldStart, oldLines, symbols, textHash];
    const last = paths.at(-1);
    if (last?.[0] === path) last[1].push(fields);
    else paths.push([path, [fields]]);
  }
  return paths;
}

function fromPaths(paths: HunksByPath): Hunk[] {
  return paths.flatMap(([path, hunks]) =>
    hunks.map(([start, lines, oldStart, oldLines, symbols, textHash]) => ({
      path,
      start,
      lines,
      oldStart,
      oldLines,
      symbols,
      textHash,
    })),
  );
}
