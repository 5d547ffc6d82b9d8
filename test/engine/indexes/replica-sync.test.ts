/** Following an index that another engine writes, over a store in memory. */

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { silent } from "../../../server/common/log.ts";
import type { PreparedFile } from "../../../server/contracts/model.ts";
import { pendingPaths, ReplicaSync } from "../../../server/engine/indexes/replica-sync.ts";
import { IndexGraph } from "../../../server/graph/live-graph.ts";
import { StoredFiles } from "../../../server/indexing/stored-files.ts";
import { categorizer } from "../../../server/languages/categories.ts";
import { countFileTerms } from "../../../server/search/lanes/count-file-terms.ts";
import { createMemoryLanes } from "../../../server/search/lanes/memory-lanes.ts";
import { MemoryStore } from "../../support/memory-store.ts";

const POLL_MS = 1_000;
const VECTOR = new Float32Array([1, 0]);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function fileOf(path: string, text: string): PreparedFile {
  const lines = { start: 0, end: 0 };
  const span = { start: 0, end: text.length };
  const chunk = { span, lines, context: lines, text, symbols: [] };
  const parse = { status: "ok" } as const;
  const about = { path, sha256: text, size: 1, mtimeMs: 0, languageId: "text", parse, secrets: 0 };
  const terms = countFileTerms(path, [chunk]);
  return { ...about, category: "implementation", chunks: [chunk], terms };
}

/** Commits and removes files as another engine would. */
async function commit(
  store: MemoryStore,
  files: Readonly<Record<string, string>>,
  { removed = [], vector }: { removed?: string[]; vector?: Float32Array } = {},
): Promise<void> {
  const prepared = Object.entries(files).map(([path, text]) => fileOf(path, text));
  const commits = prepared.map((file) => ({ file, chunks: file.chunks, vectors: [vector] }));
  await store.commit(commits, removed);
}

async function follow(files: Readonly<Record<string, string>> = {}) {
  const store = new MemoryStore();
  store.isShared = true;
  store.isForeign = true;
  await commit(store, files);
  const lanes = createMemoryLanes({ categorizer });
  await lanes.replace([], await store.chunksOf(Object.keys(files)));
  const stored = new StoredFiles(await store.hashes());
  const changed = vi.fn<() => void>();
  const takeOver = vi.fn<() => void>();
  const pending = await pendingPaths(store);
  const graph = new IndexGraph();
  const about = { store, lanes, graph, files: stored, pending, log: silent };
  const sync = new ReplicaSync({ ...about, changed, takeOver });
  const found = async (word: string) => (await lanes.keyword([word], { limit: 9 })).length;
  return { store, lanes, files: stored, sync, changed, takeOver, found };
}

const poll = () => vi.advanceTimersByTimeAsync(POLL_MS);

it("Written files are found, and removed files are not", async () => {
  const { store, files, sync, changed, found } = await follow({
    "a.txt": "alpha",
    "b.txt": "beta",
  });
  await commit(store, { "b.txt": "gamma", "c.txt": "delta" }, { removed: ["a.txt"] });
  await poll();
  expect([await found("alpha"), await found("beta")]).toEqual([0, 0]);
  expect([await found("gamma"), await found("delta")]).toEqual([1, 1]);
  expect([...files.paths()].toSorted()).toEqual(["b.txt", "c.txt"]);
  expect(files.hash("b.txt")).toBe("gamma");
  expect(changed).toHaveBeenCalledTimes(1);
  await sync.close();
});

it("Nothing is reported without writes", async () => {
  const { sync, changed, takeOver } = await follow({ "a.txt": "alpha" });
  await poll();
  await poll();
  expect(changed).not.toHaveBeenCalled();
  expect(takeOver).not.toHaveBeenCalled();
  await sync.close();
});

it("Later vectors of unchanged files are loaded", async () => {
  const { store, lanes, sync } = await follow({ "a.txt": "alpha" });
  await poll();
  expect(await lanes.vector(VECTOR, { limit: 9 })).toEqual([]);
  await commit(store, { "a.txt": "alpha" }, { vector: VECTOR });
  await poll();
  expect(await lanes.vector(VECTOR, { limit: 9 })).toHaveLength(1);
  await sync.close();
});

it("The engine becomes the writer after it has caught up with a dead one", async () => {
  const { store, sync, takeOver, found } = await follow({ "a.txt": "alpha" });
  await commit(store, { "b.txt": "beta" });
  store.isForeign = false;
  const wasFound: Promise<number>[] = [];
  takeOver.mockImplementation(() => void wasFound.push(found("beta")));
  await poll();
  expect(takeOver).toHaveBeenCalledTimes(1);
  expect(await Promise.all(wasFound)).toEqual([1]);
  await poll();
  expect(takeOver).toHaveBeenCalledTimes(1);
  await sync.close();
});

it("Following continues after an outage of the database", async () => {
  const { store, sync, found } = await follow();
  await commit(store, { "b.txt": "beta" });
  store.failure = new Error("away");
  await poll();
  store.failure = undefined;
  await poll();
  expect(await found("beta")).toBe(1);
  await sync.close();
});

it("A closed replica does nothing", async () => {
  const { store, sync, changed, takeOver } = await follow();
  await sync.close();
  store.isForeign = false;
  await commit(store, { "b.txt": "beta" });
  await poll();
  expect(changed).not.toHaveBeenCalled();
  expect(takeOver).not.toHaveBeenCalled();
});
