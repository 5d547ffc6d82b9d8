/** What questions about the past are answered from while an index opens. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { silent } from "../../server/common/log.ts";
import { merge } from "../../server/config/settings.ts";
import type { IndexStore } from "../../server/contracts/store.ts";
import type { IndexDeps } from "../../server/engine/index-deps.ts";
import { createIndexHistory } from "../../server/engine/index-history.ts";
import { packEntry } from "../../server/history/lane-entry.ts";
import { createEmbedder } from "../search/support.ts";
import { createMemoryHistory } from "../support/memory-history.ts";
import { workspace } from "../support/workspace.ts";

it("reads the stored commits once the database is open, though a question came before", async () => {
  const history = createMemoryHistory();
  const none = { terms: new Int32Array(), counts: new Uint8Array(), length: 0 };
  const texts = { subject: none, body: none, added: none, removed: none, symbols: none };
  const row = { sha: "a", time: 1, author: "Ada", subject: "", body: "", files: [], hunks: [] };
  await history.commit([{ ...row, lanes: packEntry({ texts }) }], []);
  const root = workspace();
  const index: { store: IndexStore | undefined } & Omit<
    Parameters<typeof createIndexHistory>[0],
    "store"
  > = {
    root,
    settings: merge({}),
    embedder: createEmbedder(),
    workspace: { state: "ready" },
    store: undefined,
  };
  const deps = { log: silent, data: join(root, "postgres"), preparers: {} } as IndexDeps;
  const { commits } = createIndexHistory(index, deps);
  expect((await commits()).size).toBe(0);
  index.store = { history } as unknown as IndexStore;
  expect((await commits()).size).toBe(1);
});
