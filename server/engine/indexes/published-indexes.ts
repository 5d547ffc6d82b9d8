/**
 * The published indexes of a team that are searched here: in memory, and beside the built-in database between two starts. Large ones
 * are searched in their database.
 */

import { LRUCache } from "lru-cache";
import { Unavailable } from "../../common/errors.ts";
import { getOrCreate } from "../../common/get-or-create.ts";
import { nameOfPart } from "../../common/git-remote.ts";
import { hash53 } from "../../common/hash.ts";
import { Semaphore } from "../../common/semaphore.ts";
import { waitAtMost } from "../../common/wait-at-most.ts";
import type { LaneRows, ReadLanes } from "../../contracts/lane-rows.ts";
import type { LiveLanes } from "../../contracts/lanes.ts";
import type { PublishedIndex, TeamDatabase } from "../../contracts/published.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { IndexStore } from "../../contracts/store.ts";
import { createEmbedder } from "../../embedding/create.ts";
import { StoredFiles } from "../../indexing/stored-files.ts";
import { otherModel, SCHEMA_VERSION } from "../../store/compatibility.ts";
import { ALONE, AMONG_OTHERS, type Patience, rowsOfSearch } from "./failing-rows.ts";
import type { IndexDeps } from "./index-deps.ts";
import { loadLanes, MAX_CHUNKS_IN_MEMORY } from "./load-lanes.ts";
import { catchUp, pendingPaths } from "./replica-sync.ts";
import type { StoredIndex } from "./stored-indexes.ts";

/** The limit for the lanes of one index, which have about 2 kB per chunk. */
export const MAX_PUBLISHED_BYTES = 4_000 * MAX_CHUNKS_IN_MEMORY;
/** The size of an index with lanes in its database, in chunks in memory: the files and words of 200 thousand chunks take 17 MB. */
const SQL_LANES_SIZE = 10_000;
/** How long a search waits for an index that it loads for the first time: 20 thousand chunks take some seconds. */
const FIRST_OPENING_MS = 30_000;
/** The database has few connections for this process. Further reads would end in time limits, and load the rows in place of the file. */
const LOADS_AT_ONCE = 4;
/** How long it waits for the changes of a publish in an index that is loaded. */
const UPDATE_MS = 1_000;

/** Files of indexes that were not searched for this long are deleted: 30 days. */
const UNUSED_MS = 30 * 24 * 3_600_000;

interface Copy {
  readonly store: IndexStore;
  readonly files: StoredFiles;
  readonly lanes: LiveLanes;
  /** Set if its lanes are in the database. */
  readonly inSql?: { readonly lanes: ReadLanes; readonly rows: LaneRows };
  /** Undefined if its lanes are in the database. */
  pending: ReadonlySet<string> | undefined;
  /** The published state whose files are known. */
  published: PublishedIndex;
}

interface OpenOptions {
  readonly settings: Settings;
  /** Whether it is the only index of the search. */
  readonly isAlone: boolean;
  readonly signal: AbortSignal | undefined;
}

export const isInSql = ({ chunks }: PublishedIndex) => chunks > MAX_CHUNKS_IN_MEMORY;

interface Reading {
  readonly store: IndexStore;
  readonly settings: Settings;
  readonly dimension: number;
  /** The parts of the published file. */
  readonly fetch: () => AsyncIterable<Uint8Array>;
}

export class PublishedIndexes {
  readonly #deps: IndexDeps;
  /** About 3 kB per chunk in memory: of all published indexes together. */
  readonly #copies = new LRUCache<string, Copy>({
    maxSize: MAX_CHUNKS_IN_MEMORY,
    sizeCalculation: ({ lanes, pending }) =>
      pending === undefined
        ? SQL_LANES_SIZE
        : Math.max(1, Math.min(MAX_CHUNKS_IN_MEMORY, lanes.size)),
  });
  readonly #slots = new Semaphore(LOADS_AT_ONCE);
  /** The opening or updating of a copy. */
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(deps: IndexDeps) {
    this.#deps = deps;
  }

  /** Rejects with Unavailable if the index cannot be read in time. Loading continues, for the next search. */
  async open(
    database: TeamDatabase,
    published: PublishedIndex,
    { settings, isAlone, signal }: OpenOptions,
  ): Promise<StoredIndex> {
    const key = JSON.stringify([database.store.place, published.index]);
    const isKnown = this.#copies.has(key);
    if (!isOf(this.#copies.get(key), published)) {
      const work = getOrCreate(this.#underWay, key, () =>
        this.#slots
          .during((slot) => slot.then(() => this.#load(key, database, published, settings)))
          .finally(() => this.#underWay.delete(key)),
      );
      // A search that gives up must not make it an unhandled rejection.
      work.catch(() => undefined);
      await waitAtMost(isKnown ? UPDATE_MS : FIRST_OPENING_MS, work, signal);
    }
    const copy = this.#copies.get(key);
    // In SQL, the copy of the earlier commit answers as well: hits in files that were replaced are dropped.
    if (copy === undefined || !(isOf(copy, published) || copy.inSql !== undefined))
      throw new Unavailable("it is still being loaded", "search again in a moment");
    const patience = isAlone ? ALONE : AMONG_OTHERS;
    return this.#toStored({ ...copy, ...lanesOfSearch(copy, patience) }, database, settings);
  }

  /** Drops the copies in memory. */
  clear(): void {
    this.#copies.clear();
  }

  async #load(
    key: string,
    database: TeamDatabase,
    published: PublishedIndex,
    settings: Settings,
  ): Promise<void> {
    const { index, schemaVersion, dimension } = published;
    const known = this.#copies.get(key);
    if (known?.pending !== undefined && !isInSql(published)) {
      known.pending = (await catchUp({ ...known, pending: known.pending })).pending;
      known.published = published;
      return;
    }
    if (schemaVersion !== SCHEMA_VERSION)
      throw new Unavailable(
        `it has version ${schemaVersion} of the tables, this program version ${SCHEMA_VERSION}`,
        "publish it again with this version",
      );
    const store = await database.store.find(index);
    if (store === undefined) throw new Unavailable("it is gone", "search again");
    // Read before the lanes: a publish in the meantime is a difference at the next search.
    const files = new StoredFiles(await store.hashes());
    if (isInSql(published)) {
      this.#copies.set(key, await this.#openInSql({ store, files, published }, dimension));
      return;
    }
    const pending = await pendingPaths(store);
    const fetch = () => database.packedLanes(published);
    const lanes = await this.#readLanes(key, { store, settings, dimension, fetch });
    this.#copies.set(key, { store, files, lanes, pending, published });
  }

  /** After each publish, the numbers of chunks with a word are read again. */
  async #openInSql(
    read: Pick<Copy, "store" | "files" | "published">,
    dimension: number,
  ): Promise<Copy> {
    const { laneRows: rows } = read.store;
    if (rows === undefined || !(await rows.areCurrent()))
      throw new Unavailable(
        `it has more than ${MAX_CHUNKS_IN_MEMORY} chunks and lacks the tables to search it in its database`,
        "publish it again with this version",
      );
    const lanes = await this.#deps.readSqlLanes(rows, () => dimension);
    return { ...read, lanes, inSql: { lanes, rows }, pending: undefined };
  }

  /**
   * From the file of the same state that is here or that was published; else from the rows, which takes a second per 5 thousand
   * chunks: if this program is another build than the publisher's, or the file is damaged.
   */
  async #readLanes(key: string, { store, settings, dimension, fetch }: Reading) {
    const { publishedFiles: lanesFiles } = this.#deps;
    // Its own file name: several teams may have indexes of one name. No tables for lanes in SQL can be made there.
    const kept = { ...store, name: hash53(key).toString(36), isShared: false, laneRows: undefined };
    if (!(await lanesFiles.has(kept))) await lanesFiles.receive(kept, fetch());
    const before = await store.stateId();
    const { lanes, wereReady } = await loadLanes(
      { ...this.#deps, lanesFiles },
      { store: kept, settings },
      () => dimension,
    );
    if (wereReady) await lanesFiles.noteUse(kept.name);
    else if (before === (await store.stateId()))
      void lanesFiles.write(kept, lanes, () => true).then(() => lanesFiles.removeUnused(UNUSED_MS));
    return lanes;
  }

  #toStored(copy: Copy & Answering, database: TeamDatabase, settings: Settings): StoredIndex {
    const { store, lanes, files, published, failure } = copy;
    const embedder = createEmbedder(settings, this.#deps);
    const { modelId } = published;
    const place = nameOfPart(published);
    const isSame = modelId === embedder.modelId;
    return {
      name: place,
      // No folder: nothing may read a file there.
      root: `published:${place}`,
      store,
      lanes,
      files,
      embedder,
      compatibility: isSame
        ? { kind: "usable" }
        : otherModel({ name: place, modelId }, embedder.modelId),
      isForeign: true,
      published: {
        index: published,
        texts: async (path) => {
          const hash = files.hash(path);
          return hash === undefined ? [] : await database.filesOf(published).texts(path, hash);
        },
        failure,
      },
    };
  }
}

function isOf(copy: Copy | undefined, { publishedAt }: PublishedIndex): boolean {
  return copy?.published.publishedAt === publishedAt;
}

/** The lanes for one search, and why its answer lacks them, if it does. */
interface Answering {
  readonly lanes: LiveLanes;
  failure(): string | undefined;
}

function lanesOfSearch({ lanes, inSql }: Copy, patience: Patience): Answering {
  if (inSql === undefined) return { lanes, failure: () => undefined };
  const { rows, failure } = rowsOfSearch(inSql.rows, patience, () => inSql.lanes.forgetAnswers());
  return { lanes: inSql.lanes.over(rows), failure };
}
