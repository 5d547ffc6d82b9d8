/** A commit that changes no file of the index only updates the indexed commit. */

import { expect, it, onTestFinished } from "vitest";
import { DEFAULTS } from "../../server/config/settings.ts";
import { OpenIndex } from "../../server/engine/indexes/open-index.ts";
import { eventually } from "../support/eventually.ts";
import { commitAll, git, initRepository } from "../support/git.ts";
import { indexDeps } from "../support/index-deps.ts";
import { MemoryStore } from "../support/memory-store.ts";
import { workspace } from "../support/workspace.ts";

it("The indexed commit follows HEAD", async () => {
  const root = workspace("//- a.txt\nalpha\n");
  initRepository(root);
  const first = commitAll(root, "Begin");
  const store = new MemoryStore();
  const index = new OpenIndex(root, DEFAULTS, indexDeps({ root, store }), () => undefined);
  onTestFinished(() => index.close());
  await index.workspace.whenIdle();
  expect((await store.record()).commit).toBe(first);
  await eventually(async () => {
    // Several commits, because the folder may not be watched yet.
    git(root, "commit", "-q", "--allow-empty", "-m", "Change nothing");
    expect((await store.record()).commit).not.toBe(first);
  });
});
