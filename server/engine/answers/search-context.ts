/** Builds the context that the read path needs from the folders and indexes that a session searches. */

import { messageOf } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import { orAborted } from "../../common/or-aborted.ts";
import { withTimeLimit } from "../../common/time-limit.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { Lines } from "../../contracts/model.ts";
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
import type { LineReader } from "./hit-text.ts";
import { publishedByRoot } from "./published-places.ts";
import { createPublishedReader, type PublishedReader } from "./published-text.ts";
import type { QueryModelsOf } from "./query-models.ts";
import type { SearchTargets } from "./search-targets.ts";

/** A published index that takes longer is left out of an answer, because the opened folders must not wait for a slow network. */
const PUBLISHED_MS = 1_000;

export type ContextOf = (targets: SearchTargets) => SearchContext;

export interface ContextDeps {
  readonly log: Log;
  readonly models: Pick<QueryModelsOf, "get">;
  readonly lines: LineReader;
  /** Embeds queries for indexes that its vectors answer for. */
  readonly substitute: Embedder;
}

/** All contexts share one query cache. */
export function createContextOf({ log, models, lines, substitute }: ContextDeps): ContextOf {
  const cache = createQueryCache();
  const published = createPublishedReader();

  return ({ indexes, only, failures, replaced, settings, buffers }) => {
    const readPublished = publishedReader(published, { indexes, failures, replaced });
    const userLanguages = settings["languages.grammars"].map(({ language }) => language);
    return {
      log,
      resolveLanguage: (name) =>
        resolveLanguage(name) ?? userLanguages.find((language) => language === name),
      languageIds: [...LANGUAGE_IDS, ...userLanguages],
      defaultLimit: settings["search.limit"],
      defaultMinScore: settings["search.minScore"],
      indexes: indexes.map((index) => {
        const files = index instanceof Folder ? undefined : only.get(index);
        return toSearchable(index, buffers, substitute, files);
      }),
      cache,
      readLines: (root, path, range) =>
        readPublished(root, path, range) ??
        lines.read(root, path, range, (file) => buffers.text(file)),
      ...models.get(settings),
    };
  };
}

/** Reads the files of published indexes, until a database fails. Undefined for a file of another root. */
function publishedReader(
  reader: PublishedReader,
  { indexes, failures, replaced }: Pick<SearchTargets, "indexes" | "failures" | "replaced">,
) {
  const byRoot = publishedByRoot(indexes);
  return (root: string, path: string, lines: Lines) => {
    const published = byRoot.get(root);
    if (published === undefined) return undefined;
    const { index, texts } = published;
    const state = `${root} ${index.index} ${index.publishedAt}`;
    const read = async () => {
      const found = await reader.read(state, path, lines, () => texts(path));
      if (found === undefined) replaced.add(`${root}/${path}`);
      return found;
    };
    if (failures.has(root)) return Promise.resolve(undefined);
    return withTimeLimit(PUBLISHED_MS, [], (limit) => orAborted(read(), limit)).catch(
      (error: unknown) => {
        failures.set(root, messageOf(error));
        return undefined;
      },
    );
  };
}

function toSearchable(
  target: Folder | StoredIndex,
  buffers: Buffers,
  substitute: Embedder,
  only: ReadonlySet<string> | undefined,
): SearchableIndex {
  if (!(target instanceof Folder)) {
    const { name, root, lanes } = target;
    const ranked = { lanes: () => Promise.resolve(lanes), only };
    return { name, root, ...ranked, ...modelOf(target, substitute) };
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
