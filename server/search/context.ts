/** What a search needs from outside; the composition root puts it together for each session. */

import type { Log } from "../common/log.ts";
import type { Embedder } from "../contracts/embedding.ts";
import type { Lanes } from "../contracts/lanes.ts";
import type { ResolveLanguage } from "../contracts/languages.ts";
import type { Lines } from "../contracts/model.ts";
import type { Reranker, Rewriter } from "../contracts/query-models.ts";
import type { QueryCache } from "./cache.ts";
import type { Ranking } from "./ranking.ts";

/** One index as a search sees it. */
export interface SearchableIndex {
  readonly name: string;
  readonly root: string;
  /** Makes vectors of the kind that the index holds; undefined when no such model is configured. */
  readonly embedder: Embedder | undefined;
  /** A message for the user: why the index has no embedder, and what to do. Undefined if the index has an embedder. */
  readonly mismatch?: string;
  /** Opens the lanes. When it rejects, this index is named in `warnings` and left out. */
  lanes(): Promise<Lanes>;
  /** Why a file is not in it; undefined for an index that is not kept up to date here. */
  why?(path: string): Promise<string>;
  /** The files changed since a revision or a time; undefined if every file changed. */
  changedSince?(since: string, signal?: AbortSignal): Promise<ReadonlySet<string> | undefined>;
}

/** Lines of a file as a reader would see them now (an open buffer before the disk); undefined when the file is gone. */
export type ReadLines = (
  root: string,
  path: string,
  lines: Lines,
) => Promise<readonly string[] | undefined>;

export interface SearchContext {
  /** The indexes to search, the session's own first. */
  readonly indexes: readonly SearchableIndex[];
  readonly cache: QueryCache<Ranking>;
  readonly log: Log;
  readonly readLines: ReadLines;
  /** Optional models run by the user; undefined if not configured. */
  readonly reranker?: Reranker | undefined;
  readonly rewriter?: Rewriter | undefined;
  readonly resolveLanguage: ResolveLanguage;
  /** All languages, for the message about one that is not known. */
  readonly languageIds: readonly string[];
  /** Settings that hold where a request says nothing. */
  readonly defaultLimit: number;
  readonly defaultMinScore: number;
  /** How many hits are returned at least, those beyond the limit in their order behind it; by default none. */
  readonly keep?: number | undefined;
}
