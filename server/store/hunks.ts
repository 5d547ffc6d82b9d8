/** The rows of the hunks of a repository's commits. */

import type { CommitRow, Hunk } from "../contracts/history.ts";
import { ints, slices, storable, texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";

export async function insertHunks(
  tx: Queryable,
  { history }: Tables,
  commits: readonly CommitRow[],
): Promise<void> {
  const rows = commits.flatMap(({ sha, hunks }) =>
    hunks.map((hunk, number) => ({ sha, number, ...hunk })),
  );
  for (const slice of slices(rows)) {
    await tx.query(
      `insert into ${history.hunks}
         (sha, number, path, start_line, lines, old_start_line, old_lines, symbols, text_hash)
       select row.sha, row.number, row.path, row.start_line, row.lines, row.old_start_line,
         row.old_lines, row.symbols::jsonb, row.text_hash
       from unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::int[], $6::int[], $7::int[], $8::text[], $9::text[])
         as row (sha, number, path, start_line, lines, old_start_line, old_lines, symbols, text_hash)`,
      [
        texts(slice.map(({ sha }) => sha)),
        ints(slice.map(({ number }) => number)),
        texts(slice.map(({ path }) => storable(path))),
        ints(slice.map(({ start }) => start)),
        ints(slice.map(({ lines }) => lines)),
        ints(slice.map(({ oldStart }) => oldStart)),
        ints(slice.map(({ oldLines }) => oldLines)),
        texts(slice.map(({ symbols }) => JSON.stringify(symbols.map((name) => storable(name))))),
        texts(slice.map(({ textHash }) => textHash)),
      ],
    );
  }
}

export async function deleteHunks(
  tx: Queryable,
  { history }: Tables,
  shas: readonly string[],
): Promise<void> {
  for (const slice of slices(shas)) {
    await tx.query(`delete from ${history.hunks} where sha = any ($1::text[])`, [texts(slice)]);
  }
}

interface Row {
  readonly sha: string;
  readonly path: string;
  readonly start_line: number;
  readonly lines: number;
  readonly old_start_line: number;
  readonly old_lines: number;
  readonly symbols: string;
  readonly text_hash: string;
}

/** In the order of the diff, by commit. */
export async function readHunks(
  database: Queryable,
  { history }: Tables,
  shas: readonly string[],
): Promise<Map<string, Hunk[]>> {
  const found = new Map<string, Hunk[]>();
  for (const slice of slices(shas)) {
    const rows = await database.query<Row>(
      `select sha, path, start_line, lines, old_start_line, old_lines, symbols::text as symbols, text_hash
       from ${history.hunks} where sha = any ($1::text[]) order by sha, number`,
      [texts(slice)],
    );
    for (const row of rows) {
      const hunks = found.get(row.sha) ?? [];
      found.set(row.sha, hunks);
      hunks.push(toHunk(row));
    }
  }
  return found;
}

function toHunk(row: Row): Hunk {
  return {
    path: row.path,
    start: row.start_line,
    lines: row.lines,
    oldStart: row.old_start_line,
    oldLines: row.old_lines,
    symbols: JSON.parse(row.symbols) as string[],
    textHash: row.text_hash,
  };
}
