/** Implements the store of one index, for either database. */

import { Unavailable } from "../common/errors.ts";
import type { IndexRecord } from "../contracts/model.ts";
import type { IndexStore, WriterLock } from "../contracts/store.ts";
import { readBegunWith, writeBegunWith } from "./begun-with.ts";
import { copyAllRows, giveAllRows, stopBorrowing } from "./borrowed-rows.ts";
import {
  type CatalogEntry,
  findRecord,
  lockIndex,
  type RecordChanges,
  readStateId,
  updateRecord,
} from "./catalog.ts";
import { readChunks, readChunksOf } from "./chunks.ts";
import { commitFiles, takeBackFiles } from "./commit.ts";
import { createHistoryStore } from "./commits.ts";
import { checkAll, checkIntegrity, countRows, hasTables } from "./counts.ts";
import { type Database, isMissingTable, type Queryable } from "./database.ts";
import {
  readFacts,
  readFactsOf,
  readHasAllEdges,
  readImporterCounts,
  readPathsWithoutFacts,
  replaceDependencies,
} from "./dependencies.ts";
import { readExclusions, writeExclusions } from "./exclusions.ts";
import {
  readEncodings,
  readHashes,
  readRedactedChunks,
  readStatFingerprints,
  readUnfinished,
  summarizeParse,
  writeStatFingerprints,
} from "./files.ts";
import { dropKeptTables, findKept, pruneKept } from "./kept.ts";
import { createLaneRows } from "./lanes/lane-rows.ts";
import { type Tables, tablesOf } from "./names.ts";
import { type Installation, toRecord } from "./ownership.ts";
import { readPending, rebuildVectorKey, writeVectors } from "./vectors.ts";
import { readUntilWritten, type Writes } from "./writes.ts";

interface IndexStoreOptions {
  readonly name: string;
  readonly writes: Writes;
  readonly writer: WriterLock;
  /** The model of vectors that this store writes; without it, vectors are not written. */
  readonly modelId?: string;
  readonly installation: Installation;
  /** The schema of its tables; by default the schema of new tables. */
  readonly schema?: string | undefined;
  /** The index that its history begins with, if it has none. */
  readonly seededFrom?: string | undefined;
}

export function createIndexStore(
  database: Database,
  { name, schema, writes, writer, modelId, installation, seededFrom }: IndexStoreOptions,
): IndexStore {
  const tables = tablesOf(name, schema);
  let ownModel = modelId;

  const { read, write } = transactionsOf(database, name, writes);
  // Cached, because each `status` needs them and counting takes 25 ms on rails.
  const once = <T>(run: () => Promise<T>) => readUntilWritten(writes, name, () => read(run));

  return {
    name,
    writer,
    isShared: database.exclusive !== undefined,
    record: once(async () => toRecord(await recordOf(database, name), installation)),
    update: async (changes) => {
      await write((tx, record) => update(tx, tables, record, changes));
      ownModel = changes.modelId ?? ownModel;
    },
    commit: (files, removed, keeps = false) =>
      write((tx, record) => commitFiles(tx, tables, { files, removed, keeps, record, ownModel })),
    kept: (paths) => read(() => findKept(database, tables, paths)),
    takeBack: (files) => write((tx, record) => takeBackFiles(tx, tables, files, record)),
    pruneKept: (nowMs) => write((tx) => pruneKept(tx, tables, nowMs)),
    forgetKept: () => write((tx) => dropKeptTables(tx, tables)),
    setVectors: (vectors) =>
      write(async (tx, record) => {
        if (record.modelId !== ownModel) throw ofAnotherModel(record);
        await writeVectors(tx, tables, vectors, record);
      }),
    // Commits change only the size among the cached counts, so the cache is cleared once per run instead of per write.
    history: createHistoryStore(database, tables, {
      ...transactionsOf(database, name),
      markChanged: () => writes.invalidate([name]),
      name,
      from: seededFrom,
    }),
    laneRows: database.buildIndex === undefined ? undefined : createLaneRows(database, tables),
    truncate: () => write((tx) => empty(tx, tables, name)),
    rebuildVectorKey: () => write((tx) => rebuildVectorKey(tx, tables.vectors)),
    stateId: () => read(() => readStateId(database, tables, name)),
    hasTables: () => hasTables(database, tables),
    checkAll: () => read(() => checkAll(database, tables)),
    checkIntegrity: (chunks) => read(() => checkIntegrity(database, tables, chunks)),
    chunks: () => readPages(read, readChunks(database, tables)),
    ...graphMethods({ read, write }, database, tables),
    chunksOf: (paths) => read(() => readChunksOf(database, tables, paths)),
    hashes: () => read(() => readHashes(database, tables)),
    statFingerprints: () => read(() => readStatFingerprints(database, tables)),
    encodings: () => read(() => readEncodings(database, tables)),
    unfinished: () => read(() => readUnfinished(database, tables)),
    setStatFingerprints: (statFingerprints) =>
      write((tx) => writeStatFingerprints(tx, tables, statFingerprints)),
    exclusions: (rules) => read(() => readExclusions(database, tables, rules)),
    setExclusions: (rules, changes) => write((tx) => writeExclusions(tx, tables, rules, changes)),
    pending: (limit) => read(() => readPending(database, tables, limit)),
    redactedChunks: (limit) => read(() => readRedactedChunks(database, tables, limit)),
    begunWith: () => read(() => readBegunWith(database, tables)),
    setBegunWith: (begun) => write((tx) => writeBegunWith(tx, tables, begun)),
    counts: once(() => countRows(database, tables)),
    parseSummary: once(() => summarizeParse(database, tables)),
  };
}

type Read = <T>(run: () => Promise<T>) => Promise<T>;

interface Transactions {
  /** Reports a missing table as a dropped index. */
  readonly read: Read;
  /** Runs in a transaction that locks the index. */
  readonly write: <T>(run: (tx: Queryable, record: IndexRecord) => Promise<T>) => Promise<T>;
}

function transactionsOf(database: Database, name: string, writes?: Writes): Transactions {
  return {
    read: async (run) => {
      try {
        return await run();
      } catch (error) {
        throw isMissingTable(error) ? gone(name) : error;
      }
    },
    write: async (run) => {
      try {
        return await database.transaction(async (tx) => {
          await lockIndex(tx, name);
          return await run(tx, await recordOf(tx, name));
        });
      } finally {
        // A failure is noted, too: the commit may have succeeded although its answer was lost.
        writes?.note(name);
      }
    },
  };
}

function graphMethods(
  { read, write }: Transactions,
  database: Database,
  tables: Tables,
): Pick<
  IndexStore,
  "facts" | "factsOf" | "pathsWithoutFacts" | "hasAllEdges" | "importerCounts" | "setDependencies"
> {
  return {
    facts: () => readPages(read, readFacts(database, tables)),
    factsOf: (paths) => read(() => readFactsOf(database, tables, paths)),
    pathsWithoutFacts: () => read(() => readPathsWithoutFacts(database, tables)),
    hasAllEdges: () => read(() => readHasAllEdges(database, tables)),
    importerCounts: () => read(() => readImporterCounts(database, tables)),
    setDependencies: (files) => write((tx) => replaceDependencies(tx, tables, files)),
  };
}

async function recordOf(database: Queryable, name: string): Promise<CatalogEntry> {
  const record = await findRecord(database, name);
  if (record === undefined) throw gone(name);
  return record;
}

async function update(
  tx: Queryable,
  tables: Tables,
  before: IndexRecord,
  changes: RecordChanges,
): Promise<void> {
  const names = Object.keys(changes) as (keyof RecordChanges)[];
  // No write if nothing changed, as at most starts.
  if (names.every((each) => changes[each] === undefined || changes[each] === before[each])) return;
  const { modelId = before.modelId, dimension = before.dimension } = changes;
  const isOtherModel = modelId !== before.modelId || dimension !== before.dimension;
  if (isOtherModel) {
    await giveAllRows(tx, before.name, "files");
    await copyAllRows(tx, tables, "files");
    await tx.query(`truncate ${tables.vectors}`);
    await dropKeptTables(tx, tables);
    // The vector index accepts one dimension only.
    await tx.query(`drop index if exists ${tables.lanes.graph}`);
  }
  await updateRecord(tx, before.name, changes);
}

async function empty(tx: Queryable, tables: Tables, name: string): Promise<void> {
  const { chunks, vectors, files, parseResults, tracking, dependencies, exclusions } = tables;
  await giveAllRows(tx, name, "files");
  await stopBorrowing(tx, tables, "files");
  await tx.query(`truncate ${chunks}, ${vectors}, ${files}, ${parseResults}`);
  await tx.query(`truncate ${tracking}, ${dependencies}, ${exclusions}`);
  await dropKeptTables(tx, tables);
  await writeBegunWith(tx, tables, undefined);
  await updateRecord(tx, name, { state: "partial" });
}

async function* readPages<Row>(
  read: Read,
  pages: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
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
    `the index "${name}" is now embedded with ${modelId}`,
    "use that model, or reindex the workspace",
  );
}
