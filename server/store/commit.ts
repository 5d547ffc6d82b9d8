/** Replaces files in one transaction: a reader sees all of it or nothing. */

import type { IndexRecord } from "../contracts/model.ts";
import type { FileCommit } from "../contracts/store.ts";
import { updateRecord } from "./catalog.ts";
import { texts } from "./columns.ts";
import type { Queryable } from "./database.ts";
import { insertChunks } from "./insert-chunks.ts";
import { insertFiles } from "./insert-files.ts";
import { insertVectors } from "./insert-vectors.ts";
import type { Tables } from "./names.ts";
import { checkVector } from "./vectors.ts";

/** In bytes. Postgres' b-tree refuses keys of more than 2,704, and one such file would hold up all others for ever. */
const LONGEST_PATH = 2_000;

export interface Commit {
  readonly files: readonly FileCommit[];
  readonly removed: readonly string[];
  readonly record: IndexRecord;
  /** The model of the given vectors. Where the index has another one, the chunks are stored as pending. */
  readonly ownModel: string | undefined;
}

export async function commitFiles(
  tx: Queryable,
  tables: Tables,
  { files: given, removed, record, ownModel }: Commit,
): Promise<void> {
  const files = given.filter(({ file }) => Buffer.byteLength(file.path) <= LONGEST_PATH);
  const vectors = ownModel === record.modelId ? vectorsOf(files) : [];
  const dimension = record.dimension || vectors[0]?.vector.length || 0;
  for (const { vector } of vectors) checkVector(vector, dimension);

  await deleteFiles(tx, tables, [...removed, ...files.map(({ file }) => file.path)]);
  await insertFiles(tx, tables, files);
  await insertChunks(
    tx,
    tables,
    files.flatMap(({ file, chunks }) => chunks.map((chunk) => ({ file, chunk }))),
  );
  await insertVectors(tx, tables, vectors);
  await updateRecord(tx, record.name, { dimension });
}

async function deleteFiles(tx: Queryable, tables: Tables, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const which = [texts(paths)];
  await tx.query(`delete from ${tables.vectors} where filename = any($1::text[])`, which);
  await tx.query(`delete from ${tables.chunks} where filename = any($1::text[])`, which);
  await tx.query(`delete from ${tables.files} where path = any($1::text[])`, which);
  await tx.query(`delete from ${tables.parseResults} where file_path = any($1::text[])`, which);
}

function vectorsOf(files: readonly FileCommit[]) {
  return files.flatMap(({ file: { path }, chunks, vectors }) =>
    chunks.flatMap(({ span }, i) => {
      const vector = vectors[i];
      return vector === undefined ? [] : [{ path, span, vector }];
    }),
  );
}
