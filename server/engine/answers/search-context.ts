/** Builds the context that the read path needs from the folders and indexes that a session searches. */

import type { Log } from "../../common/log.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import { changedSince } from "../../history/answers/changed-paths.ts";
import { LANGUAGE_IDS, resolveLanguage } from "../../languages/table.ts";
import { createQueryCache } from "../../search/cache.ts";
import type { SearchableIndex, SearchContext } from "../../search/context.ts";
import { mismatchOf } from "../../store/compatibility.ts";
import { explainPath } from "../indexes/index-explain.ts";
import type { OpenIndex } from "../indexes/open-index.ts";
import type { StoredIndex } from "../indexes/stored-indexes.ts";
import type { Buffers } from "./buffers.ts";
import { Folder } from "./folder.ts";
import { createLineReader, type EncodingOf } from "./hit-text.ts";
import type { QueryModelsOf } from "./query-models.ts";
import type { SearchTargets } from "./search-targets.ts";

export type ContextOf = (targets: SearchTargets) => SearchContext;

interface ContextDeps {
  readonly log: Log;
  readonly models: QueryModelsOf;
  readonly encodingOf: EncodingOf;
  /** Embeds queries for indexes that its vectors answer for. */
  readonly substitute: Embedder;
}

/** All contexts share one query cache and one line reader. */
export function createContextOf({ log, models, encodingOf, substitute }: ContextDeps): ContextOf {
  const cache = createQueryCache();
  const lines = createLineReader(encodingOf);

  return ({ indexes, settings, buffers }) => {
    const userLanguages = settings["languages.grammars"].map(({ language }) => language);
    return {
      log,
      resolveLanguage: (name) =>
        resolveLanguage(name) ?? userLanguages.find((language) => language === name),
      languageIds: [...LANGUAGE_IDS, ...userLanguages],
      defaultLimit: settings["search.limit"],
      defaultMinScore: settings["search.minScore"],
      indexes: indexes.map((index) => toSearchable(index, buffers, substitute)),
      cache,
      readLines: (root, path, range) => lines.read(root, path, range, (file) => buffers.text(file)),
      ...models.get(settings),
    };
  };
}

function toSearchable(
  target: Folder | StoredIndex,
  buffers: Buffers,
  substitute: Embedder,
): SearchableIndex {
  if (!(target instanceof Folder)) {
    const { name, root, lanes } = target;
    return { name, root, ...modelOf(target, substitute), lanes: () => Promise.resolve(lanes) };
  }
  const { root, index, part } = target;
  return {
    name: index.name ?? index.root,
    root,
    ...modelOf(index, substitute),
    lanes: () => target.lanes(buffers),
    why: (path) => explainPath(index, part === undefined ? path : `${part}/${path}`),
    changedSince: (since, signal) => changedSince(target, since, signal),
  };
}

/** Stored vectors of another model cannot be compared with a query vector, so the index gets no embedder. */
function modelOf(
  index: OpenIndex | StoredIndex,
  substitute: Embedder,
): Pick<SearchableIndex, "embedder" | "mismatch" | "isSubstitute"> {
  const mismatch = mismatchOf(index.compatibility);
  if (mismatch !== undefined) return { embedder: undefined, mismatch };
  if (index.lanes?.substituteModel === undefined) return { embedder: index.embedder };
  const failure = "state" in index && index.state === "degraded" ? index.reason : undefined;
  const why = failure === undefined ? {} : { mismatch: failure };
  return { embedder: substitute, isSubstitute: true, ...why };
}
