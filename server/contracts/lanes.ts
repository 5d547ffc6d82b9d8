/** The interface of the lanes of one index, in memory or in SQL. */

import type { PackedArrays } from "../common/packed/packed-arrays.ts";
import type { YieldToForeground } from "../common/slices.ts";
import type { ByteSpan, Category, CodeSymbol, Lines } from "./model.ts";
import type { ChunkVector, StoredChunk } from "./stored-chunk.ts";

/** A chunk found by a lane, with its score. The lanes of an index number its chunks. */
export interface Candidate {
  readonly chunk: number;
  readonly score: number;
  /** The number that orders the list, if it is not the score. */
  readonly order?: number;
}

/** Restricts the chunks that a query may return. Applied before ranking. */
export interface Filter {
  readonly languages?: ReadonlySet<string>;
  readonly symbolTypes?: ReadonlySet<string>;
  readonly matchesName?: (name: string) => boolean;
  readonly matchesPath?: (path: string) => boolean;
}

/** The attributes of a chunk that the lanes have without reading the store. */
export interface ChunkFacts {
  readonly path: string;
  readonly languageId: string;
  readonly category: Category;
  readonly span: ByteSpan;
  readonly lines: Lines;
  readonly context: Lines;
  readonly symbols: readonly CodeSymbol[];
  readonly blockType?: string | undefined;
  readonly hierarchy?: string | undefined;
}

/** A term that no chunk contains. */
export const ABSENT_TERM = "\u0000";

/** The bounds of a query to a lane, beside the words, the name or the vector. */
export interface LaneBounds {
  readonly filter?: Filter | undefined;
  readonly limit: number;
  /** Whether the query vector is of the substitute. Default: it is of the index's own model. */
  readonly isSubstitute?: boolean | undefined;
  /** The vector of length 1 that orders the candidates in place of the query vector. Scores stay cosines with the query. */
  readonly orderBy?: Float32Array | undefined;
  /** The rarity of words in several indexes together, in place of `Lanes.rarityOf`. */
  readonly rarityOf?: ((term: string) => number) | undefined;
  /** Awaited by a slow lane in memory between two steps; if it rejects, the lane stops. */
  readonly pause?: YieldToForeground;
}

/**
 * The lanes of one index. Two implementations: in memory, and in SQL for an index that does not fit.
 * Each lane returns at most `limit` candidates that pass the filter, best first, with ties by path and position.
 */
export interface Lanes {
  readonly size: number;
  /** The number of concurrent queries: one on the engine's main thread, where several would block it in one slice. */
  readonly questionsAtOnce: number;
  /** Identifies a state. It changes with every update and never repeats, so that cached answers can be invalidated. */
  readonly generation: string;
  vector(query: Float32Array, bounds: LaneBounds): Promise<Candidate[]>;
  /** The recall of an approximate search: the fraction of the exact result that `found` contains. */
  recall(
    query: Float32Array,
    filter: Filter | undefined,
    found: readonly Candidate[],
  ): Promise<number>;
  /**
   * `related` are words that code may use in place of the given ones: they weigh a quarter each and leave the upper bound of
   * the score as it is.
   */
  keyword(
    words: readonly string[],
    bounds: LaneBounds,
    related?: readonly string[],
  ): Promise<Candidate[]>;
  symbol(name: string, bounds: LaneBounds): Promise<Candidate[]>;
  /**
   * For each list, at most `limit` chunks that contain all of its terms, in arbitrary order. Terms come from `termsInText`.
   * An empty list matches nothing.
   */
  containing(
    termLists: readonly (readonly string[])[],
    bounds: LaneBounds,
  ): Promise<readonly (readonly number[])[]>;
  /**
   * For each term, the given files that contain it. Of the filter, only its languages and definitions count: a
   * chunk that passes must contain the term.
   */
  filesWith(
    terms: readonly string[],
    paths: readonly string[],
    bounds: Omit<LaneBounds, "limit">,
  ): Promise<readonly ReadonlySet<string>[]>;
  /**
   * For each name that is defined, the chunks with a definition whose last segment equals it, ignoring case and separators.
   * Sorted by path and position.
   */
  definitionsOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>;
  /** Chunks that were removed meanwhile are omitted. */
  facts(chunks: readonly number[]): Promise<ReadonlyMap<number, ChunkFacts>>;
  /** All chunks of these files, in source order. */
  chunksOf(paths: readonly string[]): Promise<readonly number[]>;
  /** The distinct definitions of each file, in source order. A file without definitions may be missing. */
  definitionsIn(paths: readonly string[]): Promise<ReadonlyMap<string, readonly CodeSymbol[]>>;
  /** The definitions that contain one of the given lines after their first line. Optionally all classes of the file. */
  definitionsAround(
    lines: ReadonlyMap<string, readonly number[]>,
    withClasses: boolean,
  ): Promise<ReadonlyMap<string, readonly CodeSymbol[]>>;
  /** The stems of all files, for `pathsByStem`. May include stems without paths. */
  stems(): Iterable<string>;
  /** Paths with this stem: the file name without extension, in lower case, without separators. */
  pathsByStem(stem: string): readonly string[];
  /** The inverse document frequency of a term from `termsOf`: 0 if every chunk has it, highest for `ABSENT_TERM`. */
  rarityOf(term: string): number;
  /** Whether any chunk passes the filter. For large lanes, whether any file and any name pass. */
  allowsAny(filter: Filter): Promise<boolean>;
}

/** The built-in model, in place of a model that is slow to embed an index. */
export interface SubstituteModel {
  readonly id: string;
  /** The vector of a chunk, in less than a tenth of a millisecond. */
  embed(chunk: Pick<StoredChunk, "path" | "text" | "symbols">): Float32Array;
}

/** The methods of lanes that the write path calls. */
export interface LaneWriter {
  /** The batch size for chunks and removed paths: small enough not to block searches, large enough to share a transaction. */
  readonly chunksAtOnce: number;
  /** Removes all chunks of these paths, then adds the given ones. */
  replace(paths: readonly string[], chunks: readonly StoredChunk[]): Promise<void>;
  setVectors(vectors: readonly ChunkVector[]): Promise<void>;
  /** Reserves space for this many more chunks in steps, because growing during an insert would copy everything at once. */
  makeRoom(chunks: number): Generator<void, void>;
  /** Frees the space of removed chunks, in steps of a few milliseconds. Stops if the lanes change meanwhile. */
  tidy(): Generator<void, void>;
  /** Refreshes statistics after a pass over the workspace. */
  refreshStatistics(): Promise<void>;
}

/** Lanes that are updated with each commit of their index. */
export interface LiveLanes extends Lanes, LaneWriter {
  /** The id of the substitute, while it answers because too many chunks lack a vector of the index's own model. */
  readonly substituteModel: string | undefined;
  /** Like `replace`, for rows that another engine has already written. */
  follow(paths: readonly string[], chunks: readonly StoredChunk[]): Promise<void>;
  /**
   * Serializes the lanes in steps of a few milliseconds. The result is invalid if the lanes change before it is stored.
   * Undefined for lanes in a database.
   */
  pack(): Generator<void, PackedArrays> | undefined;
  /** Creates empty lanes in memory with the same term weights, for the unsaved text of open buffers. */
  createOverlay(): LiveLanes;
}
