/** The interface between search/ and store/ for lanes in SQL: the stored ranking data of chunks, and its queries. */

import type { Candidate, ChunkFacts, LiveLanes } from "./lanes.ts";
import type { ByteSpan } from "./model.ts";
import type { StoredChunk } from "./stored-chunk.ts";

/** The version of the term counts. Rows of another version are rebuilt. Increment it when stems or terms change. */
export const TERMS_VERSION = "4";

/** A filter on rows. The type and the name must match the same definition. */
export interface RowFilter {
  readonly paths?: { readonly list: readonly string[]; readonly isExcluded: boolean };
  readonly symbolTypes?: readonly string[];
  readonly symbolNames?: readonly string[];
  /** The fraction of files that pass the filter. */
  readonly share: number;
}

export type ChunkPlace = Pick<StoredChunk, "path" | "span">;

/** The data that the keyword and symbol lanes rank a chunk by. */
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

/** The name of a definition in its searchable forms. */
interface NameRow {
  readonly name: string;
  readonly symbolType: string;
  /** The last segment in lower case. */
  readonly last: string;
  /** The whole name in lower case without separators. */
  readonly squashed: string;
  /** The words of the last segment. */
  readonly parts: readonly string[];
}

/** A query for candidate names. The caller grades them. */
export interface NameQuestion {
  readonly last: string;
  readonly squashed: string;
  readonly parts: readonly string[];
}

interface TermWeight {
  readonly term: number;
  readonly weight: number;
}

/** A nearest neighbor query by cosine. */
export interface NearestQuestion {
  readonly query: Float32Array;
  /** Orders the candidates in place of the query; scores stay cosines with the query. */
  readonly orderBy?: Float32Array | undefined;
  readonly filter: RowFilter | undefined;
  readonly limit: number;
  /** Compares with every vector. Otherwise the approximate index (HNSW) is used. */
  readonly isExact: boolean;
}

/**
 * A BM25 query. Among the chunks with one of the `needed` terms, returns those with the highest sum over `terms` of
 * weight x occurrences / (k + occurrences), where k = `perChunk` + `perWord` x length.
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
  readonly frequencies: Pick<ReadonlyMap<number, number>, "get" | "size">;
}

/**
 * The rows that lanes in SQL rank; implemented by store/ on a Postgres server. Candidates are sorted best first, with ties
 * by path and position. The database numbers chunks.
 */
export interface LaneRows {
  /** The same rows. When the signal aborts, the server ends the statements that run there. */
  until(signal: AbortSignal): LaneRows;
  /** Creates missing tables, and deletes the rows of deleted chunks. */
  open(): Promise<void>;
  /** Stored chunks without rows, or with rows of an outdated text, by path and position. Vectors are omitted. */
  chunksWithoutRows(limit: number, after?: ChunkPlace): Promise<readonly StoredChunk[]>;
  /** Replaces the rows of these paths, as far as their chunks are stored. Returns the number of deleted rows. */
  replace(paths: readonly string[], rows: readonly LaneRow[]): Promise<number>;
  /** Recounts all terms, which reads every row. */
  measure(): Promise<void>;
  /** Builds the HNSW index of the vectors if it is missing. May take minutes and does not block readers. */
  buildGraph(dimension: number): Promise<void>;
  /** Whether the tables are there, with the terms of this version. */
  areCurrent(): Promise<boolean>;
  statistics(): Promise<TermStatistics>;
  /** Language by path. */
  files(): Promise<Map<string, string>>;
  nearest(question: NearestQuestion): Promise<Candidate[]>;
  byTerms(question: TermQuestion): Promise<Candidate[]>;
  /** At most `limit` chunks that have all of the terms, in arbitrary order. */
  withTerms(
    terms: readonly number[],
    filter: RowFilter | undefined,
    limit: number,
  ): Promise<readonly number[]>;
  /** At most `limit` names of each kind: equal, equal without case and separators, with the prefix (shortest first), with the same words (fewest first). */
  names(wanted: NameQuestion, limit: number): Promise<readonly string[]>;
  /** All names, or those whose last segment has a length in this range. */
  allNames(length?: { readonly from: number; readonly to: number }): Promise<readonly string[]>;
  /** Chunks that define one of the names, with the name, sorted by path and position. */
  defining(
    names: readonly string[],
    filter: RowFilter | undefined,
  ): Promise<readonly { readonly chunk: number; readonly name: string }[]>;
  facts(chunks: readonly number[]): Promise<Map<number, Omit<ChunkFacts, "category">>>;
  chunksOf(paths: readonly string[]): Promise<readonly number[]>;
}

/** Lanes over rows that another program writes. */
export interface ReadLanes extends LiveLanes {
  /** The same lanes with these rows, for one search. */
  over(rows: LaneRows): LiveLanes;
  /** Gives all of them another generation, because a cached answer may lack something. */
  forgetAnswers(): void;
}
