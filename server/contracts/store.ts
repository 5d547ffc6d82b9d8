/** What store/ offers: the rows of one index, the embedding cache, and the catalog of indexes. */

import type { EmbeddableChunk } from "./embedding.ts";
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
import type { ChunkVector, StoredChunk } from "./stored-chunk.ts";

/** A file's new content, replacing all that is stored of it. `vectors[i]` is undefined while pending. */
export interface FileCommit {
  readonly file: FileRecord;
  readonly chunks: readonly Chunk[];
  readonly vectors: readonly (Float32Array | undefined)[];
  /** What the graph is made from, packed; empty where there is nothing. */
  readonly facts?: Uint8Array;
}

export interface PendingChunk extends EmbeddableChunk {
  readonly span: ByteSpan;
  /** Names the stored text; goes along with the vector that is made from it. */
  readonly contentHash: string;
}

export interface IndexCounts {
  readonly files: number;
  readonly chunks: number;
  readonly pending: number;
  /** Chunks that are not stored because they contain a secret. */
  readonly secrets: number;
  /** Size of the index's tables in the database. */
  readonly bytes: number;
}

export interface ExclusionChanges {
  readonly excluded: readonly KnownExclusion[];
  /** Files that are not excluded any more, or are gone. */
  readonly forgotten: readonly string[];
}

/** Parse health by language. */
export interface ParseSummary {
  readonly languageId: string;
  readonly ok: number;
  readonly partial: number;
  readonly error: number;
  readonly noGrammar: number;
  /** The files that were parsed worst, at most three. */
  readonly worst: readonly { readonly path: string; readonly message: string }[];
}

/** Who writes an index, where several engines share a database. */
export interface WriterLock {
  /** Whether it is this engine; it may cease to be when the database does not answer. */
  readonly isHeld: boolean;
  /** Becomes the writer unless another engine is; resolves to whether this one is it. */
  tryHold(): Promise<boolean>;
  /** Lets another engine write. */
  release(): Promise<void>;
}

/** What is stored of one workspace. Every method is one transaction. */
export interface IndexStore {
  readonly name: string;
  /** One for all stores of this index. */
  readonly writer: WriterLock;
  /** Whether engines of other users or machines may have the database open too. */
  readonly isShared: boolean;
  record(): Promise<IndexRecord>;
  /** Changes what the catalog says; a model or dimension that differs deletes all vectors in the same transaction. */
  update(
    changes: Partial<
      Pick<IndexRecord, "modelId" | "dimension" | "commit" | "branch" | "state" | "chunkerVersion">
    >,
  ): Promise<void>;
  /** Another one after each change of files, chunks or vectors. */
  stateId(): Promise<string>;
  /** The sha256 of each stored file by its path. */
  hashes(): Promise<Map<string, string>>;
  /** Per path what recognizes the file without reading it; some may be missing. */
  statFingerprints(): Promise<Map<string, string>>;
  /** For files that are stored as they are now. */
  setStatFingerprints(statFingerprints: ReadonlyMap<string, string>): Promise<void>;
  /** The files that are kept out for what is in them, where these rules were the ones that said so. */
  exclusions(rules: string): Promise<readonly KnownExclusion[]>;
  setExclusions(rules: string, changes: ExclusionChanges): Promise<void>;
  /** Per path how the files were read whose bytes do not tell. */
  encodings(): Promise<Map<string, FileEncoding>>;
  /** The files that were cut without their grammar because parsing took too long. */
  unfinished(): Promise<string[]>;
  /** Replaces files and removes paths in one transaction: a reader sees all of it or nothing. */
  commit(files: readonly FileCommit[], removed: readonly string[]): Promise<void>;
  /** False where one of its tables was dropped. */
  hasTables(): Promise<boolean>;
  /** Reads every chunk and every key; false when any is missing. Rejects where one cannot be read. */
  checkAll(): Promise<boolean>;
  /** False when chunks are missing; `chunks` is the number that could be read. */
  checkIntegrity(chunks: number): Promise<boolean>;
  /** Rebuilds the keys of the vectors: keys of rows that the disk has lost would lead to vectors of other chunks. */
  rebuildVectorKey(): Promise<void>;
  /** All chunks with their vectors, by path and place, in pages. */
  chunks(): AsyncIterable<readonly StoredChunk[]>;
  /** The chunks of these files with their vectors, by path and place. */
  chunksOf(paths: readonly string[]): Promise<readonly StoredChunk[]>;
  /** What the graph is made from, by path, in pages. */
  facts(): AsyncIterable<readonly StoredFacts[]>;
  factsOf(paths: readonly string[]): Promise<readonly StoredFacts[]>;
  /** Stored files of which no facts are stored that this program understands. */
  pathsWithoutFacts(): Promise<readonly string[]>;
  /** Whether the import edges of all stored files are stored. */
  hasAllEdges(): Promise<boolean>;
  /** By path, how many files import it, as the stored edges say; those that none imports are left out. */
  importerCounts(): Promise<ReadonlyMap<string, number>>;
  /** Replaces the import edges of these files. */
  setDependencies(files: readonly FileDependencies[]): Promise<void>;
  /** Chunks without a vector, by path and place. */
  pending(limit: number): Promise<readonly PendingChunk[]>;
  /** Vectors for chunks that are still stored; others are ignored. */
  setVectors(vectors: readonly ChunkVector[]): Promise<void>;
  counts(): Promise<IndexCounts>;
  /** By path, the number of chunks that are not stored because they contain secrets. */
  redactedChunks(limit: number): Promise<ReadonlyMap<string, number>>;
  parseSummary(): Promise<readonly ParseSummary[]>;
  /** Deletes all rows but keeps the index: the next pass fills it again. */
  truncate(): Promise<void>;
  /** For lanes in SQL; undefined in the built-in database, where they would be slower than in memory. */
  readonly laneRows: LaneRows | undefined;
  /** The commits of the workspace's repository. */
  readonly history: HistoryStore;
}

/** Vectors by model and hash of the embedded text, bounded, least recently used out first. */
export interface EmbeddingCache {
  /** Only vectors of `dimension`, where it is known: a service may have put another model under the same name. */
  get(
    modelId: string,
    hashes: readonly string[],
    dimension?: number,
  ): Promise<Map<string, Float32Array>>;
  /** Replaces vectors of another dimension. */
  put(modelId: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
}

/** How a stored index fits the program that opens it, as the differing key says. */
export type Compatibility =
  | { readonly kind: "usable" }
  | { readonly kind: "refresh"; readonly reason: string }
  | { readonly kind: "rebuild"; readonly reason: string };

/** Implemented by store/, over either adapter. */
export interface Store {
  /** Where it is, without a password: a folder or an address. */
  readonly place: string;
  /** What is served: for `doctor` and `status`. */
  version(): Promise<{ readonly postgres: string; readonly pgvector: string }>;
  /** Of all installations; each record says whether it is of another one. */
  list(): Promise<readonly IndexRecord[]>;
  /** The name under which this installation stores this root, or the one under which a new index would be stored. */
  nameFor(root: string, wanted: string): Promise<string>;
  /** The stored name that a user's name means: of this installation where it has one, also under another name. */
  resolve(name: string): Promise<string | undefined>;
  /** Opens an index, made when it is not there. */
  open(
    record: Omit<IndexRecord, "createdAt" | "updatedAt" | "state" | "schemaVersion">,
  ): Promise<IndexStore>;
  /** Opens an index that is there; undefined when it is not. */
  find(name: string): Promise<IndexStore | undefined>;
  /** Drops an index with all its tables; false when there was none. */
  drop(name: string): Promise<boolean>;
  readonly embeddings: EmbeddingCache;
  /** After many changes: statistics and space. Returns when done. */
  vacuum(): Promise<void>;
  /** Frees the memory of a database in this process; the next statement starts it again. */
  suspend(): Promise<void>;
  close(): Promise<void>;
}
