/** The dependencies of an open index, over a store in memory and without threads. */

import { join } from "node:path";
import { silent } from "../../server/common/log.ts";
import { inSlices } from "../../server/common/slices.ts";
import { createSubstitute } from "../../server/embedding/builtin.ts";
import { loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";
import type { IndexDeps } from "../../server/engine/indexes/index-deps.ts";
import { LanesFiles } from "../../server/engine/indexes/lanes-files.ts";
import { StateFiles } from "../../server/engine/indexes/state-files.ts";
import { Teams } from "../../server/engine/indexes/teams.ts";
import { IndexingThrottle } from "../../server/engine/threads/indexing-throttle.ts";
import { categorizer } from "../../server/languages/categories.ts";
import { createMemoryLanes, unpackMemoryLanes } from "../../server/search/lanes/memory-lanes.ts";
import { fakePreparer, noScanner } from "./fake-preparer.ts";
import { databaseOf, type MemoryStore } from "./memory-store.ts";
import { noLocalModels } from "./no-local-models.ts";

const model = loadEmbeddingModel();
const substitute = createSubstitute(model);

interface Options {
  /** The root of the workspace; the engine's own data is in it. */
  readonly root: string;
  readonly store: MemoryStore;
  readonly before?: ((path: string) => void | Promise<void>) | undefined;
  readonly notify?: (notice: string) => void;
  readonly more?: Partial<IndexDeps> | undefined;
}

export function indexDeps({
  root,
  store,
  before,
  notify = () => undefined,
  more = {},
}: Options): IndexDeps {
  const preparer = fakePreparer(before);
  const files = { data: join(root, ".engine", "data"), build: "1", log: silent };
  return {
    log: silent,
    stores: {
      get: async () => databaseOf(store),
      suspend: async () => undefined,
      close: async () => undefined,
    },
    teams: new Teams(silent),
    data: join(root, ".engine"),
    preparers: {
      background: preparer,
      interactive: preparer,
      commits: { readCommits: async () => [] },
      scanner: noScanner,
      restBackground: async () => undefined,
      rest: async () => undefined,
      close: async () => undefined,
    },
    model,
    localModels: noLocalModels,
    throttle: new IndexingThrottle(),
    build: "1",
    lanesFiles: new LanesFiles({
      ...files,
      kind: "lanes",
      unpack: (arrays) => inSlices(unpackMemoryLanes({ categorizer }, arrays)),
    }),
    publishedFiles: new LanesFiles({
      ...files,
      kind: "published",
      unpack: (arrays) => inSlices(unpackMemoryLanes({ categorizer }, arrays)),
    }),
    edgesFiles: new StateFiles({ ...files, kind: "edges", unpack: (arrays) => arrays }),
    createLanes: (options) =>
      createMemoryLanes({ categorizer, substitute: options?.substitute ? substitute : undefined }),
    openSqlLanes: () => Promise.reject(new Error("not here")),
    readSqlLanes: () => Promise.reject(new Error("not here")),
    notify,
    settingsTouched: () => undefined,
    isIndexing: () => false,
    isOpen: () => false,
    committedAt: () => undefined,
    ...more,
  };
}
