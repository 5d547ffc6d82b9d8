/** One pass over a small folder, with an in-memory store: writes, progress and cancellation. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import { DEFAULTS } from "../../server/config/settings.ts";
import type { Embedder } from "../../server/contracts/embedding.ts";
import type { LiveLanes } from "../../server/contracts/lanes.ts";
import { createIgnoreRules } from "../../server/indexing/ignore/ignore-rules.ts";
import type { IndexTarget } from "../../server/indexing/indexer.ts";
import { type PassContext, runPass } from "../../server/indexing/pass.ts";
import { StoredFiles } from "../../server/indexing/stored-files.ts";
import { type Changes, Workspace } from "../../server/indexing/workspace.ts";
import { categorizer } from "../../server/languages/categories.ts";
import { createMemoryLanes } from "../../server/search/lanes/memory-lanes.ts";
import { fakePreparer } from "../support/fake-preparer.ts";
import { databaseOf, MemoryStore } from "../support/memory-store.ts";
import { workspace as folder, write } from "../support/workspace.ts";

const FULL: Changes = { isFull: true, isForgetting: false, isReopening: false, paths: new Set() };
const changed = (...paths: string[]): Changes => ({
  ...FULL,
  isFull: false,
  paths: new Set(paths),
});
const FILES = "//- a.txt\nalpha\n//- b.txt\nbeta\n//- c.txt\nbinary\n";

const MANY = Array.from({ length: 60 }, (_, i) => `//- ${i}.txt\nnumber ${i}\n`).join("");
const LARGE = `//- a.txt\n${"alpha beta gamma\n".repeat(40_000)}`;

const EMBEDDER: Embedder = {
  modelId: "test",
  dimension: 2,
  isLocal: false,
  embedsWholeFiles: false,
  cacheTexts: (file) => file.map(({ text }) => text),
  embedChunks: async (chunks) => chunks.map(() => new Float32Array([1, 0])),
  embedQuery: async () => new Float32Array([1, 0]),
  probe: async () => 2,
};

interface Options {
  readonly files?: string;
  readonly embedder?: Partial<Embedder>;
  readonly embeddingHeld?: string;
  /** Called before each file with the name of its preparer. */
  before?(by: "background" | "interactive", path: string): unknown;
  /** The concurrency of the background preparer. */
  readonly concurrency?: number;
  readonly isAsking?: boolean;
  /** Whether the background preparer is busy with other files. */
  readonly isBusy?: boolean;
}

function setUp(options: Options = {}) {
  const { files = FILES, embedder = {}, embeddingHeld, before } = options;
  const { concurrency, isAsking = false, isBusy = false } = options;
  const root = folder(files);
  const store = new MemoryStore();
  const database = databaseOf(store);
  const lanes = createMemoryLanes({ categorizer });
  const target: IndexTarget & { readonly lanes: LiveLanes } = {
    root,
    rules: createIgnoreRules(root, DEFAULTS),
    chunking: { chunkSize: 1_000, chunkOverlap: 0, maxFileBytes: 1_000_000 },
    embedder: { ...EMBEDDER, ...embedder },
    embeddingHeld,
    cache: database.embeddings,
    exclusionRules: "1",
    store,
    lanes,
    graph: { beforeChange: async () => undefined, replace: () => undefined },
    files: new StoredFiles(),
    excluded: new Map(),
    log: silent,
  };
  const states: string[] = [];
  const searched: number[] = [];
  const workspace: Workspace = new Workspace({
    root,
    isEnabled: true,
    log: silent,
    changed: () => {
      const { state, indexed, total, ...status } = workspace.status;
      states.push(`${state} ${indexed}/${total}`);
      searched.push(status.searched);
    },
  });
  // Takes the initial full pass; each test queues its own changes.
  const next = workspace.next();
  const waits: string[] = [];
  const context: PassContext = {
    ...target,
    workspace,
    preparers: {
      background: fakePreparer((path) => before?.("background", path), concurrency, isBusy),
      interactive: fakePreparer((path) => before?.("interactive", path)),
    },
    throttle: {
      yieldToForeground: async () => void waits.push("yield"),
      isAsking,
      yieldToSearches: async () => {},
    },
  };
  /** Returns the number of changed and removed files. */
  const pass = async (changes: Changes) => {
    const signal = (await next)?.signal ?? AbortSignal.abort();
    const ended = await runPass(context, changes, signal);
    workspace.report(ended.result);
    return ended.changed;
  };
  const found = async (word: string) => await target.lanes.keyword([word], { limit: 9 });
  return { root, store, target, workspace, states, searched, waits, pass, found };
}

it.each([
  [false, 3],
  [true, 1],
])("Files are prepared one at a time while a user searches (%s)", async (isAsking, expected) => {
  let [underWay, most] = [0, 0];
  const before = async () => {
    most = Math.max(most, ++underWay);
    await new Promise(setImmediate);
    underWay--;
  };
  const { target, pass } = setUp({ isAsking, concurrency: 3, before });
  await pass(FULL);
  expect(target.files.size).toBe(2);
  expect(most).toBe(expected);
});

it.each([
  ["few small files by the thread that users wait for", FILES, true, "interactive"],
  ["few small files by the background where that has time", FILES, false, "background"],
  ["many files by the background", MANY, true, "background"],
  ["few large files by the background", LARGE, true, "background"],
])("A pass reads %s", async (_, files, isBusy, expected) => {
  const by = new Set<string>();
  const { pass } = setUp({ files, isBusy, before: (name) => by.add(name) });
  await pass(FULL);
  expect([...by]).toEqual([expected]);
});

it("A pass stores and embeds the files it finds and becomes ready", async () => {
  const { store, target, workspace, pass, found } = setUp();
  target.excluded.set("gone.txt", { path: "gone.txt", rule: "binary" });
  await pass(FULL);
  expect(store.writes).toEqual(["commit a.txt b.txt", "update state", "vectors"]);
  expect([...target.files.paths()]).toEqual(["a.txt", "b.txt"]);
  expect(await found("alpha")).toHaveLength(1);
  expect(await target.lanes.vector(new Float32Array([1, 0]), { limit: 9 })).toHaveLength(2);
  expect(workspace.status).toMatchObject({ state: "ready", indexed: 2, total: 2 });
  expect([...target.excluded.values()]).toEqual([{ path: "c.txt", rule: "binary" }]);
});

it("A pass reports its progress", async () => {
  const { states, pass } = setUp();
  await pass(FULL);
  expect(states).toEqual(
    expect.arrayContaining(["indexing 0/3", "indexing 1/3", "indexing 3/3", "ready 2/2"]),
  );
});

it("A full pass searches the stored files from its beginning", async () => {
  const { searched, pass } = setUp();
  await pass(FULL);
  searched.length = 0;
  await pass(FULL);
  // One of the three files is binary. Then the files without a known time are read.
  expect(searched.slice(0, 3)).toEqual([2, 2, 0]);
});

it("A file that was just rewritten with the same text loses its fingerprint", async () => {
  const { target, pass } = setUp();
  await pass(FULL);
  target.files.recognize("a.txt", "as it was before");
  await pass(changed("a.txt"));
  expect(target.files.fingerprint("a.txt")).toBeUndefined();
});

it("A full pass leaves unchanged files alone and removes deleted files", async () => {
  const { root, store, pass, found } = setUp();
  await pass(FULL);
  store.writes.length = 0;
  rmSync(join(root, "a.txt"));
  await pass(FULL);
  expect(store.writes).toEqual(["commit a.txt", "update state"]);
  expect(await found("alpha")).toEqual([]);
  expect(await found("beta")).toHaveLength(1);
});

it("A pass over changed paths reads only these and keeps the state of the index", async () => {
  const taken: string[] = [];
  const { root, store, states, waits, pass } = setUp({
    before: (by, path) => void taken.push(`${by} ${path}`),
  });
  await pass(FULL);
  store.writes.length = states.length = waits.length = taken.length = 0;
  write(root, "//- b.txt\ngamma\n//- d.txt\ndelta\n");
  rmSync(join(root, "a.txt"));
  await pass(changed("a.txt", "b.txt"));
  expect(store.writes).toEqual(["commit a.txt b.txt", "vectors"]);
  expect(taken).toEqual(["interactive b.txt"]);
  expect(states.filter((state) => state.startsWith("indexing"))).toEqual([]);
});

it("A burst of changes is shown as indexing and yields to the foreground", async () => {
  const names = Array.from({ length: 51 }, (_, i) => `${i}.txt`);
  const files = names.map((name) => `//- ${name}\n${name}\n`).join("");
  const taken = new Set<string>();
  const { states, waits, pass } = setUp({ files, before: (by) => void taken.add(by) });
  await pass(changed(...names));
  expect([...taken]).toEqual(["background"]);
  expect(waits.length).toBeGreaterThanOrEqual(51);
  expect(states[0]).toMatch(/^indexing/);
});

it.each([
  [4, 0],
  [5, 5],
])("Of %i saved files, %i wait for searches", async (count, expected) => {
  const names = Array.from({ length: count }, (_, i) => `${i}.txt`);
  const files = names.map((name) => `//- ${name}\n${name}\n`).join("");
  const taken = new Set<string>();
  let waitsOfFiles = 0;
  const { waits, pass } = setUp({
    files,
    before: (by) => {
      taken.add(by);
      waitsOfFiles = waits.length;
    },
  });
  await pass(changed(...names));
  expect([...taken]).toEqual(["interactive"]);
  expect(waitsOfFiles).toBe(expected);
});

it("A changed file loses its stored exclusion", async () => {
  const { root, target, pass, found } = setUp();
  await pass(FULL);
  write(root, "//- c.txt\ntext\n");
  await pass(changed("c.txt"));
  expect([...target.excluded]).toEqual([]);
  expect(await found("text")).toHaveLength(1);
});

it("A forgetting pass deletes the stored files first", async () => {
  const { root, store, pass, found } = setUp();
  await pass(FULL);
  store.writes.length = 0;
  rmSync(join(root, "b.txt"));
  await pass({ ...FULL, isForgetting: true });
  expect(store.writes).toEqual(["truncate", "commit a.txt", "update state", "vectors"]);
  expect(await found("beta")).toEqual([]);
});

it("A reopening pass reads every file", async () => {
  const taken: string[] = [];
  const { target, pass } = setUp({ before: (_, path) => void taken.push(path) });
  await pass(FULL);
  target.files.recognize("a.txt", "of a time that is not compared");
  taken.length = 0;
  await pass({ ...FULL, isReopening: true });
  expect(target.files.fingerprint("a.txt")).toBeUndefined();
  expect(taken).toEqual(["a.txt", "b.txt", "c.txt"]);
});

it("A paused pass writes nothing and continues after a resume", async () => {
  const { store, workspace, pass } = setUp();
  workspace.pause();
  const passing = pass({ ...FULL, isForgetting: true });
  await new Promise((resolve) => setImmediate(resolve));
  expect(store.writes).toEqual([]);
  workspace.resume();
  await passing;
  expect(store.writes[0]).toBe("truncate");
});

it("A cancelled pass ends at the next file and keeps committed files", async () => {
  const { store, workspace, pass, target } = setUp({
    before: (_, path) => path === "b.txt" && workspace.halt("cleared"),
  });
  await expect(pass(FULL)).rejects.toThrow("aborted");
  expect(store.writes).toEqual([]);
  expect(target.files.size).toBe(0);
});

it("A pass that is cancelled before its start does nothing", async () => {
  const { store, workspace, pass } = setUp();
  workspace.halt("cleared");
  await expect(pass({ ...FULL, isForgetting: true })).rejects.toThrow("aborted");
  expect(store.writes).toEqual([]);
});

it("A pass rejects with the error of the store and records only committed files", async () => {
  const { store, target, pass, found } = setUp();
  store.failure = new Unavailable("the database is down", "start it");
  await expect(pass(FULL)).rejects.toBe(store.failure);
  expect(target.files.size).toBe(0);
  expect(await found("alpha")).toEqual([]);
});

it("Without a provider, keyword search works and the state names the reason", async () => {
  let isDown = true;
  const down = new Unavailable("no embedding service", "start it");
  const embedChunks: Embedder["embedChunks"] = async (chunks, signal) => {
    if (isDown) throw down;
    return await EMBEDDER.embedChunks(chunks, signal);
  };
  const { workspace, pass, found, store } = setUp({ embedder: { embedChunks } });
  await pass(FULL);
  expect(workspace.status).toMatchObject({
    state: "degraded",
    reason: `new code is found by keyword only: ${down.message}`,
  });
  expect(await found("alpha")).toHaveLength(1);
  isDown = false;
  await pass(changed());
  expect(workspace.status.state).toBe("ready");
  expect(store.writes).toContain("vectors");
});

it("A pass embeds nothing if the index has vectors of another model", async () => {
  const { workspace, pass, store } = setUp({ embeddingHeld: "another model" });
  await pass(FULL);
  expect(store.writes).not.toContain("vectors");
  expect(workspace.status).toMatchObject({ state: "degraded", reason: "another model" });
});

it("A full pass returns the number of changed and removed files", async () => {
  const { root, pass } = setUp();
  expect(await pass(FULL)).toBe(2);
  rmSync(join(root, "a.txt"));
  expect(await pass(FULL)).toBe(1);
  expect(await pass(changed("b.txt"))).toBe(0);
});
