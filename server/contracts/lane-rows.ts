/** The port between search/ and store/ for lanes in SQL: what is kept of each chunk to rank it, and how it is asked for. */

import type { Candidate, ChunkFacts } from "./lanes.ts";
import type { ByteSpan } from "./model.ts";
import type { StoredChunk } from "./stored-chunk.ts";

/** Of the form in which words are counted: rows of another version are made again. Raise it when stems or terms change. */
export const TERMS_VERSION = "4";

/** A filter where chunks are rows. One definition must have both the type and the name. */
export interface RowFilter {
  readonly paths?: { readonly list: readonly string[]; readonly isExcluded: boolean };
  readonly symbolTypes?: readonly string[];
  readonly symbolNames?: readonly string[];
  /** The share of all files that pass, 0 to 1. */
  readonly share: number;
}

/** What the keyword and symbol lanes rank a chunk by. */
export interface LaneRow {
  readonly path: string;
  readonly span: ByteSpan;
  /** In words. */
  readonly length: number;
  /** Terms as 32-bit numbers, with the occurrences of each in quarters, 1 to 255. */
  readonly terms: readonly number[];
  readonly counts: Uint8Array;
  readonly names: readonly NameRow[];
}

/** A definition's name in the forms in which it is looked for. */
interface NameRow {
  readonly name: string;
  readonly symbolType: string;
  /** The last segment in lower case. */
  readonly last: string;
  /** The whole in lower case without what only joins words. */
  readonly squashed: string;
  /** The words of the last segment. */
  readonly parts: readonly string[];
}

/** Asks for names that may match; the caller grades them. */
export interface NameQuestion {
  readonly last: string;
  readonly squashed: string;
  readonly parts: readonly string[];
}

interface TermWeight {
  readonly term: number;
  readonly weight: number;
}

/** Vectors near one, by cosine. */
export interface NearestQuestion {
  readonly query: Float32Array;
  readonly filter: RowFilter | undefined;
  readonly limit: number;
  /** Compares with every vector; otherwise the graph is walked, which may miss some. */
  readonly isExact: boolean;
}

/**
 * Of the chunks that have one of the `needed` terms, those with the highest sum over `terms` of
 * weight x occurrences / (room + occurrences), where room = `perChunk` + `perWord` x length.
 */
export interface TermQuestion {
  readonly terms: readonly TermWeight[];
  readonly needed: readonly number[];
  readonly perChunk: number;
  readonly perWord: number;
  readonly filter: RowFilter | undefined;
  readonly limit: number;
}

export interface TermStatistics {
  readonly chunks: number;
  /** In words. */
  readonly averageLength: number;
  /** The number of chunks that contain a term; terms of one chunk are omitted. */
  readonly frequencies: ReadonlyMap<number, number>;
}

/**
 * The rows from which lanes rank in SQL; implemented by store/ on a Postgres server.
 * Candidates come best first, ties by path and place. Chunks are numbered by the database.
 */
export interface LaneRows {
  /** Makes the tables where they are missing, and drops the rows of chunks that are gone. */
  open(): Promise<void>;
  /** Stored chunks that have no rows yet, or rows of an older text; without their vectors. */
  chunksWithoutRows(limit: number): Promise<readonly StoredChunk[]>;
  /** Takes out the rows of these paths and puts these in, as far as their chunks are stored; how many were taken out. */
  replace(paths: readonly string[], rows: readonly LaneRow[]): Promise<number>;
  /** Recounts all terms; reads every row. */
  measure(): Promise<void>;
  statistics(): Promise<TermStatistics>;
  /** Builds the graph by which near vectors are found, unless it exists. May take minutes; readers and writers are not blocked. */
  buildGraph(dimension: number): Promise<void>;
  /** Language by path. */
  files(): Promise<Map<string, string>>;
  nearest(question: NearestQuestion): Promise<Candidate[]>;
  byTerms(question: TermQuestion): Promise<Candidate[]>;
  /** At most `limit` chunks that have all of the terms, in no order that means anything. */
  withTerms(
    terms: readonly number[],
    filter: RowFilter | undefined,
    limit: number,
  ): Promise<readonly number[]>;
  /** At most `limit` names of each kind: the same, spelt alike, beginning alike (shortest first), of the same words (fewest first). */
  names(wanted: NameQuestion, limit: number): Promise<readonly string[]>;
  /** All names, or those whose last segment has a length in this range. */
  allNames(length?: { readonly from: number; readonly to: number }): Promise<readonly string[]>;
  /** Chunks that define one of the names, with the name; by path and place. */
  defining(
    names: readonly string[],
    filter: RowFilter | undefined,
  ): Promise<readonly { readonly chunk: number; readonly name: string }[]>;
  facts(chunks: readonly number[]): Promise<Map<number, Omit<ChunkFacts, "category">>>;
  chunksOf(paths: readonly string[]): Promise<readonly number[]>;
}
