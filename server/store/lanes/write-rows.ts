/** Replaces the rows of files by which lanes rank them, and says how many there were. */

import type { LaneRow } from "../../contracts/lane-rows.ts";
import { ints, texts } from "../columns.ts";
import type { Queryable } from "../database.ts";
import type { Tables } from "../names.ts";
import { slices } from "../slices.ts";
import { storable } from "../storable.ts";

/** Keys of a b-tree are bounded, and nobody types a longer name. */
const LONGEST_KEY = 200;

export async function writeRows(
  tx: Queryable,
  tables: Tables,
  paths: readonly string[],
  rows: readonly LaneRow[],
): Promise<number> {
  let removed = 0;
  for (const slice of slices(paths)) {
    const [row] = await tx.query<{ count: number }>(
      `with removed as (delete from ${tables.lanes.chunks} where filename = any ($1::text[]) returning id)
       select count(*)::int as count from removed`,
      [texts(slice)],
    );
    removed += row?.count ?? 0;
  }
  for (const slice of slices(rows)) await insert(tx, tables, slice);
  return removed;
}

interface Numbered {
  readonly id: number;
  readonly filename: string;
  readonly start: number;
}

/** A chunk that was replaced in the meantime has no row to stand beside, and is left out. */
async function insert(tx: Queryable, tables: Tables, rows: readonly LaneRow[]): Promise<void> {
  const { lanes, chunks } = tables;
  const numbered = await tx.query<Numbered>(
    `insert into ${lanes.chunks} (filename, location, content_hash, length, terms, counts)
     select row.filename, chunks.location, chunks.content_hash, row.length, row.terms::int[],
       decode(row.counts, 'hex')
     from unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::text[], $6::text[])
       as row (filename, first_byte, end_byte, length, terms, counts)
     join ${chunks} chunks on chunks.filename = row.filename
       and chunks.location = int4range(row.first_byte, row.end_byte)
     on conflict (filename, location) do nothing
     returning id, filename, lower(location) as start`,
    [
      texts(rows.map(({ path }) => path)),
      ints(rows.map(({ span }) => span.start)),
      ints(rows.map(({ span }) => span.end)),
      ints(rows.map(({ length }) => length)),
      texts(rows.map(({ terms }) => `{${terms.join(",")}}`)),
      texts(rows.map(({ counts }) => Buffer.from(counts).toString("hex"))),
    ],
  );
  const ids = new Map(numbered.map(({ id, filename, start }) => [keyOf(filename, start), id]));
  const names = rows.flatMap(({ path, span, names: own }) => {
    const id = ids.get(keyOf(path, span.start));
    return id === undefined ? [] : own.map((name) => ({ id, ...name }));
  });
  for (const slice of slices(names)) {
    await tx.query(
      `insert into ${lanes.names} (chunk, name, symbol_type, last, squashed, parts)
       select chunk, name, symbol_type, last, squashed, string_to_array(parts, ' ')
       from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
         as row (chunk, name, symbol_type, last, squashed, parts)`,
      [
        ints(slice.map(({ id }) => id)),
        texts(slice.map(({ name }) => storable(name))),
        texts(slice.map(({ symbolType }) => symbolType)),
        texts(slice.map(({ last }) => key(last))),
        texts(slice.map(({ squashed }) => key(squashed))),
        texts(slice.map(({ parts }) => key(parts.join(" ")))),
      ],
    );
  }
}

function key(text: string): string {
  return storable(text.slice(0, LONGEST_KEY)) ?? "";
}

function keyOf(path: string, start: number): string {
  return `${start}:${path}`;
}
