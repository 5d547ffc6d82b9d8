/** Replaces files in one transaction: by new rows, or by rows that were kept. */

import type { IndexRecord } from "../contracts/model.ts";
import type { FileCommit } from "../contracts/store.ts";
import { giveRows } from "./borrowed-rows.ts";
import { updateRecord } from "./catalog.ts";
import { insertChunks } from "./chunks.ts";
import type { Queryable } from "./database.ts";
import { deleteRows } from "./delete-rows.ts";
import { insertFacts } from "./dependencies.ts";
import { deleteFileRows, insertFiles } from "./files.ts";
import { deleteKept, findContents, type KeptFile, keepRows, restoreRows } from "./kept.ts";
import type { Tables } from "./names.ts";
import { checkVector, insertVectors } from "./vectors.ts";

/** In bytes. Postgres' b-tree rejects keys above 2,704 bytes, so one such file would make every commit fail. */
const MAX_PATH_LENGTH = 2_000;

interface Commit {
  readonly files: readonly FileCommit[];
  readonly removed: readonly string[];
  /** Whether the replaced and removed rows are kept. */
  readonly keeps: boolean;
  readonly record: IndexRecord;
  /** The model of the given vectors. If the index has another model, the chunks are stored without vectors, as pending. */
  readonly ownModel: string | undefined;
}

export async function commitFiles(
  tx: Queryable,
  tables: Tables,
  { files: given, removed, keeps, record, ownModel }: Commit,
): Promise<void> {
  const files = given.filter(({ file }) => Buffer.byteLength(file.path) <= MAX_PATH_LENGTH);
  const vectors = ownModel === record.modelId ? vectorsOf(files) : [];
  const dimension = record.dimension || vectors[0]?.vector.length || 0;
  for (const { vector } of vectors) checkVector(vector, dimension);

  const paths = [...removed, ...files.map(({ file }) => file.path)];
  if (keeps && paths.length > 0) await keepRows(tx, tables, paths, record);
  // A changed file keeps its edges until `replaceDependencies`.
  if (removed.length > 0) await deleteRows(tx, tables.dependencies, "source_file", removed);
  await deleteFiles(tx, tables, paths, record.name);
  await insertFiles(tx, tables, files);
  await insertChunks(
    tx,
    tables,
    files.flatMap(({ file, chunks }) => chunks.map((chunk) => ({ file, chunk }))),
  );
  await insertVectors(tx, tables, vectors);
  await insertFacts(tx, tables, files);
  await updateRecord(tx, record.name, { dimension });
}

/** Replaces files by their kept rows, and keeps the replaced ones. Returns the paths whose content was still kept. */
export async function takeBackFiles(
  tx: Queryable,
  tables: Tables,
  wanted: readonly KeptFile[],
  record: IndexRecord,
): Promise<string[]> {
  const own = { from: tables, to: tables };
  const found = await findContents(tx, own, wanted, record);
  const paths = found.map(({ path }) => path);
  if (paths.length === 0) return paths;
  await keepRows(tx, tables, paths, record);
  await deleteFiles(tx, tables, paths, record.name);
  await restoreRows(tx, own, found);
  const ids = found.map(({ id }) => id);
  await deleteKept(tx, tables, ids);
  await updateRecord(tx, record.name, {});
  return paths;
}

/**
 * Deletes the rows of files in all tables except the edges, before they are inserted again. Skips the other tables for files
 * that were not stored, because during a first index Postgres scans the whole table in vain (rails: .6 of 3.8 s).
 */
async function deleteFiles(
  tx: Queryable,
  tables: Tables,
  paths: readonly string[],
  name: string,
): Promise<void> {
  if (paths.length === 0) return;
  const stored = await deleteFileRows(tx, tables, paths);
  if (stored.length === 0) return;
  await giveRows(tx, name, "files", stored);
  await deleteRows(tx, tables.parseResults, "file_path", stored);
  await deleteRows(tx, tables.tracking, "file_path", stored);
  await deleteRows(tx, tables.vectors, "filename", stored);
  await deleteRows(tx, tables.chunks, "filename", stored);
}

function vectorsOf(files: readonly FileCommit[]) {
  return files.flatMap(({ file: { path }, chunks, vectors }) =>
    chunks.flatMap(({ span }, i) => {
      const vector = vectors[i];
      return vector === undefined ? [] : [{ path, span, vector }];
    }),
  );
}
