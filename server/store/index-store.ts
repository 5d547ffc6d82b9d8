/** What is stored of one workspace, over either database. */

import { Unavailable } from "../errors.ts";
import type { IndexRecord } from "../model.ts";
import type { IndexStore, StoredChunk } from "../ports.ts";
import { findRecord, lockIndex, type RecordChanges, updateRecord } from "./catalog.ts";
import { commitFiles } from "./commit.ts";
import { countRows } from "./count-rows.ts";
import { type Database, isMissingTable, type Queryable } from "./database.ts";
import { type Tables, tablesOf } from "./names.ts";
import { readPending, writeVectors } from "./pending.ts";
import { readChunks } from "./read-chunks.ts";
import { readHashes } from "./read-hashes.ts";
import { readText } from "./read-text.ts";
import { summarizeParse } from "./summarize-parse.ts";

/** `wrote` is told whenever the index has changed. Without a model id no vectors are written through this store. */
export function createIndexStore(
  database: Database,
  name: string,
  wrote: (name: string) => void,
  modelId?: string,
): IndexStore {
  const tables = tablesOf(name);
  let ownModel = modelId;

  async function write<T>(run: (tx: Queryable, record: IndexRecord) => Promise<T>): Promise<T> {
    const result = await database.transaction(async (tx) => {
      await lockIndex(tx, name);
      const record = await findRecord(tx, name);
      if (record === undefined) throw gone(name);
      return await run(tx, record);
    });
    wrote(name);
    return result;
  }

  async function read<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw isMissingTable(error) ? gone(name) : error;
    }
  }

  return {
    name,
    record: async () => {
      const record = await findRecord(database, name);
      if (record === undefined) throw gone(name);
      return record;
    },
    update: async (changes) => {
      await write((tx, record) => update(tx, tables, record, changes));
      ownModel = changes.modelId ?? ownModel;
    },
    commit: (files, removed) =>
      write(async (tx, record) => {
        await commitFiles(tx, tables, { files, removed, record, ownModel });
      }),
    setVectors: (vectors) =>
      write(async (tx, record) => {
        if (record.modelId !== ownModel) throw ofAnotherModel(record);
        await writeVectors(tx, tables, vectors, record);
      }),
    truncate: () =>
      write(async (tx) => {
        const { chunks, vectors, files, parseResults } = tables;
        await tx.query(`truncate ${chunks}, ${vectors}, ${files}, ${parseResults}`);
        await updateRecord(tx, name, { state: "partial" });
      }),
    chunks: () => readPages(read, database, tables),
    hashes: () => read(() => readHashes(database, tables)),
    pending: (limit) => read(() => readPending(database, tables, limit)),
    text: (path, span) => read(() => readText(database, tables, path, span)),
    counts: () => read(() => countRows(database, tables)),
    parseSummary: () => read(() => summarizeParse(database, tables)),
  };
}

async function update(
  tx: Queryable,
  tables: Tables,
  before: IndexRecord,
  changes: RecordChanges,
): Promise<void> {
  const { modelId = before.modelId, dimension = before.dimension } = changes;
  const isOther = modelId !== before.modelId || dimension !== before.dimension;
  if (isOther) await tx.query(`truncate ${tables.vectors}`);
  await updateRecord(tx, before.name, changes);
}

async function* readPages(
  read: <T>(run: () => Promise<T>) => Promise<T>,
  database: Queryable,
  tables: Tables,
): AsyncGenerator<readonly StoredChunk[]> {
  const pages = readChunks(database, tables);
  for (;;) {
    const page = await read(() => pages.next());
    if (page.done === true) return;
    yield page.value;
  }
}

function gone(name: string): Unavailable {
  return new Unavailable(`the index "${name}" is gone`, "index the workspace again");
}

function ofAnotherModel({ name, modelId }: IndexRecord): Unavailable {
  return new Unavailable(
    `the index "${name}" is embedded with ${modelId} by now`,
    "use that model, or reindex the workspace",
  );
}
