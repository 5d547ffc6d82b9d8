/** Publishes the commit that is checked out: runs the write path over the published index, in one transaction. */

import { Unavailable } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { LiveGraph } from "../../contracts/graph.ts";
import type { LocalModels } from "../../contracts/local-models.ts";
import type { PublishReport, TeamWatcher } from "../../contracts/published.ts";
import type { Settings } from "../../contracts/settings.ts";
import type { FileCommit, IndexStore } from "../../contracts/store.ts";
import { createEmbedder } from "../../embedding/create.ts";
import type { EmbeddingModel } from "../../embedding/embedding-model.ts";
import { embedPending } from "../../indexing/embed-pending.ts";
import type { IgnoreRules } from "../../indexing/ignore/ignore-rules.ts";
import { type IndexingContext, indexAll, type Throttle } from "../../indexing/indexer.ts";
import { StoredFiles } from "../../indexing/stored-files.ts";
import type { Publisher } from "../../store/publisher.ts";
import { chunkingOf } from "../indexes/chunking.ts";
import { currentKeys } from "../indexes/index-fingerprint.ts";
import type { Preparers } from "../threads/worker-pool.ts";
import { checkAgain, readCheckout } from "./checkout.ts";
import { openPublishedLanes } from "./published-lanes.ts";

interface PublishDeps {
  readonly publisher: Publisher;
  readonly preparers: Preparers;
  readonly model: EmbeddingModel;
  readonly localModels: LocalModels;
  readonly log: Log;
  /** Distinguishes builds of this program. */
  readonly build: string;
  /** The parent folder of private git directories. */
  readonly folder: string;
  /** The chunks of the largest index whose lanes are published as a file; a test has a smaller one. */
  readonly mostInMemory?: number | undefined;
}

interface PublishSource {
  readonly root: string;
  readonly branch: string | undefined;
  readonly settings: Settings;
  readonly rules: IgnoreRules;
}

/** This process has no users that search or type. */
const UNTHROTTLED: Throttle = {
  yieldToForeground: async () => {},
  isAsking: false,
  yieldToSearches: async () => {},
};

/** Clients resolve the edges from the published facts. */
const NO_GRAPH: LiveGraph = { beforeChange: async () => {}, replace: () => {} };

type Written = Pick<PublishReport, "indexed" | "removed" | "unchanged">;

export async function publish(
  source: PublishSource,
  deps: PublishDeps,
  watcher: TeamWatcher,
): Promise<PublishReport> {
  const { signal } = watcher;
  const { root, branch, settings, rules } = source;
  const { repository } = settings;
  const request = { root, branch, repository, rules, folder: deps.folder, signal };
  const checkout = await readCheckout(request);
  const embedder = createEmbedder(settings, deps);
  const waiting = () => watcher.note("another publish of this index runs; waiting for it to end");
  const keys = currentKeys(settings, embedder);
  let written: Written | undefined;
  const published = await deps.publisher.publish(
    { key: checkout.key, keys, signal, waiting },
    async ({ store, before, packed, embeddings }) => {
      if (before?.commit === checkout.commit) return undefined;
      const { mostInMemory } = deps;
      const opening = { store, chunks: before?.chunks ?? 0, packed, settings, mostInMemory };
      const lanes = await openPublishedLanes(opening, deps);
      const target = { ...(await targetOf(source, store, deps)), ...workOf(watcher) };
      const context = { ...target, lanes, cache: embeddings, embedder };
      const { changed, removed } = await indexAll(context, signal);
      await embedPending(context, signal);
      await lanes.writeRows();
      await checkAgain(request, checkout);
      const { files, chunks } = await store.counts();
      written = { indexed: changed, removed, unchanged: files - changed };
      return { commit: checkout.commit, files, chunks, pack: () => lanes.pack() };
    },
  );
  return written === undefined
    ? { published, isChanged: false, indexed: 0, removed: 0, unchanged: published.files }
    : { published, isChanged: true, ...written };
}

/** The target of the pass. Times and inodes of this work tree are neither used nor stored. */
async function targetOf(
  { root, rules, settings }: PublishSource,
  store: IndexStore,
  { preparers, log }: PublishDeps,
) {
  const [hashes, encodings] = [await store.hashes(), await store.encodings()];
  return {
    root,
    rules,
    chunking: chunkingOf(settings),
    embeddingHeld: undefined,
    exclusionRules: "",
    store: withoutFingerprints(store),
    graph: NO_GRAPH,
    files: new StoredFiles(hashes, undefined, undefined, undefined, encodings),
    excluded: new Map(),
    preparer: preparers.background,
    throttle: UNTHROTTLED,
    log,
  };
}

/** An unchanged file has no row written, although its fingerprint is another in each clone. */
function withoutFingerprints(store: IndexStore): IndexStore {
  return {
    ...store,
    setStatFingerprints: async () => {},
    setExclusions: async () => {},
    commit: async (files, removed) => await store.commit(files.map(withoutFingerprint), removed),
  };
}

function withoutFingerprint(commit: FileCommit): FileCommit {
  const { statFingerprint: _, ...file } = commit.file;
  return { ...commit, file };
}

/** Every file is to be read: one that cannot be read would keep the content of another commit. */
function workOf(watcher: TeamWatcher): Pick<IndexingContext, "workspace"> {
  return {
    workspace: {
      hasWork: false,
      whilePaused: async () => {},
      report: (event) => {
        if (event.kind === "progress") watcher.progress(event.read, event.total);
        else if (event.kind === "embedding") watcher.embedding(event.pending);
        else if (event.kind === "unreadable") {
          throw new Unavailable(`${event.path} cannot be read`, "make it readable, or exclude it");
        }
      },
    },
  };
}
