/** A store of one index in memory, which satisfies the port of contracts/store.ts and fails when a test wants it to. */

import { type FileRecord, type IndexRecord, PARSE_TIMEOUT } from "../../server/contracts/model.ts";
import { NO_FACTS } from "../../server/contracts/packed-facts.ts";
import type { FileCommit, IndexStore, PendingChunk, Store } from "../../server/contracts/store.ts";
import { SCHEMA_VERSION } from "../../server/store/compatibility.ts";
import { createMemoryHistory } from "./memory-history.ts";

interface StoredFile {
  readonly record: FileRecord;
  readonly commit: FileCommit;
  readonly vectors: (Float32Array | undefined)[];
}

export class MemoryStore implements IndexStore {
  readonly laneRows = undefined;
  readonly history = createMemoryHistory();
  readonly name = "memory";
  /** Every call that changes something, in order. */
  readonly writes: string[] = [];
  /** Thrown by every call while it is set. */
  failure: Error | undefined;
  isShared = false;
  /** Whether another engine holds the lock. */
  isForeign = false;
  isWhole = true;
  readonly writer;
  readonly #files = new Map<string, StoredFile>();
  #record: IndexRecord = {
    name: "memory",
    root: "/w",
    modelId: "",
    dimension: 0,
    chunkerVersion: "",
    schemaVersion: SCHEMA_VERSION,
    state: "partial",
    createdAt: "",
    updatedAt: "0",
  };

  constructor() {
    let isHeld = false;
    const isTaken = () => this.isForeign;
    this.writer = {
      get isHeld() {
        return isHeld && !isTaken();
      },
      tryHold: async () => {
        this.#check();
        isHeld = !isTaken();
        return isHeld;
      },
      release: async () => {
        this.#write("release");
        isHeld = false;
      },
    };
  }

  record = async () => (this.#check(), this.#record);
  update = async (changes: Partial<IndexRecord>) => {
    this.#write(`update ${Object.keys(changes).join(" ")}`);
    this.#record = { ...this.#record, ...changes };
  };
  hashes = async () => {
    this.#check();
    return new Map([...this.#files].map(([path, { record }]) => [path, record.sha256]));
  };
  statFingerprints = async () => new Map<string, string>();
  exclusions = async () => [];
  setExclusions = async () => this.#check();
  unfinished = async () =>
    [...this.#files.values()]
      .filter(({ record }) => record.parse.message?.startsWith(PARSE_TIMEOUT))
      .map(({ record }) => record.path);
  encodings = async () =>
    new Map(
      [...this.#files.values()].flatMap(({ record: { path, encoding } }) =>
        encoding === undefined ? [] : [[path, encoding] as const],
      ),
    );
  setStatFingerprints = async () => undefined;
  begunWith = async () => undefined;
  setBegunWith = async () => undefined;
  commit = async (files: readonly FileCommit[], removed: readonly string[]) => {
    this.#write(
      `commit ${[...files.map(({ file }) => file.path), ...removed].toSorted().join(" ")}`,
    );
    for (const path of removed) this.#files.delete(path);
    for (const commit of files) {
      this.#files.set(commit.file.path, {
        record: commit.file,
        commit,
        vectors: [...commit.vectors],
      });
    }
    this.#record = { ...this.#record, updatedAt: String(this.writes.length) };
  };
  kept = async () => new Map<string, Set<string>>();
  takeBack = async (): Promise<readonly string[]> => [];
  pruneKept = async () => this.#check();
  forgetKept = async () => this.#check();
  stateId = async () => JSON.stringify([this.#record, this.writes.length]);
  hasTables = async () => true;
  checkAll = async () => this.isWhole;
  hasAllEdges = async () => false;
  checkIntegrity = async () => this.isWhole;
  rebuildVectorKey = async () => undefined;
  chunks = async function* (this: MemoryStore) {
    yield await this.chunksOf([...this.#files.keys()]);
  };
  chunksOf = async (paths: readonly string[]) => {
    this.#check();
    return paths.flatMap((path) => {
      const { record, commit, vectors } = this.#files.get(path) ?? { commit: { chunks: [] } };
      return commit.chunks.map((chunk, i) => {
        const vector = vectors?.[i];
        const stored = { ...chunk, path, languageId: record?.languageId ?? "" };
        return vector === undefined ? stored : { ...stored, vector };
      });
    });
  };
  pending = async (limit: number) => {
    this.#check();
    const pending: PendingChunk[] = [];
    for (const [path, { commit, vectors }] of this.#files) {
      commit.chunks.forEach(({ text, span }, i) => {
        if (vectors[i] !== undefined) return;
        pending.push({ path, text, span, names: [], contentHash: text });
      });
    }
    return pending.slice(0, limit);
  };
  setVectors: IndexStore["setVectors"] = async (vectors) => {
    this.#write("vectors");
    for (const { path, vector } of vectors) this.#files.get(path)?.vectors.fill(vector);
  };
  facts = async function* (this: MemoryStore) {
    yield await this.factsOf([...this.#files.keys()]);
  };
  factsOf = async (paths: readonly string[]) => {
    this.#check();
    return paths.flatMap((path) => {
      const commit = this.#files.get(path)?.commit;
      return commit === undefined ? [] : [{ path, facts: commit.facts ?? NO_FACTS, edgesHash: "" }];
    });
  };
  pathsWithoutFacts = async (): Promise<readonly string[]> => [];
  importerCounts = async (): Promise<ReadonlyMap<string, number>> => new Map();
  setDependencies = async () => this.#check();
  counts = async () => ({ files: this.#files.size, chunks: 0, pending: 0, secrets: 0, bytes: 0 });
  redactedChunks = async (): Promise<ReadonlyMap<string, number>> => new Map();
  parseSummary = async () => [];
  truncate = async () => {
    this.#write("truncate");
    this.#files.clear();
  };

  #check(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  #write(what: string): void {
    this.#check();
    this.writes.push(what);
  }
}

/** The database around it. */
export function databaseOf(store: MemoryStore): Store {
  const open: Store["open"] = async (record) => {
    if ((await store.record()).modelId === "") await store.update(record);
    return store;
  };
  return {
    place: "memory",
    version: async () => ({ postgres: "0", pgvector: "0" }),
    list: async () => [await store.record()],
    nameFor: async () => store.name,
    resolve: async () => store.name,
    open,
    find: async () => store,
    drop: async () => {
      store.writes.push("drop");
      await store.truncate();
      store.isWhole = true;
      return true;
    },
    embeddings: { get: async () => new Map(), put: async () => undefined },
    vacuum: async () => void store.writes.push("vacuum"),
    suspend: async () => undefined,
    close: async () => undefined,
  };
}
