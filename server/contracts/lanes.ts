/** What search/ asks the lanes of one index, in memory or in SQL. */

import type { PackedArrays } from "../common/packed/packed-arrays.ts";
import type { YieldToForeground } from "../common/slices.ts";
import type { ByteSpan, Category, CodeSymbol, Lines } from "./model.ts";
import type { ChunkVector, StoredChunk } from "./stored-chunk.ts";

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

/** A term that no chunk has. */
export const ABSENT_TERM = "\u0000";

/**
 * The lanes of one index. Two implementations: in memory, and in SQL for an index that does not fit.
 * Each lane returns at most `limit` candidates, best first, ties by path and place, all of which pass the filter. Where it
 * takes long in memory, `pause` is awaited between two steps, and ends it by rejecting.
 */
export interface Lanes {
  readonly size: number;
  /** How many are asked together: on the engine's own thread one, as the first steps of several would keep it in one go. */
  readonly questionsAtOnce: number;
  /** Names a state: it changes with every change and never returns, so that an answer of one state can be told from the next. */
  readonly generation: string;
  vector(
    query: Float32Array,
    filter: Filter | undefined,
    limit: number,
    pause?: YieldToForeground,
  ): Promise<Candidate[]>;
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
    pause?: YieldToForeground,
  ): Promise<Candidate[]>;
  symbol(
    name: string,
    filter: Filter | undefined,
    limit: number,
    pause?: YieldToForeground,
  ): Promise<Candidate[]>;
  /**
   * Chunks that have all of the terms, for each list of terms: at most `limit` of them, in no order that means anything.
   * Terms as `termsInText` makes them; an empty list finds nothing.
   */
  containing(
    termLists: readonly (readonly string[])[],
    filter: Filter | undefined,
    limit: number,
    pause?: YieldToForeground,
  ): Promise<readonly (readonly number[])[]>;
  /**
   * Chunks that define something whose last segment is this name, letter case and separators apart, by path and place; for
   * each of the names that is defined at all.
   */
  definitionsOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>;
  /** Without the chunks that were removed since they were found. */
  facts(chunks: readonly number[]): Promise<ReadonlyMap<number, ChunkFacts>>;
  /** All chunks of these files, in source order. */
  chunksOf(paths: readonly string[]): Promise<readonly number[]>;
  /** The definitions of each of these files, in source order, each once; a file without any may be missing. */
  definitionsIn(paths: readonly string[]): Promise<ReadonlyMap<string, readonly CodeSymbol[]>>;
  /** Of these, those in which one of the given lines of the file is, behind their first; with all classes where wanted. */
  definitionsAround(
    lines: ReadonlyMap<string, readonly number[]>,
    withClasses: boolean,
  ): Promise<ReadonlyMap<string, readonly CodeSymbol[]>>;
  /** Stems as `pathsByStem` takes them, of every file and perhaps of others, which have no paths here. */
  stems(): Iterable<string>;
  /** Paths whose stem (file name without extension), in lower case without separators, is this one. */
  pathsByStem(stem: string): readonly string[];
  /** Rarity of a term from `termsOf`: 0 if every chunk has it, highest if none has it (`ABSENT_TERM`). */
  rarityOf(term: string): number;
  /** Whether any chunk passes; where lanes are large, whether any file and any name do. */
  allowsAny(filter: Filter): Promise<boolean>;
}

/** Lanes that follow the commits of their index. */
export interface LiveLanes extends Lanes {
  /** How many chunks, or removed paths, one call takes: more would block searches; fewer cost a transaction each in a database. */
  readonly chunksAtOnce: number;
  /** Removes all chunks of these paths, then adds the given ones. */
  replace(paths: readonly string[], chunks: readonly StoredChunk[]): Promise<void>;
  setVectors(vectors: readonly ChunkVector[]): Promise<void>;
  /** Takes over what another engine has written: like `replace`, where the rows are there already. */
  follow(paths: readonly string[], chunks: readonly StoredChunk[]): Promise<void>;
  /** Makes room for this many chunks more, in steps: to add one to lanes that are full would copy all of them at once. */
  makeRoom(chunks: number): Generator<void, void>;
  /** Drops what changes have left behind, in steps of a few milliseconds; given up where something changes meanwhile. */
  tidy(): Generator<void, void>;
  /** After a pass over the workspace: brings up to date what may lag behind single changes. */
  refreshStatistics(): Promise<void>;
  /**
   * All of the lanes, to be stored as they are, in steps of a few milliseconds: of no use where something changes before
   * it is stored. Undefined where they are rows of a database.
   */
  pack(): Generator<void, PackedArrays> | undefined;
  /** Empty lanes in memory that weigh words as these do, for unsaved text. */
  createOverlay(): LiveLanes;
}
