/**
 * The table `words` of a published index: the counted words of each file, so that members need not count them. Local indexes
 * have none (decision 15): their lanes have a snapshot.
 */

import { PACKED_TERMS_VERSION, packTerms } from "../contracts/packed-terms.ts";
import type { FileCommit } from "../contracts/store.ts";
import { bytes, texts } from "./columns.ts";
import { hasTable, type Queryable } from "./database.ts";
import { deleteRows } from "./delete-rows.ts";
import type { Tables } from "./names.ts";

/** An index that an older version has published has no such table, and gets it with the next publish. */
export async function createWords(tx: Queryable, { words }: Tables): Promise<void> {
  // Members read a table that is there, and ALTER TABLE would lock them out until the publish ends.
  if (await hasTable(tx, words)) return;
  await tx.query(`
-- The counted words of files. Written by words.ts.
create table ${words} (
  path text collate "C" primary key,
  -- The content that was counted: an older program replaces a file without its words.
  sha256 text not null,
  version int not null,
  -- See contracts/packed-terms.ts.
  terms bytea not null
);
-- Already compressed.
alter table ${words} alter column terms set storage external;`);
}

/** Replaces the words of these files, and deletes the words of removed ones. */
export async function replaceWords(
  tx: Queryable,
  { words }: Tables,
  files: readonly FileCommit[],
  removed: readonly string[],
): Promise<void> {
  await deleteRows(tx, words, "path", [...removed, ...files.map(({ file }) => file.path)]);
  const counted = files.flatMap(({ file: { path, sha256 }, terms }) =>
    terms === undefined ? [] : [{ path, sha256, terms: packTerms(terms) }],
  );
  if (counted.length === 0) return;
  await tx.query(
    `insert into ${words} (path, sha256, version, terms)
     select path, sha256, ${PACKED_TERMS_VERSION}, terms
     from unnest($1::text[], $2::text[], $3::bytea[]) as row (path, sha256, terms)`,
    [
      texts(counted.map(({ path }) => path)),
      texts(counted.map(({ sha256 }) => sha256)),
      bytes(counted.map(({ terms }) => terms)),
    ],
  );
}
