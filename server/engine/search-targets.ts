/** Joins the read path with the indexes of a session. */

import type { Log } from "../common/log.ts";
import type { Settings } from "../config/settings.ts";
import type { Hit } from "../contracts/model.ts";
import type { Analysis, SearchAnswer, SearchRequest } from "../contracts/session.ts";
import { LANGUAGE_IDS, resolveLanguage } from "../languages/table.ts";
import { createQueryCache } from "../search/cache.ts";
import type { SearchableIndex, SearchContext } from "../search/context.ts";
import { analyze, search } from "../search/search.ts";
import { searchSymbols } from "../search/symbols.ts";
import type { Buffers } from "./buffers.ts";
import { createLineReader } from "./hit-text.ts";
import { OpenFolder } from "./open-folder.ts";
import type { QueryModelsOf } from "./query-models.ts";
import type { StoredIndex } from "./stored-indexes.ts";

/** What a session searches. */
export interface Targets {
  readonly indexes: (OpenFolder | StoredIndex)[];
  readonly settings: Settings;
  /** What the client has open and not saved. */
  readonly buffers: Buffers;
}

type Progress = "state" | "indexed" | "total";

/** The read path over a session's targets; how far they are indexed is for the session to say. */
export interface Searching {
  search(
    targets: Targets,
    request: SearchRequest,
    signal?: AbortSignal,
  ): Promise<Omit<SearchAnswer, Progress>>;
  analyze(
    targets: Targets,
    request: SearchRequest,
    signal?: AbortSignal,
  ): Promise<Omit<Analysis, Progress>>;
  symbols(
    targets: Targets,
    query: string,
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly Hit[]>;
}

export function createSearching(log: Log, models: QueryModelsOf): Searching {
  const cache = createQueryCache();
  const lines = createLineReader();

  const contextOf = ({ indexes, settings, buffers }: Targets): SearchContext => ({
    indexes: indexes.map((index) => searchable(index, buffers)),
    cache,
    log,
    readLines: (root, path, range) => lines.read(root, path, range, (file) => buffers.text(file)),
    resolveLanguage: (name) =>
      resolveLanguage(name) ?? ownLanguages(settings).find((own) => own === name),
    ...models.get(settings),
    languageIds: [...LANGUAGE_IDS, ...ownLanguages(settings)],
    defaultLimit: settings["search.limit"],
    defaultMinScore: settings["search.minScore"],
  });

  return {
    search: (targets, request, signal) => search(contextOf(targets), request, signal),
    analyze: (targets, request, signal) => analyze(contextOf(targets), request, signal),
    symbols: (targets, query, limit, signal) =>
      searchSymbols(contextOf(targets), query, limit, signal),
  };
}

/** Languages that the user's grammars add. */
function ownLanguages(settings: Settings): string[] {
  return settings["languages.grammars"].map(({ language }) => language);
}

function searchable(target: OpenFolder | StoredIndex, buffers: Buffers): SearchableIndex {
  if (!(target instanceof OpenFolder)) {
    const { name, root, lanes, embedder, sameModel } = target;
    return {
      name,
      root,
      embedder: sameModel ? embedder : undefined,
      lanes: () => Promise.resolve(lanes),
    };
  }
  const { root, index } = target;
  const isUsable = index.compatibility.kind === "usable";
  return {
    name: index.name ?? index.root,
    root,
    embedder: isUsable ? index.embedder : undefined,
    lanes: () => target.lanes(buffers),
  };
}
