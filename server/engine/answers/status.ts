/** Builds the answer to a `status` request: the state of the indexes and of the engine. */

import { setTimeout as delay } from "node:timers/promises";
import { messageOf, Unavailable } from "../../common/errors.ts";
import { getOrCreate } from "../../common/get-or-create.ts";
import { movesSince, readHead } from "../../common/git-head.ts";
import type { Log } from "../../common/log.ts";
import type { CommitDistance } from "../../contracts/history.ts";
import type { IndexRecord } from "../../contracts/model.ts";
import type { BegunWith } from "../../contracts/published-file.ts";
import type {
  EngineStatus,
  EventLoopDelay,
  IndexState,
  IndexStatus,
  Status,
} from "../../contracts/session.ts";
import type { IndexCounts, IndexStore, ParseSummary } from "../../contracts/store.ts";
import { embeddingProgress } from "../indexes/embedding-progress.ts";
import type { OpenIndex } from "../indexes/open-index.ts";
import type { Stores } from "../indexes/stores.ts";
import type { Folder } from "./folder.ts";

/** A status request right after the start waits up to this long for the database. */
const OPENING_MS = 3_000;

const NOTHING: IndexCounts = { files: 0, chunks: 0, pending: 0, secrets: 0, bytes: 0 };

/** Worst first: a session has the state of its worst index. */
const BY_SEVERITY: readonly IndexState[] = [
  "unavailable",
  "degraded",
  "indexing",
  "paused",
  "ready",
];

export interface EngineFacts {
  readonly version: string;
  readonly startedAt: string;
  readonly log: string;
  clients(): number;
  /** Delay of the main thread during indexing. */
  eventLoop(): EventLoopDelay | undefined;
  /** Number of clients that have this folder open. */
  clientsOf(root: string): number;
}

/** The worst state, and the sums of indexed and total files, over all indexes; `no-root` without any. */
export function overall(
  indexes: readonly OpenIndex[],
): Pick<Status, "state" | "indexed" | "total"> & { reason?: string } {
  const states = indexes.map((index) => index.state);
  const state = BY_SEVERITY.find((each) => states.includes(each)) ?? "no-root";
  const reason = indexes.find((index) => index.state === state)?.reason;
  return {
    state,
    indexed: indexes.reduce((sum, { workspace }) => sum + workspace.status.indexed, 0),
    total: indexes.reduce((sum, { workspace }) => sum + workspace.status.total, 0),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The number of files whose stored content a search of these indexes covers. */
export function searchedFiles(indexes: readonly OpenIndex[]): number {
  return indexes.reduce((sum, { workspace }) => sum + workspace.status.searched, 0);
}

/** During a pass, counts queue behind writes: return cached counts, and wait at most this long for the first ones. */
const FIRST_COUNTING_MS = 500;

/** A busy database still has the version that it had. */
const ASKING_MS = 10;

interface DatabaseVersion {
  readonly store: string;
  readonly postgres: string;
  readonly pgvector: string;
}

const lastDatabase = new Map<string, DatabaseVersion>();
const lastRead = new WeakMap<OpenIndex, LastRead>();
const underWay = new WeakMap<OpenIndex, Promise<Stored | undefined>>();

interface Stored {
  readonly counts: IndexCounts;
  readonly parse: readonly ParseSummary[];
  readonly record?: IndexRecord;
  readonly begunWith?: BegunWith | undefined;
  readonly distance?: CommitDistance | undefined;
  /** Number of commits between the indexed commit and HEAD. */
  readonly behind: number | undefined;
}

interface LastRead {
  readonly stored: Stored;
  /** Time (`performance.now`) before which the counts are not read again during a pass. */
  readonly freshUntil: number;
}

/**
 * During a pass, counting may take at most a twentieth of the database's time: progress displays poll twice a second,
 * which took 1.5 of 7.6 s of processor time for rails.
 */
const REST_AFTER_COUNTING = 20;

async function readStored(store: IndexStore, { root, history }: OpenIndex): Promise<Stored> {
  const [counts, parse, record, begunWith] = await Promise.all([
    store.counts(),
    store.parseSummary(),
    store.record(),
    store.begunWith(),
  ]);
  const distance = begunWith && (await history.distanceFrom(begunWith.commit));
  const behind = await commitsBehind(root, record.commit);
  return { counts, parse, record, begunWith, distance, behind };
}

/** Reads the counts and caches them for the next request. */
async function readAndNote(index: OpenIndex, log: Log): Promise<Stored | undefined> {
  const { store } = index;
  const start = performance.now();
  const stored = await answerIfUp(log, async () => store && (await readStored(store, index)));
  const end = performance.now();
  if (stored !== undefined) {
    lastRead.set(index, { stored, freshUntil: end + REST_AFTER_COUNTING * (end - start) });
  }
  return stored;
}

/** Shares one read among concurrent requests, so that frequent polling does not delay the writes. */
function readAtMostOnce(index: OpenIndex, log: Log): Promise<Stored | undefined> {
  const last = lastRead.get(index);
  if (last !== undefined && performance.now() < last.freshUntil)
    return Promise.resolve(last.stored);
  return getOrCreate(underWay, index, () =>
    readAndNote(index, log).finally(() => underWay.delete(index)),
  );
}

/** The cached counts; refreshes them for the next request. */
async function readOrKnown(index: OpenIndex, log: Log): Promise<Stored | undefined> {
  const known = lastRead.get(index)?.stored;
  const reading = readAtMostOnce(index, log);
  return (
    known ?? (await Promise.race([reading, delay(FIRST_COUNTING_MS, undefined, { ref: false })]))
  );
}

/** `isBusy`: whether any folder of this client is being indexed. */
export async function statusOf(
  { root, part, index }: Folder,
  facts: EngineFacts,
  isBusy: boolean,
  log: Log,
): Promise<IndexStatus> {
  await Promise.race([index.whenNamed(), delay(OPENING_MS, undefined, { ref: false })]);
  const { workspace } = index;
  const isWaiting = () => isBusy || workspace.status.state === "indexing";
  let stored = isWaiting() ? await readOrKnown(index, log) : undefined;
  // After a pass the counts are exact, so they are read again.
  if (!isWaiting()) stored = await readAndNote(index, log);
  const { indexed, total, leftMs } = workspace.status;
  const { counts, parse, record, begunWith, distance, behind }: Stored = stored ?? {
    counts: { ...NOTHING, files: indexed },
    parse: [],
    behind: undefined,
  };
  const embedding = embeddingProgress(index, counts.pending);
  const excluded: Record<string, number> = {};
  for (const { rule } of index.excluded.values()) excluded[rule] = (excluded[rule] ?? 0) + 1;
  return {
    ...counts,
    name: index.name ?? index.settings.indexName,
    root,
    ...(part === undefined ? {} : { sharedFrom: index.root }),
    clients: facts.clientsOf(index.root),
    model: index.embedder.modelId,
    ...substituteOf(index),
    state: index.state,
    ...(index.reason === undefined ? {} : { reason: index.reason }),
    indexed,
    total,
    ...(leftMs === undefined ? {} : { leftMs }),
    ...(embedding === undefined ? {} : { embedding }),
    ...(record?.commit === undefined ? {} : { commit: record.commit }),
    ...(record?.branch === undefined ? {} : { branch: record.branch }),
    ...(behind === undefined ? {} : { behind }),
    ...(begunWith === undefined ? {} : { begunWith }),
    ...(distance === undefined ? {} : { distance }),
    ...(index.teamRemark === undefined ? {} : { teamRemark: index.teamRemark }),
    parse,
    excluded,
    guessedEncodings: index.guessedEncodings,
    history: index.history.reader.status,
    ...(index.lanes === undefined ? {} : { generation: index.lanes.generation }),
    compatibility: index.compatibility,
  };
}

/** An index with vectors of another model is searched by keyword. */
function substituteOf({ lanes, compatibility }: OpenIndex): Pick<IndexStatus, "substitute"> {
  const substitute = compatibility.kind === "usable" ? lanes?.substituteModel : undefined;
  return substitute === undefined ? {} : { substitute };
}

async function commitsBehind(
  root: string,
  indexed: string | undefined,
): Promise<number | undefined> {
  if (indexed === undefined) return undefined;
  const { commit } = await readHead(root);
  return commit === indexed ? 0 : await movesSince(root, indexed);
}

export async function engineStatus(
  facts: EngineFacts,
  stores: Stores,
  url: string,
  isBusy: boolean,
  log: Log,
): Promise<EngineStatus> {
  const eventLoop = facts.eventLoop();
  const known = lastDatabase.get(url);
  const database = isBusy && known !== undefined ? known : await askDatabase(stores, url, log);
  return {
    version: facts.version,
    pid: process.pid,
    startedAt: facts.startedAt,
    clients: facts.clients(),
    memoryBytes: process.memoryUsage.rss(),
    ...(eventLoop === undefined ? {} : { eventLoop }),
    store: database?.store ?? "unavailable",
    ...(database === undefined ? {} : { postgres: database.postgres, pgvector: database.pgvector }),
    log: facts.log,
  };
}

async function askDatabase(
  stores: Stores,
  url: string,
  log: Log,
): Promise<DatabaseVersion | undefined> {
  const asking = answerIfUp(log, async () => {
    const store = await stores.get(url);
    return { store: store.place, ...(await store.version()) };
  });
  const known = lastDatabase.get(url);
  const database = await (known === undefined
    ? asking
    : Promise.race([asking, delay(ASKING_MS, known, { ref: false })]));
  if (database !== undefined) lastDatabase.set(url, database);
  return database;
}

/** Undefined while the database is down: the status then lacks this part. */
async function answerIfUp<T>(log: Log, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.debug("the status lacks the database", { error: messageOf(error) });
    return undefined;
  }
}
