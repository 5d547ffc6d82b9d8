/** An open index over a store in memory: opening, failures of the store, halts and pauses. */

import { expect, it, onTestFinished, vi } from "vitest";
import { deferred } from "../../../server/common/deferred.ts";
import { Unavailable } from "../../../server/common/errors.ts";
import { DEFAULTS } from "../../../server/config/settings.ts";
import type { Settings } from "../../../server/contracts/settings.ts";
import type { IndexDeps } from "../../../server/engine/indexes/index-deps.ts";
import { excludedFiles, explainPath } from "../../../server/engine/indexes/index-explain.ts";
import { OpenIndex } from "../../../server/engine/indexes/open-index.ts";
import { SCHEMA_VERSION } from "../../../server/store/compatibility.ts";
import { SLOW, UNREADABLE } from "../../support/fake-preparer.ts";
import { indexDeps } from "../../support/index-deps.ts";
import { databaseOf, MemoryStore } from "../../support/memory-store.ts";
import { workspace as folder, write } from "../../support/workspace.ts";

const FILES = "//- a.txt\nalpha\n//- b.txt\nbeta\n//- c.txt\nbinary\n//- .gitignore\n*.log\n";
const DOWN = new Unavailable("the database is down", "start it");

interface Options {
  readonly settings?: Partial<Settings>;
  readonly root?: string;
  readonly store?: MemoryStore;
  before?(path: string): void | Promise<void>;
  readonly more?: Partial<IndexDeps>;
}

function open({
  settings = {},
  root = folder(FILES),
  store = new MemoryStore(),
  before,
  more,
}: Options = {}) {
  const notices: string[] = [];
  const index = new OpenIndex(
    root,
    { ...DEFAULTS, ...settings },
    indexDeps({ root, store, before, notify: (notice) => void notices.push(notice), more }),
    () => undefined,
  );
  onTestFinished(() => index.close());
  const found = async (word: string) =>
    (await index.lanes?.keyword([word], { limit: 9 }))?.length ?? "no lanes";
  return { root, store, index, workspace: index.workspace, notices, found };
}

it("An opened folder is indexed, and its changes are followed", async () => {
  const { root, index, workspace, found } = open();
  expect(index.lanes).toBeUndefined();
  await workspace.whenIdle();
  expect(index.name).toBe("memory");
  expect(index.storedHash("a.txt")).toHaveLength(64);
  expect(await found("alpha")).toBe(1);
  write(root, "//- a.txt\ngamma\n");
  workspace.touch(["a.txt"]);
  await workspace.whenIdle();
  expect([await found("alpha"), await found("gamma")]).toEqual([0, 1]);
});

it("`lookAgain` finds a change without an event", async () => {
  const { root, workspace, index } = open();
  await workspace.whenIdle();
  write(root, "//- new.txt\nnew\n");
  index.lookAgain();
  await workspace.whenIdle();
  expect(index.storedHash("new.txt")).toHaveLength(64);
});

it("Lanes are saved after a pass, not during one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const [root, store] = [folder(FILES), new MemoryStore()];
  const [begun, going] = [deferred(), deferred()];
  const { lanesFiles } = indexDeps({ root, store });
  const stored = vi.spyOn(lanesFiles, "write");
  let isSecond = false;
  const before = () => {
    if (!isSecond) return undefined;
    begun.resolve();
    return going.promise;
  };
  const { workspace } = open({ root, store, before, more: { lanesFiles } });
  await workspace.whenIdle();
  isSecond = true;
  write(root, "//- a.txt\ngamma\n");
  workspace.touch(["a.txt"]);
  await begun.promise;
  await vi.advanceTimersByTimeAsync(200_000);
  expect(stored).not.toHaveBeenCalled();
  going.resolve();
  while (stored.mock.calls.length === 0) await vi.advanceTimersByTimeAsync(20_000);
});

it("`idleFiles` is available only while the index is idle", async () => {
  const during: unknown[] = [];
  const { root, store, index, workspace } = open({
    before: () => void during.push(index.idleFiles, workspace.hasWork),
  });
  expect(index.idleFiles).toBeUndefined();
  await workspace.whenIdle();
  // Nothing was queued, so the state alone had to be enough.
  expect(during.slice(0, 2)).toEqual([undefined, false]);
  expect(index.idleFiles?.paths()).toContain("a.txt");
  write(root, "//- a.txt\ngamma\n");
  workspace.touch(["a.txt"]);
  expect([workspace.status.state, index.idleFiles]).toEqual(["ready", undefined]);
  await workspace.whenIdle();
  workspace.pause();
  expect([workspace.hasWork, index.idleFiles]).toEqual([false, undefined]);
  workspace.resume();
  await workspace.whenIdle();
  store.isForeign = true;
  expect([workspace.status.state, index.idleFiles]).toEqual(["ready", undefined]);
});

/** A stored index that is not open. */
async function closed() {
  const { store, root, workspace, index } = open();
  await workspace.whenIdle();
  await index.close();
  store.writes.length = 0;
  return { store, root };
}

it("An index of a newer program is kept and reported", async () => {
  const store = new MemoryStore();
  await store.update({ modelId: "m", schemaVersion: SCHEMA_VERSION + 1 });
  const { workspace } = open({ store });
  await expect(workspace.whenIdle()).rejects.toThrow("newer version of cocosearch-lsp");
  expect(store.writes).not.toContain("drop");
});

it("The stored content of a file is kept while the file cannot be read", async () => {
  const { root, workspace, index, found } = open();
  await workspace.whenIdle();
  write(root, `//- a.txt\n${UNREADABLE}\n`);
  workspace.touch(["a.txt"]);
  await workspace.whenIdle();
  expect(await found("alpha")).toBe(1);
  expect(index.storedHash("a.txt")).toBeDefined();
});

it("A file whose parsing timed out is parsed again, a limited number of times", async () => {
  const root = folder(`//- a.txt\n${SLOW}\n//- b.txt\nbeta\n`);
  const store = new MemoryStore();
  const first = open({ root, store });
  await first.workspace.whenIdle();
  expect(first.index.unfinished).toBe(1);
  await first.index.close();
  const read: string[] = [];
  const again = open({ root, store, before: (path) => void read.push(path) });
  await again.workspace.whenIdle();
  expect(again.index.unfinished).toBe(1);
  const commits = () => store.writes.filter((each) => each === "commit a.txt").length;
  const afterSecond = commits();
  expect(afterSecond).toBeGreaterThan(0);
  for (let i = 0; i < 4; i++) {
    again.workspace.refresh();
    await again.workspace.whenIdle();
  }
  expect(commits() - afterSecond).toBe(2);
});

it("The stored index is searched before files are read", async () => {
  const { root, store, workspace, index } = open();
  await workspace.whenIdle();
  await index.close();
  const read: string[] = [];
  const again = open({ root, store, before: (path) => void read.push(path) });
  again.workspace.pause();
  while (again.index.lanes === undefined) await new Promise((resolve) => setImmediate(resolve));
  expect(await again.found("alpha")).toBe(1);
  expect(read).toEqual([]);
});

it("A database that is down is reported, and indexing continues when it is back", async () => {
  const store = new MemoryStore();
  store.failure = DOWN;
  const { index, workspace, found } = open({ store });
  await expect(workspace.whenIdle()).rejects.toBe(DOWN);
  await index.whenNamed();
  expect(index.store).toBeUndefined();
  expect(workspace.status.state).toBe("unavailable");
  store.failure = undefined;
  await workspace.whenIdle();
  expect(workspace.status.state).toBe("ready");
  expect(await found("alpha")).toBe(1);
});

it("A failed commit reloads the index and loses no change", async () => {
  const { root, store, workspace, found } = open();
  await workspace.whenIdle();
  let readings = 0;
  const { hashes } = store;
  store.hashes = async () => {
    readings++;
    return await hashes();
  };
  write(root, "//- a.txt\ngamma\n");
  store.failure = DOWN;
  workspace.touch(["a.txt"]);
  await expect(workspace.whenIdle()).rejects.toBe(DOWN);
  // The indexed content is searched all the while.
  expect(await found("beta")).toBe(1);
  store.failure = undefined;
  await workspace.whenIdle();
  expect(await found("gamma")).toBe(1);
  expect(readings).toBeGreaterThan(0);
});

it("`stop` resolves after the current work", async () => {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let reached: () => void = () => undefined;
  const isHeld = new Promise<void>((resolve) => (reached = resolve));
  const { store, index } = open({
    before: async () => {
      reached();
      await held;
    },
  });
  await isHeld;
  const stopping = index.stop("cleared");
  await new Promise((resolve) => setImmediate(resolve));
  expect(store.writes).not.toContain("release");
  letGo();
  await stopping;
  expect(store.writes.at(-1)).toBe("release");
});

it("`stop` during a pass ends all writes", async () => {
  let stopping: Promise<void> | undefined;
  const { store, index, workspace, found } = open({
    before: async (path) => {
      if (path !== "b.txt" || stopping !== undefined) return;
      stopping = index.stop("cleared");
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
  await workspace.whenIdle();
  await stopping;
  expect(store.writes.filter((what) => what.startsWith("commit"))).toEqual([]);
  expect(store.writes.at(-1)).toBe("release");
  expect(workspace.status).toMatchObject({ state: "paused", reason: "cleared", total: 0 });
  expect([index.isStopped, index.store, index.lanes]).toEqual([true, undefined, undefined]);
  index.reindex(false);
  await workspace.whenIdle();
  expect(workspace.status.state).toBe("ready");
  expect(await found("alpha")).toBe(1);
});

it("`stop` also ends a paused pass", async () => {
  const { store, index, workspace } = open({ before: () => workspace.pause() });
  await workspace.whenIdle();
  await index.stop("cleared");
  expect(workspace.status).toMatchObject({ state: "paused", reason: "cleared" });
  workspace.resume();
  await workspace.whenIdle();
  expect(workspace.status.reason).toBe("cleared");
  expect(store.writes.filter((what) => what.startsWith("commit"))).toEqual([]);
});

it("A paused index does nothing, and catches up after `resume`", async () => {
  const { store, workspace, found } = open();
  workspace.pause();
  await workspace.whenIdle();
  expect(workspace.status.state).toBe("paused");
  expect(store.writes.filter((what) => what.startsWith("commit"))).toEqual([]);
  workspace.resume();
  await workspace.whenIdle();
  expect(await found("alpha")).toBe(1);
});

it("A full reindex deletes the stored index first", async () => {
  const { store, index, workspace } = open();
  await workspace.whenIdle();
  store.writes.length = 0;
  index.reindex(true);
  await workspace.whenIdle();
  expect(store.writes.slice(0, 2)).toEqual(["truncate", "commit .gitignore a.txt b.txt"]);
});

it("An index that has lost chunks is rebuilt with a notice", async () => {
  const { store, root } = await closed();
  store.isWhole = false;
  store.writes.length = 0;
  const { workspace, notices, found } = open({ store, root });
  await workspace.whenIdle();
  expect(store.writes).toContain("drop");
  expect(notices).toEqual([expect.stringContaining("was damaged")]);
  expect(await found("alpha")).toBe(1);
});

it("An index with other chunking is rebuilt", async () => {
  const { store, root } = await closed();
  const settings = { "indexing.chunkSize": 700 };
  const { workspace, index } = open({ store, root, settings });
  await workspace.whenIdle();
  expect(store.writes).toContain("drop");
  expect(index.compatibility).toEqual({ kind: "usable" });
});

it("An index of another engine is searched and not written", async () => {
  const { store, root } = await closed();
  store.isForeign = true;
  const { workspace, found } = open({ store, root });
  await workspace.whenIdle();
  expect(workspace.status.state).toBe("ready");
  expect(workspace.status.reason).toContain("another engine");
  expect(await found("alpha")).toBe(1);
  expect(store.writes).toEqual([]);
});

it("The stored index is searched if indexing is off", async () => {
  const { store, root } = await closed();
  const settings = { "indexing.enabled": false };
  const { workspace, found } = open({ store, root, settings });
  await workspace.whenIdle();
  expect(workspace.status.reason).toContain("indexing is off");
  expect(await found("alpha")).toBe(1);
  expect(store.writes).toEqual([]);
});

it("Without a stored index, the state says that indexing is off", async () => {
  const store = new MemoryStore();
  const database = { ...databaseOf(store), find: async () => undefined };
  const nowhere = async () => undefined;
  const { workspace, index } = open({
    store,
    settings: { "indexing.enabled": false },
    more: { stores: { get: async () => database, suspend: nowhere, close: nowhere } },
  });
  await workspace.whenIdle();
  expect([workspace.status.state, workspace.status.total]).toEqual(["paused", 0]);
  expect(workspace.status.reason).toContain("indexing is off");
  expect(index.lanes).toBeUndefined();
});

it("`explainPath` and `excludedFiles` explain indexed and excluded files", async () => {
  const { store, index, workspace } = open();
  await workspace.whenIdle();
  store.redactedChunks = async () => new Map([["b.txt", 2]]);
  const why = (path: string) => explainPath(index, path);
  expect(await why("a.txt")).toBe("a.txt is indexed: 1 chunk");
  expect(await why("b.txt")).toBe("b.txt is indexed: 1 chunk; 2 chunks redacted for a secret");
  expect(await why("c.txt")).toBe("c.txt is excluded: binary");
  expect(await why("x.log")).toBe('x.log is excluded: .gitignore:1 "*.log"');
  expect(await why("none.txt")).toBe("none.txt does not exist");
  const binary = { path: "c.txt", rule: "binary" };
  const secret = { path: "b.txt", rule: "2 chunks redacted for a secret" };
  expect(await excludedFiles(index, 9)).toEqual([binary, secret]);
  expect(await excludedFiles(index, 1)).toEqual([binary]);
});
