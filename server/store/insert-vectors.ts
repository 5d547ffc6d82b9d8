/** Stores the vectors of chunks that are stored in the same transaction. */

import type { ChunkVector } from "../contracts/store.ts";
import { ints, texts, vectors } from "./columns.ts";
import type { Queryable } from "./database.ts";
import type { Tables } from "./names.ts";
import { slices } from "./slices.ts";

export async function insertVectors(
  tx: Queryable,
  tables: Tables,
  rows: readonly ChunkVector[],
): Promise<void> {
  for (const slice of slices(rows)) {
    await tx.query(
      `insert into ${tables.vectors} (filename, location, embedding)
       select filename, int4range(first_byte, end_byte), embedding
       from unnest($1::text[], $2::int[], $3::int[], $4::vector[])
         as row (filename, first_byte, end_byte, embedding)`,
      [
        texts(slice.map(({ path }) => path)),
        ints(slice.map(({ span }) => span.start)),
        ints(slice.map(({ span }) => span.end)),
        vectors(slice.map(({ vector }) => vector)),
      ],
    );
  }
}
