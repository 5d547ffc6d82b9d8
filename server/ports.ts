/** Where the parts meet: each interface is implemented by one part and used by others that do not know it. */

import type { LaneRows } from "./lane-rows.ts";
import type {
  ByteSpan,
  Category,
  ChunkStrategy,
  CodeSymbol,
  DescribedChunk,
  FileRecord,
  IndexRecord,
  Lines,
  ParseHealth,
  PreparedFile,
  UserGrammar,
} from "./model.ts";

// ---- languages/ -> indexing/ -----------------------------------------------------------------

/** What chunking needs of a syntax node. Offsets are UTF-16 units of the text, as the parser counts. */
export interface SyntaxNode {
  readonly type: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly children: readonly SyntaxNode[];
}

/** A definition with its place in the text. Offsets are UTF-16 units; `symbol.lines` are lines. */
export interface Definition {
  readonly symbol: CodeSymbol;
  /** From the first decorator or doc comment to the end of the body. */
  readonly start: number;
  readonly end: number;
  /** Where the definition itself begins, after doc comment and decorators. */
  readonly nodeStart: number;
  readonly nodeType: string;
}

/** A parsed file, lent for the time of one call; it must not be kept. */
export interface Syntax {
  /** Undefined where the language has no grammar, or its tree has too many error bytes to be trusted. */
  readonly root: SyntaxNode | undefined;
  /** In source order, outer before inner. Filled by patterns where there is no tree. */
  readonly definitions: readonly Definition[];
  readonly health: ParseHealth;
}

/** What else is known of a text that is parsed. */
export interface AboutFile {
  /** Relative to the root: some formats are told by it. */
  readonly path?: string;
  /** Why the text is not to be parsed; it becomes the reason in `health`. */
  readonly unparsed?: string;
}

/** Implemented by languages/. */
export interface Languages {
  /** Grammars of the user, instead of those given before. */
  bring(grammars: readonly UserGrammar[]): void;
  /** The language of a file by name, extension, then shebang; undefined when nothing is known of it. */
  detect(path: string, head: string): string;
  category(path: string, languageId: string): Category;
  /**
   * Parses and lends the result. A grammar that throws makes `health` an error and `broken` true: throw the worker away.
   */
  withSyntax<T>(
    text: string,
    languageId: string,
    use: (syntax: Syntax) => T,
    about?: AboutFile,
  ): Promise<T>;
  /** True once a grammar has thrown: its memory can no longer be trusted. */
  readonly broken: boolean;
}

// ---- embedding/ ------------------------------------------------------------------------------

/** What a document vector is made from; each provider uses what it can. */
export interface EmbeddableChunk {
  readonly path: string;
  readonly text: string;
  /** Qualified names of the symbols that the chunk defines. */
  readonly names: readonly string[];
}

/** Implemented once for each provider by embedding/. Vectors have length 1. */
export interface Embedder {
  /** Names the vectors: provider, model and formula. Vectors of two ids are never compared. */
  readonly modelId: string;
  /** Undefined until the first answer has shown it. */
  readonly dimension: number | undefined;
  /** True for the built-in model, which costs less than asking a cache. */
  readonly isLocal: boolean;
  /** What a chunk looks like to this model; the key of the embedding cache. */
  textOf(chunk: EmbeddableChunk): string;
  /** One vector a chunk, in order. Throws Unavailable when the provider does not answer properly. */
  embedChunks(chunks: readonly EmbeddableChunk[], signal?: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Asks the provider for one vector; resolves to the dimension. For `doctor` and the first use. */
  probe(signal?: AbortSignal): Promise<number>;
}

// ---- store/ ----------------------------------------------------------------------------------

export interface StoredChunk {
  readonly path: string;
  readonly languageId: string;
  readonly span: ByteSpan;
  readonly lines: Lines;
  readonly symbols: readonly CodeSymbol[];
  readonly context: Lines;
  readonly blockType?: string;
  readonly hierarchy?: string;
  readonly words: string;
  /** Undefined while the embedding is pending. */
  readonly vector?: Float32Array;
}

/** A file's new content, replacing whatever is stored of it. `vectors[i]` is undefined while pending. */
export interface FileCommit {
  readonly file: FileRecord;
  readonly chunks: readonly DescribedChunk[];
  readonly vectors: readonly (Float32Array | undefined)[];
}

export interface PendingChunk extends EmbeddableChunk {
  readonly span: ByteSpan;
  /** Names the stored text; goes along with the vector that is made from it. */
  readonly contentHash: string;
}

export interface ChunkVector {
  readonly path: string;
  readonly span: ByteSpan;
  readonly vector: Float32Array;
  /** The text that was embedded: the vector is not stored on another one. */
  readonly contentHash?: string;
}

export interface IndexCounts {
  readonly files: number;
  readonly chunks: number;
  readonly pending: number;
  /** Chunks that are not stored, because a secret stands in them. */
  readonly secrets: number;
  /** Size of the index's tables in the database. */
  readonly bytes: number;
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
  /** The sha256 of each stored file by its path. */
  hashes(): Promise<Map<string, string>>;
  /** By which files are recognized without being read; some may be missing. */
  stamps(): Promise<Map<string, string>>;
  /** For files that are stored as they are now. */
  setStamps(stamps: ReadonlyMap<string, string>): Promise<void>;
  /** Replaces files and removes paths in one transaction: a reader sees all of it or nothing. */
  commit(files: readonly FileCommit[], removed: readonly string[]): Promise<void>;
  /** False where chunks are missing, of which so many could be read: the disk has lost some. */
  isWhole(chunks: number): Promise<boolean>;
  /** Makes the keys of the vectors anew: those of rows that the disk has lost would lead to other chunks' vectors. */
  rekeyVectors(): Promise<void>;
  /** All chunks with their vectors, by path and place, in pages. */
  chunks(): AsyncIterable<readonly StoredChunk[]>;
  /** The chunks of these files with their vectors, by path and place. */
  chunksOf(paths: readonly string[]): Promise<readonly StoredChunk[]>;
  /** Chunks without a vector, by path and place. */
  pending(limit: number): Promise<readonly PendingChunk[]>;
  /** Vectors for chunks that are still stored; others are ignored. */
  setVectors(vectors: readonly ChunkVector[]): Promise<void>;
  /** The stored text of a chunk; undefined when it is gone. */
  text(path: string, span: ByteSpan): Promise<string | undefined>;
  counts(): Promise<IndexCounts>;
  /** Files of which chunks are not stored for their secrets, by path; how many chunks. */
  withheld(limit: number): Promise<ReadonlyMap<string, number>>;
  parseSummary(): Promise<readonly ParseSummary[]>;
  /** Deletes all rows but keeps the index: the next pass fills it again. */
  truncate(): Promise<void>;
  /** For lanes in SQL; undefined in the built-in database, where they would be slower than in memory. */
  readonly laneRows: LaneRows | undefined;
}

/** Vectors by model and hash of the embedded text, bounded, least recently used out first. */
export interface EmbeddingCache {
  get(modelId: string, hashes: readonly string[]): Promise<Map<string, Float32Array>>;
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
  list(): Promise<readonly IndexRecord[]>;
  /** The name under which this root is stored, or the one under which a new index would be. */
  nameFor(root: string, wanted: string): Promise<string>;
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
  tidy(): Promise<void>;
  close(): Promise<void>;
}

// ---- indexing/ -> workers --------------------------------------------------------------------

export interface PrepareJob {
  readonly root: string;
  readonly path: string;
  readonly chunkSize: number;
  readonly chunkOverlap: number;
  readonly chunkStrategy?: ChunkStrategy;
  /** Grammars of the user; they come before ours. */
  readonly grammars?: readonly UserGrammar[];
  readonly maxFileBytes: number;
  /** The stored hash: a file that still has it is not read further. */
  readonly knownSha256?: string;
  /** Whether the built-in model embeds in the worker. */
  readonly embed: boolean;
  /** What an editor has not saved, in place of what is on disk. */
  readonly text?: string;
  /** Cut the file without parsing it: its parser hung or broke before. The reason is kept as the parse error. */
  readonly unparsed?: string;
}

/** What a worker thread answers about one file. */
export type PrepareResult =
  | { readonly kind: "prepared"; readonly file: PreparedFile }
  | { readonly kind: "unchanged"; readonly stamp?: string }
  | { readonly kind: "left-out"; readonly rule: string }
  | { readonly kind: "gone" };

/** The worker threads, as the indexer sees them. */
export interface Preparer {
  /** How many jobs keep the workers busy while one waits for each. */
  readonly width: number;
  prepare(job: PrepareJob, signal?: AbortSignal): Promise<PrepareResult>;
}

// ---- search/ ---------------------------------------------------------------------------------

/** Places a candidate of a lane. Chunks are numbered by the lanes of one index. */
export interface Candidate {
  readonly chunk: number;
  readonly score: number;
}

/** The chunks that a query may return; decided before any lane ranks. */
export interface Filter {
  readonly languages?: ReadonlySet<string>;
  readonly symbolTypes?: ReadonlySet<string>;
  readonly matchesName?: (name: string) => boolean;
  readonly matchesPath?: (path: string) => boolean;
}

/** What the lanes know of a chunk without asking the store. */
export interface ChunkFacts {
  readonly path: string;
  readonly languageId: string;
  readonly category: Category;
  readonly span: ByteSpan;
  readonly lines: Lines;
  readonly context: Lines;
  readonly symbols: readonly CodeSymbol[];
  readonly blockType?: string;
  readonly hierarchy?: string;
}

/**
 * The lanes of one index. Two implementations: in memory, and in SQL for an index that does not fit.
 * Each lane returns at most `limit` candidates, best first, ties by path and place, all of which pass the filter.
 */
export interface Lanes {
  readonly size: number;
  /** Grows with every change: what was answered at one generation holds for it only. */
  readonly generation: number;
  vector(query: Float32Array, filter: Filter | undefined, limit: number): Promise<Candidate[]>;
  /** The share of an exact search's answer that `found` has, which may have been found by a shorter way. */
  recall(
    query: Float32Array,
    filter: Filter | undefined,
    found: readonly Candidate[],
  ): Promise<number>;
  keyword(
    words: readonly string[],
    filter: Filter | undefined,
    limit: number,
  ): Promise<Candidate[]>;
  symbol(name: string, filter: Filter | undefined, limit: number): Promise<Candidate[]>;
  /** Without the chunks that were removed since they were found. */
  facts(chunks: readonly number[]): Promise<ReadonlyMap<number, ChunkFacts>>;
  /** All chunks of these files, in source order. */
  chunksOf(paths: readonly string[]): Promise<readonly number[]>;
  /** Paths whose stem (file name without extension), in lower case without separators, is this one. */
  pathsByStem(stem: string): readonly string[];
}

/** Lanes that follow the commits of their index. */
export interface LiveLanes extends Lanes {
  /** Takes out whatever there is of these paths, then puts the chunks in. */
  replace(paths: readonly string[], chunks: readonly StoredChunk[]): Promise<void>;
  setVectors(vectors: readonly ChunkVector[]): Promise<void>;
  /** Takes over what another engine has written: like `replace`, where the rows are there already. */
  follow(paths: readonly string[], chunks: readonly StoredChunk[]): Promise<void>;
  /** After a pass over the workspace: brings up to date what may lag behind single changes. */
  settle(): Promise<void>;
  /** Empty lanes in memory that weigh words as these do: for what stands beside them. */
  beside(): LiveLanes;
  /** Bytes held, roughly. */
  readonly bytes: number;
}
