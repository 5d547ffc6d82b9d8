/** Loading of the stored commits of an index, and reading of new ones. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { silent } from "../../../server/common/log.ts";
import { merge } from "../../../server/config/settings.ts";
import type { CommitRow, HistoryStore, ReadCommitsJob } from "../../../server/contracts/history.ts";
import type { PartialSettings } from "../../../server/contracts/settings.ts";
import type { IndexStore } from "../../../server/contracts/store.ts";
import type { IndexDeps } from "../../../server/engine/indexes/index-deps.ts";
import { createIndexHistory } from "../../../server/engine/indexes/index-history.ts";
import { IndexingThrottle } from "../../../server/engine/threads/indexing-throttle.ts";
import { packEntry } from "../../../server/history/lane-entry.ts";
import { createEmbedder } from "../../search/support.ts";
import { repositoryOf } from "../../support/git.ts";
import { createMemoryHistory } from "../../support/memory-history.ts";
import { workspace } from "../../support/workspace.ts";

const NO_TERMS = { terms: new Int32Array(), counts: new Uint8Array(), length: 0 };
const LANES = packEntry({
  texts: {
    subject: NO_TERMS,
    body: NO_TERMS,
    added: NO_TERMS,
    removed: NO_TERMS,
    symbols: NO_TERMS,
  },
});
const ROW = { sha: "a", time: 1, author: "Ada", subject: "", body: "", files: [], hunks: [] };

function commitOf(sha: string, ...paths: string[]): CommitRow {
  const files = paths.map((path) => ({ path, status: "modified" }) as const);
  return { ...ROW, sha, files, lanes: LANES };
}

/** A stored history of two commits; `read` lists the rows that are loaded. */
async function openPast() {
  const history = createMemoryHistory();
  await history.commit([commitOf("1", "a", "b"), commitOf("2", "a", "c")], []);
  const read: string[] = [];
  const store = {
    ...history,
    laneRows: () => {
      read.push("words");
      return history.laneRows();
    },
    changeRows: () => {
      read.push("changes");
      return history.changeRows();
    },
  };
  const root = workspace();
  const index = {
    root,
    settings: merge({}),
    embedder: createEmbedder(),
    workspace: { status: { state: "ready" } },
    store: { history: store } as unknown as IndexStore,
  } as const;
  const deps = { log: silent, data: join(root, "postgres"), preparers: {} } as IndexDeps;
  const past = createIndexHistory(index, deps);
  const around = async () => (await past.changesAround(["a"])).together.map(({ path }) => path);
  return { past, around, read };
}

it("Changed files are loaded without terms, and terms later without counting commits twice", async () => {
  const { past, around, read } = await openPast();
  expect([await around(), read]).toEqual([["b", "c"], ["changes"]]);
  expect((await past.commits()).size).toBe(2);
  expect([await around(), read]).toEqual([
    ["b", "c"],
    ["changes", "words"],
  ]);
});

it("Commits are loaded once if their terms are requested first or meanwhile", async () => {
  const { past, around, read } = await openPast();
  const [commits, paths] = await Promise.all([past.commits(), around()]);
  expect([commits.size, paths, read]).toEqual([2, ["b", "c"], ["words"]]);
  await past.forget();
  expect([(await past.commits()).size, await around()]).toEqual([2, ["b", "c"]]);
  expect(read).toEqual(["words", "words"]);
});

it("A request before the database is open does not cache an empty answer", async () => {
  const history = createMemoryHistory();
  await history.commit([{ ...ROW, lanes: LANES }], []);
  const root = workspace();
  const index: { store: IndexStore | undefined } & Omit<
    Parameters<typeof createIndexHistory>[0],
    "store"
  > = {
    root,
    settings: merge({}),
    embedder: createEmbedder(),
    workspace: { status: { state: "ready" } },
    store: undefined,
  };
  const deps = { log: silent, data: join(root, "postgres"), preparers: {} } as IndexDeps;
  const { commits } = createIndexHistory(index, deps);
  expect((await commits()).size).toBe(0);
  index.store = { history } as unknown as IndexStore;
  expect((await commits()).size).toBe(1);
});

const ROOT_FILE = "//- a.py\na = 1\n";

/** The history of a repository of one commit; `read` lists the commits that are read. */
function openHistory(root: string, store: HistoryStore, settings: PartialSettings, read: string[]) {
  const index = {
    root,
    settings: merge(settings),
    embedder: createEmbedder(),
    workspace: { status: { state: "ready" } },
    store: { history: store, writer: { isHeld: true } } as unknown as IndexStore,
  } as const;
  const commits = {
    readCommits: async ({ shas }: ReadCommitsJob) => {
      read.push(...shas);
      return shas.map((sha) => commitOf(sha, "a.py"));
    },
  };
  const throttle = new IndexingThrottle();
  const deps = {
    log: silent,
    data: join(root, "postgres"),
    preparers: { commits },
    isIndexing: () => false,
    throttle,
  } as unknown as IndexDeps;
  return { throttle, ...createIndexHistory(index, deps) };
}

it("Commits are read again only after a change of a setting that affects them", async () => {
  const root = repositoryOf(ROOT_FILE, "Add a");
  const store = createMemoryHistory();
  const read: string[] = [];
  const readWith = async (settings: PartialSettings) => {
    const { reader: history } = openHistory(root, store, settings, read);
    history.refresh();
    await history.whenIdle();
    expect(history.status).toMatchObject({ state: "ready", commits: 1 });
    await history.close();
    return read.length;
  };
  expect(await readWith({})).toBe(1);
  expect(await readWith({ "search.limit": 5, "log.level": "debug" })).toBe(1);
  expect(await readWith({ "indexing.excludePatterns": ["b.py"] })).toBe(2);
});

it("Reading commits waits for continuous searches, but not forever", async () => {
  const root = repositoryOf(ROOT_FILE, "Add a");
  const read: string[] = [];
  const { reader: history, throttle } = openHistory(root, createMemoryHistory(), {}, read);
  await throttle.whileSearching(async () => undefined);
  const start = performance.now();
  history.refresh();
  await history.whenIdle();
  expect(read).toHaveLength(1);
  expect(performance.now() - start).toBeGreaterThan(900);
  await history.close();
});
