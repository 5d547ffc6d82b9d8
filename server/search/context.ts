/** The dependencies of a search; the composition root builds them per session. */

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
  /** Whether `embedder` is the substitute, because too few chunks have a vector of the index's own model. */
  readonly isSubstitute?: boolean | undefined;
  /** A message for the user: why the index has no embedder or stays with the substitute, and what to do. */
  readonly mismatch?: string;
  /** Only these files are ranked; undefined for all. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Opens the lanes. If it rejects, the search skips this index and names it in `warnings`. */
  lanes(): Promise<Lanes>;
  /** Why a file is excluded; undefined for an index that this process does not update. */
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

/** An index whose lanes are open. */
export interface OpenLanes {
  readonly index: SearchableIndex;
  readonly lanes: Lanes;
  /** Only these files are searched; undefined for all. */
  readonly only?: ReadonlySet<string> | undefined;
}

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
  /** All language ids, for the message about an unknown one. */
  readonly languageIds: readonly string[];
  /** Defaults for parameters that a request omits. */
  readonly defaultLimit: number;
  readonly defaultMinScore: number;
  /** Minimum number of hits to return, including hits beyond the limit; 0 by default. */
  readonly keep?: number | undefined;
}
