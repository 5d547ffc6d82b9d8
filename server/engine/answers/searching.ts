/** Joins the read path with the indexes that a session searches. */

import type { Log } from "../../common/log.ts";
import type { Settings } from "../../config/settings.ts";
import { packContext } from "../../context/context.ts";
import type { ContextParts, ContextRequest } from "../../contracts/context-request.ts";
import type { Hit } from "../../contracts/model.ts";
import type { Analysis, SearchAnswer, SearchRequest } from "../../contracts/session.ts";
import type { SimilarRequest } from "../../contracts/similar-request.ts";
import { LANGUAGE_IDS, resolveLanguage } from "../../languages/table.ts";
import { createQueryCache } from "../../search/cache.ts";
import type { SearchableIndex, SearchContext } from "../../search/context.ts";
import { analyze, search } from "../../search/search.ts";
import { findSimilar, type SimilarParts } from "../../search/similar.ts";
import { searchSymbols } from "../../search/symbols.ts";
import { mismatchOf } from "../../store/compatibility.ts";
import { explainPath } from "../indexes/index-explain.ts";
import type { OpenIndex } from "../indexes/open-index.ts";
import type { StoredIndex } from "../indexes/stored-indexes.ts";
import type { Buffers } from "./buffers.ts";
import { changedSince } from "./changed-since.ts";
import { contextSources } from "./context-sources.ts";
import { Folder } from "./folder.ts";
import { createLineReader, type EncodingOf } from "./hit-text.ts";
import type { QueryModelsOf } from "./query-models.ts";
import type { SearchTargets } from "./search-targets.ts";

type Progress = "state" | "indexed" | "total";

/** The read path over a session's targets; how far they are indexed is for the session to say. */
export interface Searching {
  search(
    targets: SearchTargets,
    request: SearchRequest,
    signal?: AbortSignal,
  ): Promise<Omit<SearchAnswer, Progress>>;
  analyze(
    targets: SearchTargets,
    request: SearchRequest,
    signal?: AbortSignal,
  ): Promise<Omit<Analysis, Progress>>;
  similar(
    targets: SearchTargets,
    request: SimilarRequest,
    signal?: AbortSignal,
  ): Promise<SimilarParts>;
  context(
    targets: SearchTargets,
    request: ContextRequest,
    signal?: AbortSignal,
  ): Promise<ContextParts>;
  symbols(
    targets: SearchTargets,
    query: string,
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly Hit[]>;
}

export function createSearching(
  log: Log,
  models: QueryModelsOf,
  encodingOf: EncodingOf,
): Searching {
  const cache = createQueryCache();
  const lines = createLineReader(encodingOf);

  const contextOf = ({ indexes, settings, buffers }: SearchTargets): SearchContext => ({
    ...contextFor(settings, log),
    indexes: indexes.map((index) => searchable(index, buffers)),
    cache,
    readLines: (root, path, range) => lines.read(root, path, range, (file) => buffers.text(file)),
    ...models.get(settings),
  });

  return {
    search: (targets, request, signal) => search(contextOf(targets), request, signal),
    analyze: (targets, request, signal) => analyze(contextOf(targets), request, signal),
    similar: (targets, request, signal) => findSimilar(contextOf(targets), request, signal),
    context: (targets, request, signal) =>
      packContext(contextSources(contextOf(targets), targets, signal), request, signal),
    symbols: (targets, query, limit, signal) =>
      searchSymbols(contextOf(targets), query, limit, signal),
  };
}

/** What depends on the settings alone. */
function contextFor(settings: Settings, log: Log) {
  const own = ownLanguages(settings);
  return {
    log,
    resolveLanguage: (name: string) => resolveLanguage(name) ?? own.find((each) => each === name),
    languageIds: [...LANGUAGE_IDS, ...own],
    defaultLimit: settings["search.limit"],
    defaultMinScore: settings["search.minScore"],
  };
}

/** Languages that the user's grammars add. */
function ownLanguages(settings: Settings): string[] {
  return settings["languages.grammars"].map(({ language }) => language);
}

function searchable(target: Folder | StoredIndex, buffers: Buffers): SearchableIndex {
  if (!(target instanceof Folder)) {
    const { name, root, lanes } = target;
    return { name, root, ...modelOf(target), lanes: () => Promise.resolve(lanes) };
  }
  const { root, index, part } = target;
  return {
    name: index.name ?? index.root,
    root,
    ...modelOf(index),
    lanes: () => target.lanes(buffers),
    why: (path) => explainPath(index, part === undefined ? path : `${part}/${path}`),
    changedSince: (since, signal) => changedSince(target, since, signal),
  };
}

/** Vectors of another model say nothing about a question's. */
function modelOf({
  embedder,
  compatibility,
}: OpenIndex | StoredIndex): Pick<SearchableIndex, "embedder" | "mismatch"> {
  const mismatch = mismatchOf(compatibility);
  return mismatch === undefined ? { embedder } : { embedder: undefined, mismatch };
}
