/** The interface of store/: the rows of an index, the embedding cache, and the catalog of indexes. */

import type { EmbeddableChunk } from "./embedding.ts";
import type { FileTerms } from "./file-terms.ts";
import type { FileDependencies, StoredFacts } from "./graph.ts";
import type { HistoryStore } from "./history.ts";
import type { LaneRows } from "./lane-rows.ts";
import type {
  ByteSpan,
  Chunk,
  FileEncoding,
  FileRecord,
  IndexRecord,
  KnownExclusion,
} from "./model.ts";
import type { BegunWith } from "./published-file.ts";
import type { ChunkVector, StoredChunk } from "./stored-chunk.ts";

/** The new content of a file, which replaces all of its rows. `vectors[i]` is undefined while it is pending. */
export interface FileCommit {
  readonly file: FileRecord;
  readonly chunks: readonly Chunk[];
  readonly vectors: readonly (Float32Array | undefined)[];
  /** The packed facts for the graph. Empty without facts. */
  readonly facts?: Uint8Array;
  /** Stored only of a published index. */
  readonly terms?: FileTerms;
}

export interface PendingChunk extends EmbeddableChunk {
  readonly span: ByteSpan;
  /** Identifies the stored text, so that a vector is stored only for the text that it is computed from. */
  readonly contentHash: string;
}

export interface IndexCounts {
  readonly files: number;
  readonly chunks: number;
  readonly pending: number;
  /** Chunks that are not stored because they contain a secret. */
  readonly secrets: number;
  /** The size of the tables of the index in the database. */
  readonly bytes: number;
}

export interface ExclusionChanges {
  readonly excluded: readonly KnownExclusion[];
  /** Files that are no longer excluded, or that were deleted. */
  readonly forgotten: readonly string[];
}

/** The parse status by language. */
export interface ParseSummary {
  readonly languageId: string;
  readonly ok: number;
  readonly partial: number;
  readonly error: number;
  readonly noGrammar: number;
  /** At most three files with the worst parse errors. */
  readonly worst: readonly { readonly path: string; readonly message: string }[];
}

/** The ownership of an index, when several engines share a database: one of them writes. */
export interface WriterLock {
  /** Whether this engine is the writer. It may lose ownership if the database does not answer. */
  readonly isHeld: boolean;
  /** Becomes the writer unless another engine is. Resolves to whether this engine is the writer. */
  tryHold(): Promise<boolean>;
  /** Releases ownership. */
  release(): Promise<void>;
}

/** The rows of one workspace. Every method is one transaction. */
export interface IndexStore {
  readonly name: string;
  /** Shared by all stores of this index. */
  readonly writer: WriterLock;
  /** Whether engines of other users or machines may use the database at the same time. */
  readonly isShared: boolean;
  record(): Promise<IndexRecord>;
  /** Updates the catalog entry. A different model or dimension deletes all vectors in the same transaction. */
  update(
    changes: Partial<
      Pick<IndexRecord, "modelId" | "dimension" | "commit" | "branch" | "state" | "chunkerVersion">
    >,
  ): Promise<void>;
  /** Changes with each change of files, chunks or vectors. */
  stateId(): Promise<string>;
  /** The sha256 of each stored file by path. */
  hashes(): Promise<Map<string, string>>;
  /** The stat fingerprints by path, which identify unchanged files without reading them. Some may be missing. */
  statFingerprints(): Promise<Map<string, string>>;
  /** Stores fingerprints of files whose stored content is current. */
  setStatFingerprints(statFingerprints: ReadonlyMap<string, string>): Promise<void>;
  /** The files that these rules exclude because of their content. */
  exclusions(rules: string): Promise<readonly KnownExclusion[]>;
  setExclusions(rules: string, changes: ExclusionChanges): Promise<void>;
  /** The encodings by path of files that are not valid UTF-8. */
  encodings(): Promise<Map<string, FileEncoding>>;
  /** The files that were chunked without their grammar because parsing timed out. */
  unfinished(): Promise<string[]>;
  /**
   * Replaces files and removes paths in one transaction: readers see all of it or nothing. With `keeps`, the replaced and
   * removed rows are kept for `takeBack`.
   */
  commit(files: readonly FileCommit[], removed: readonly string[], keeps?: boolean): Promise<void>;
  /** The hashes of kept contents by path: of these paths, or of all. */
  kept(paths?: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** Replaces files by their kept rows and keeps the replaced ones. Returns the paths that it has replaced. */
  takeBack(
    files: readonly Pick<FileRecord, "path" | "sha256" | "statFingerprint">[],
  ): Promise<readonly string[]>;
  /** Deletes rows that were kept a week before `nowMs`, and the oldest beyond the budget. */
  pruneKept(nowMs: number): Promise<void>;
  /** Deletes all kept rows. */
  forgetKept(): Promise<void>;
  /** False if one of its tables was dropped. */
  hasTables(): Promise<boolean>;
  /** Reads every chunk and every key. False if any is missing; rejects if one cannot be read. */
  checkAll(): Promise<boolean>;
  /** False if chunks are missing; `chunks` is the number of readable chunks. */
  checkIntegrity(chunks: number): Promise<boolean>;
  /** Rebuilds the keys of the vectors. A key whose row was lost on disk would lead to the vector of another chunk. */
  rebuildVectorKey(): Promise<void>;
  /** All chunks with their vectors, by path and position, in pages. */
  chunks(): AsyncIterable<readonly StoredChunk[]>;
  /** The chunks of these files with their vectors, by path and position. */
  chunksOf(paths: readonly string[]): Promise<readonly StoredChunk[]>;
  /** The packed facts by path, in pages. */
  facts(): AsyncIterable<readonly StoredFacts[]>;
  factsOf(paths: readonly string[]): Promise<readonly StoredFacts[]>;
  /** Stored files without facts of the current version. */
  pathsWithoutFacts(): Promise<readonly string[]>;
  /** Whether the import edges of all stored files are stored. */
  hasAllEdges(): Promise<boolean>;
  /** The number of importing files by path, from the stored edges. Files without importers are omitted. */
  importerCounts(): Promise<ReadonlyMap<string, number>>;
  /** Replaces the import edges of these files. */
  setDependencies(files: readonly FileDependencies[]): Promise<void>;
  /** Chunks without a vector, by path and position. */
  pending(limit: number): Promise<readonly PendingChunk[]>;
  /** Stores vectors for chunks that still exist, and ignores others. */
  setVectors(vectors: readonly ChunkVector[]): Promise<void>;
  /** The published index that it began with, as noted by `setBegunWith`; undefined deletes the note. */
  begunWith(): Promise<BegunWith | undefined>;
  setBegunWith(begun: BegunWith | undefined): Promise<void>;
  counts(): Promise<IndexCounts>;
  /** The number of chunks by path that are not stored because they contain secrets. */
  redactedChunks(limit: number): Promise<ReadonlyMap<string, number>>;
  parseSummary(): Promise<readonly ParseSummary[]>;
  /** Deletes all rows and keeps the index, which the next pass fills again. */
  truncate(): Promise<void>;
  /** The rows for lanes in SQL. Undefined in the built-in database, where SQL lanes would be slower than memory. */
  readonly laneRows: LaneRows | undefined;
  /** The commits of the workspace's repository. */
  readonly history: HistoryStore;
}

/** Vectors by model and hash of the embedded text. Bounded, with least recently used eviction. */
export interface EmbeddingCache {
  /** Returns only vectors of `dimension`, if it is known: a service may have replaced the model under the same name. */
  get(
    modelId: string,
    hashes: readonly string[],
    dimension?: number,
  ): Promise<Map<string, Float32Array>>;
  /** Replaces vectors of another dimension. */
  put(modelId: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
}

/** An index of other files, and the files of a new index that have the same path and content there, now or in its kept rows. */
export interface IndexSeed {
  /** The stored name of the other index. */
  readonly from: string;
  readonly files: readonly Pick<FileRecord, "path" | "sha256" | "statFingerprint">[];
  /** Files of the new index that these rules exclude because of their content. */
  readonly exclusions?: { readonly rules: string; readonly excluded: readonly KnownExclusion[] };
}

/** The compatibility of a stored index with this program, by the differing key. */
export type Compatibility =
  | { readonly kind: "usable" }
  | { readonly kind: "refresh"; readonly reason: string }
  | { readonly kind: "rebuild"; readonly reason: string };

/** Implemented by store/, over either adapter. */
export interface Store {
  /** The location without a password: a folder or an address. */
  readonly place: string;
  /** The database and its version, for `doctor` and `status`. */
  version(): Promise<{ readonly postgres: string; readonly pgvector: string }>;
  /** The indexes of all installations. Each record says whether another installation owns it. */
  list(): Promise<readonly IndexRecord[]>;
  /** The name of the index that this installation stores for a root, or the name of a new index. */
  nameFor(root: string, wanted: string): Promise<string>;
  /** Resolves a user's name to the stored name. An index of this installation has precedence. */
  resolve(name: string): Promise<string | undefined>;
  /** Opens an index, and creates it if it does not exist, with the files and commits of `seed`. */
  open(
    record: Omit<IndexRecord, "createdAt" | "updatedAt" | "state" | "schemaVersion">,
    seed?: IndexSeed,
  ): Promise<IndexStore>;
  /** Opens an existing index. Undefined if it does not exist. */
  find(name: string): Promise<IndexStore | undefined>;
  /** Drops an index with all its tables. False if it does not exist. */
  drop(name: string): Promise<boolean>;
  readonly embeddings: EmbeddingCache;
  /** Vacuums and analyzes the database after many changes. */
  vacuum(): Promise<void>;
  /** Frees the memory of an in-process database. The next statement restarts it. */
  suspend(): Promise<void>;
  close(): Promise<void>;
}
