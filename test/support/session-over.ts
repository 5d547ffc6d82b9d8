/** A session of the engine over stores and preparers of a test's own, with everything else as it is. */

import { silent } from "../../server/common/log.ts";
import { createBuiltinEmbedder, createLikeness } from "../../server/embedding/builtin.ts";
import { loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { createLineReader } from "../../server/engine/answers/hit-text.ts";
import { QueryModelsOf } from "../../server/engine/answers/query-models.ts";
import { createContextOf } from "../../server/engine/answers/search-context.ts";
import type { IndexDeps } from "../../server/engine/indexes/index-deps.ts";
import { IndexPool } from "../../server/engine/indexes/index-pool.ts";
import { EngineSession } from "../../server/engine/session.ts";
import { indexDeps } from "./index-deps.ts";
import { MemoryStore } from "./memory-store.ts";
import { noLocalModels } from "./no-local-models.ts";

/** `root` is the folder of the engine's own data. */
export function sessionOver(
  root: string,
  more: Pick<IndexDeps, "stores"> & Partial<IndexDeps>,
): { readonly session: EngineSession; readonly pool: IndexPool } {
  const deps = indexDeps({ root, store: new MemoryStore(), more });
  const { stores, preparers, throttle } = deps;
  const pool = new IndexPool(deps);
  const model = loadEmbeddingModel();
  const models = new QueryModelsOf(createLikeness(model), noLocalModels);
  const facts = {
    version: "1.0.0",
    startedAt: "",
    log: "",
    clients: () => 1,
    eventLoop: () => undefined,
    clientsOf: () => 1,
  };
  const session = new EngineSession({
    pool,
    preparers,
    stores,
    contextOf: createContextOf({
      log: silent,
      models,
      lines: createLineReader(),
      substitute: createBuiltinEmbedder(model),
    }),
    models,
    throttle,
    facts,
    log: silent,
    ended: () => undefined,
  });
  return { session, pool };
}
