/** The limit of unused open indexes: the pool over stores in memory. */

import { expect, it } from "vitest";
import { DEFAULTS } from "../../server/config/settings.ts";
import { IndexPool } from "../../server/engine/indexes/index-pool.ts";
import type { OpenIndex } from "../../server/engine/indexes/open-index.ts";
import { indexDeps } from "../support/index-deps.ts";
import { MemoryStore } from "../support/memory-store.ts";
import { workspace } from "../support/workspace.ts";

it("The pool keeps three unused indexes and closes the least recently released", async () => {
  const store = new MemoryStore();
  const pool = new IndexPool(indexDeps({ root: workspace(), store }));
  const user = {};
  const roots = Array.from({ length: 5 }, () => workspace("//- a.txt\nalpha\n"));
  const opened: OpenIndex[] = [];
  for (const root of roots) {
    const index = await pool.acquire(root, DEFAULTS, user);
    await index.workspace.whenIdle();
    opened.push(index);
  }
  for (const index of opened) await pool.release(index, user);
  const again = [];
  for (const root of roots.toReversed()) again.push(await pool.acquire(root, DEFAULTS, user));
  const isKept = again.toReversed().map((index, i) => index === opened[i]);
  expect(isKept).toEqual([false, false, true, true, true]);
  await pool.close();
});
