/** What is stored of one workspace, over either database. */

import { Unavailable } from "../errors.ts";
import type { IndexStore, ParseSummary } from "../ports.ts";
import { findRecord, type RecordChanges, updateRecord } from "./catalog.ts";
import { commitFiles } from "./commit.ts";
import type { Database, Queryable } from "./database.ts";
import { type Tables, tablesOf } from "./names.ts";
import { readPending, writeVectors } from "./pending.ts";
import { readChunks } from "./read-chunks.ts";

export function createIndexStore(database: Database, name: string): IndexStore {
  const tables = tablesOf(name);
  const record = async () => {
    const found = await findRecord(database, name);
    if (found !== undefined) return found;
    throw new Unavailable(`the index "${name}" is gone`, "index the workspace again");
  };
  /** Writers of one index take turns, also when they are engines of several machines. */
  const write = <T>(run: (tx: Queryable) => Promise<T>) =>
    database.transaction(async (tx) => {
      await tx.query("select pg_advisory_xact_lock(hashtextextended($1::text, 0))", [name]);
      return await run(tx);
    });
  return {
    name,
    record,
    update: (changes) => write((tx) => update(tx, tables, name, changes)),
    hashes: () => readHashes(database, tables),
    commit: (files, removed) => write((tx) => commitFiles(tx, tables, files, removed)),
    chunks: () => readChunks(database, tables),
    pending: (limit) => readPending(database, tables, limit),
    setVectors: (vectors) =>
      write(async (tx) => {
        const stored = await findRecord(tx, name);
        await writeVectors(tx, tables, vectors, stored?.dimension || undefined);
        const dimension = vectors[0]?.vector.length;
        // 0 stood for a dimension that the provider had not shown yet.
        if (stored?.dimension === 0 && dimension) await updateRecord(tx, name, { dimension });
      }),
    text: async (path, { start, end }) => {
      const rows = await database.query<{ content_text: string }>(
        `select content_text from ${tables.chunks}
         where filename = $1::text and location = int4range($2::int, $3::int)`,
        [path, start, end],
      );
      return rows[0]?.content_text;
    },
    counts: () => count(database, tables),
    parseSummary: () => summarize(database, tables),
    truncate: () =>
      write(async (tx) => {
        const all = [tables.chunks, tables.vectors, tables.files, tables.parseResults];
        await tx.query(`truncate ${all.join(", ")}`);
      }),
  };
}

async function update(
  tx: Queryable,
  tables: Tables,
  name: string,
  changes: RecordChanges,
): Promise<void> {
  const before = await findRecord(tx, name);
  const isOther =
    (changes.modelId !== undefined && changes.modelId !== before?.modelId) ||
    (changes.dimension !== undefined && changes.dimension !== before?.dimension);
  if (isOther) await tx.query(`truncate ${tables.vectors}`);
  await updateRecord(tx, name, changes);
}

async function readHashes(database: Queryable, tables: Tables): Promise<Map<string, string>> {
  const rows = await database.query<{ path: string; sha256: string }>(
    `select path, sha256 from ${tables.files} order by path`,
  );
  return new Map(rows.map(({ path, sha256 }) => [path, sha256]));
}

async function count(database: Queryable, tables: Tables) {
  const [row] = await database.query<Record<"files" | "chunks" | "vectors" | "bytes", string>>(
    `select (select count(*) from ${tables.files}) as files,
       (select count(*) from ${tables.chunks}) as chunks,
       (select count(*) from ${tables.vectors}) as vectors,
       pg_total_relation_size($1) + pg_total_relation_size($2) + pg_total_relation_size($3)
         + pg_total_relation_size($4) as bytes`,
    [tables.files, tables.chunks, tables.vectors, tables.parseResults],
  );
  const chunks = Number(row?.chunks ?? 0);
  return {
    files: Number(row?.files ?? 0),
    chunks,
    pending: chunks - Number(row?.vectors ?? 0),
    bytes: Number(row?.bytes ?? 0),
  };
}

interface SummaryRow {
  readonly language: string;
  readonly ok: number;
  readonly partial: number;
  readonly error: number;
  readonly no_grammar: number;
}

async function summarize(database: Queryable, tables: Tables): Promise<ParseSummary[]> {
  const of = (status: string) =>
    `count(*) filter (where parse_status = '${status}')::int as ${status}`;
  const rows = await database.query<SummaryRow>(
    `select language, ${["ok", "partial", "error", "no_grammar"].map(of).join(", ")}
     from ${tables.parseResults} group by language order by language`,
  );
  return rows.map(({ language, no_grammar: noGrammar, ...rest }) => ({
    languageId: language,
    ...rest,
    noGrammar,
  }));
}
