/** Rows that the index of a worktree borrows in the built-in database: each index keeps its rows when the others change. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { CommitRow } from "../../server/contracts/history.ts";
import type { FileCommit, IndexStore, Store } from "../../server/contracts/store.ts";
import { migrate } from "../../server/store/migrate.ts";
import { tablesOf } from "../../server/store/names.ts";
import { PgliteDatabase } from "../../server/store/pglite.ts";
import { createStore } from "../../server/store/store.ts";

const ALIKE = { modelId: "m1", dimension: 3, chunkerVersion: "1" };
const record = (name: string) => ({ name, root: `/w/${name}`, ...ALIKE });

/** A file with a chunk per word. */
function file(path: string, content: string, isEmbedded = true): FileCommit {
  const lines = { start: 0, end: 1 };
  const words = content.split(" ");
  return {
    file: {
      path,
      sha256: `hash of ${content}`,
      size: content.length,
      mtimeMs: 1.5,
      languageId: "python",
      category: "implementation",
      parse: { status: "ok" },
      secrets: 0,
    },
    chunks: words.map((text, i) => ({
      span: { start: i * 10, end: i * 10 + text.length },
      lines,
      text,
      symbols: [],
      context: lines,
    })),
    vectors: isEmbedded ? words.map((word, i) => Float32Array.from([1, i, word.length])) : [],
    facts: Uint8Array.of(content.length),
  };
}

const commitRow = (sha: string): CommitRow => ({
  sha,
  time: 1_700_000_000,
  author: "Ada",
  subject: `Subject of ${sha}`,
  body: "",
  files: [{ path: "a.py", status: "added" }],
  hunks: [
    { path: "a.py", start: 3, lines: 0, oldStart: 3, oldLines: 2, symbols: [], textHash: "0" },
  ],
  lanes: "AAAA",
});

const FILES = { "a.py": "one two", "b.py": "three", "c.py": "four five six" };
const seedOf = (from: string, files: Readonly<Record<string, string>> = FILES) => ({
  from,
  files: Object.entries(files).map(([path, content]) => ({ path, sha256: `hash of ${content}` })),
});

/** All that a reader of an index sees of its files. */
async function contents(index: IndexStore): Promise<Record<string, string>> {
  const found: Record<string, string[]> = {};
  for await (const page of index.chunks()) {
    for (const { path, text, vector, span } of page) {
      expect(vector).toEqual(Float32Array.from([1, span.start / 10, text.length]));
      found[path] = [...(found[path] ?? []), text];
    }
  }
  const texts = Object.entries(found).map(([path, words]) => [path, words.join(" ")]);
  const hashes = [...(await index.hashes())].map(([path, hash]) => [path, hash.slice(8)]);
  expect(texts).toEqual(hashes);
  const lengths: (readonly [path: string, length: number | undefined])[] = [];
  for await (const page of index.facts())
    for (const { path, facts } of page) lengths.push([path, facts[0]]);
  expect(lengths).toEqual(texts.map(([path, text = ""]) => [path, text.length]));
  expect(await index.checkAll()).toBe(true);
  return Object.fromEntries(texts) as Record<string, string>;
}

/** The hashes of the stored edges of the files that have some. */
async function edgesOf(index: IndexStore): Promise<Record<string, string>> {
  const found = await index.factsOf([...(await index.hashes()).keys()]);
  const stored = found.filter(({ edgesHash }) => edgesHash !== "");
  expect(await index.hasAllEdges()).toBe(stored.length === found.length);
  return Object.fromEntries(stored.map(({ path, edgesHash }) => [path, edgesHash]));
}

async function shasOf({ history }: IndexStore): Promise<string[]> {
  const shas = (await history.shas()).toSorted();
  const rows = await history.commits(shas);
  expect(rows.map(({ sha, hunks }) => [sha, hunks.length])).toEqual(shas.map((sha) => [sha, 1]));
  return shas;
}

describe("borrowed rows", () => {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-borrowed-"));
  let database: PgliteDatabase;
  let store: Store;
  let main: IndexStore;
  let tree: IndexStore;

  beforeAll(() => {
    const directory = join(folder, "postgres");
    database = new PgliteDatabase({ directory, log: silent, prepare: migrate });
    store = createStore(database);
  }, 120_000);

  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  beforeEach(async () => {
    for (const { name } of await store.list()) await store.drop(name);
    main = await store.open(record("main"));
    const given = Object.entries(FILES).map(([path, content]) => file(path, content));
    await main.commit(given, []);
    await main.history.open();
    await main.history.commit(["a", "b", "c"].map(commitRow), []);
    await main.history.setMark({ position: "c", fingerprint: "1" });
    tree = await begin("tree", "main");
  });

  async function begin(name: string, from: string): Promise<IndexStore> {
    const index = await store.open(record(name), seedOf(from));
    await index.history.open();
    return index;
  }

  async function countOf(table: string): Promise<number> {
    const [row] = await database.query<{ count: number }>(
      `select count(*)::int as count from ${table}`,
    );
    return row?.count ?? -1;
  }

  /** The rows that an index has of its own; undefined if it borrows none. */
  async function ownRows(name: string): Promise<readonly number[]> {
    const { chunks, vectors, tracking, commits, hunks } = tablesOf(name).borrower;
    return await Promise.all([chunks, vectors, tracking, commits, hunks].map(countOf));
  }

  it("are not copied", async () => {
    expect(await contents(tree)).toEqual(FILES);
    expect(await shasOf(tree)).toEqual(["a", "b", "c"]);
    expect(await ownRows("tree")).toEqual([0, 0, 0, 0, 0]);
  });

  it("include the facts of a file without chunks", async () => {
    await main.commit([{ ...file("e.py", ""), chunks: [], vectors: [] }], []);
    const other = await begin("other", "main");
    const third = await store.open(record("third"), seedOf("main", { ...FILES, "e.py": "" }));
    const again = await store.open(record("again"), seedOf("third", { ...FILES, "e.py": "" }));
    expect([...(await other.hashes()).keys()]).toEqual(Object.keys(FILES));
    for (const index of [third, again]) {
      expect([...(await index.hashes()).keys()]).toEqual([...Object.keys(FILES), "e.py"]);
      expect(await index.pathsWithoutFacts()).toEqual([]);
      const { chunks, vectors, tracking } = tablesOf(index.name).borrower;
      expect(await Promise.all([chunks, vectors, tracking].map(countOf))).toEqual([0, 0, 0]);
    }
    await main.commit([], ["e.py"]);
    await store.drop("third");
    expect(await again.factsOf(["e.py"])).toEqual([
      { path: "e.py", facts: Buffer.of(0), edgesHash: "" },
    ]);
  });

  it("are rows of the lender, if the other index borrows them itself", async () => {
    await tree.commit([file("a.py", "seven eight")], []);
    const edges = { "a.py": "1", "b.py": "2" };
    const stored = Object.entries(edges).map(([path, hash]) => ({ path, hash, rows: [] }));
    await tree.setDependencies(stored);
    const second = await store.open(
      record("second"),
      seedOf("tree", { ...FILES, "a.py": "seven eight" }),
    );
    await second.history.open();
    // Edges depend on other files as well.
    expect([await edgesOf(tree), await edgesOf(second), await edgesOf(main)]).toEqual([
      edges,
      {},
      {},
    ]);
    expect(await ownRows("second")).toEqual([2, 2, 1, 0, 0]);
    await store.drop("tree");
    expect(await contents(second)).toEqual({ ...FILES, "a.py": "seven eight" });
    await store.drop("main");
    expect(await contents(second)).toEqual({ ...FILES, "a.py": "seven eight" });
    expect(await shasOf(second)).toEqual(["a", "b", "c"]);
  });

  it.each<{ readonly name: string; readonly change: () => Promise<unknown> }>([
    {
      name: "replaces and removes files",
      change: () => main.commit([file("a.py", "seven")], ["b.py"]),
    },
    {
      name: "keeps replaced files and takes them back",
      change: async () => {
        await main.commit([file("a.py", "seven")], ["b.py"], true);
        await main.takeBack(seedOf("main").files);
      },
    },
    { name: "is emptied", change: () => main.truncate() },
    {
      name: "gets another model",
      change: () => main.update({ modelId: "m2", dimension: 2 }),
    },
    {
      name: "has other commits",
      change: () => main.history.commit([commitRow("d"), commitRow("b")], ["a"]),
    },
    { name: "forgets its commits", change: () => main.history.clear() },
    { name: "is dropped", change: () => store.drop("main") },
    {
      name: "is dropped and made again",
      change: async () => {
        await store.drop("main");
        main = await store.open(record("main"));
        await main.commit([file("a.py", "seven")], []);
      },
    },
  ])("stay as they are if the lender $name", async ({ change }) => {
    await change();
    expect(await contents(tree)).toEqual(FILES);
    expect(await shasOf(tree)).toEqual(["a", "b", "c"]);
    // The index can still be written.
    await tree.commit([file("a.py", "nine ten")], ["b.py"]);
    expect(await contents(tree)).toEqual({ "a.py": "nine ten", "c.py": FILES["c.py"] });
  });

  it.each<{
    readonly name: string;
    readonly change: () => Promise<unknown>;
    readonly files?: Readonly<Record<string, string>>;
    readonly shas?: readonly string[];
  }>([
    {
      name: "replaces, adds and removes files",
      change: () => tree.commit([file("a.py", "seven"), file("d.py", "eight")], ["b.py"]),
      files: { "a.py": "seven", "c.py": FILES["c.py"], "d.py": "eight" },
    },
    {
      name: "goes to another branch and back",
      change: async () => {
        await tree.commit([file("a.py", "seven")], ["b.py"], true);
        expect((await tree.takeBack(seedOf("tree").files)).toSorted()).toEqual(["a.py", "b.py"]);
      },
    },
    {
      name: "has a file whose vectors come later",
      change: async () => {
        await tree.commit([file("d.py", "seven eight", false)], []);
        const pending = await tree.pending(9);
        const vectors = pending.map(({ path, span, text, contentHash }) => ({
          path,
          span,
          contentHash,
          vector: Float32Array.from([1, span.start / 10, text.length]),
        }));
        await tree.setVectors(vectors);
      },
      files: { ...FILES, "d.py": "seven eight" },
    },
    { name: "is emptied", change: () => tree.truncate(), files: {} },
    {
      name: "is emptied and filled",
      change: async () => {
        await tree.truncate();
        await tree.commit([file("a.py", "seven")], []);
      },
      files: { "a.py": "seven" },
    },
    {
      name: "has other commits",
      change: () => tree.history.commit([commitRow("d"), commitRow("b")], ["a"]),
      shas: ["b", "c", "d"],
    },
    { name: "forgets its commits", change: () => tree.history.clear(), shas: [] },
    { name: "opens its history again", change: () => tree.history.open() },
    { name: "is vacuumed", change: () => store.vacuum() },
  ])("rows of the lender stay as they are if the index $name", async ({ change, files, shas }) => {
    await change();
    expect(await contents(main)).toEqual(FILES);
    expect(await shasOf(main)).toEqual(["a", "b", "c"]);
    expect(await contents(tree)).toEqual(files ?? FILES);
    expect(await shasOf(tree)).toEqual(shas ?? ["a", "b", "c"]);
    await store.drop("tree");
    expect(await contents(main)).toEqual(FILES);
  });

  it("are the index's own before its vectors are made again", async () => {
    await tree.update({ modelId: "m2", dimension: 2 });
    expect(await tree.pending(9)).toHaveLength(6);
    expect(await contents(main)).toEqual(FILES);
  });

  it("are none while a vector of the other index is pending", async () => {
    await main.commit([file("d.py", "seven", false)], []);
    const other = await begin("other", "main");
    await expect(ownRows("other")).rejects.toThrow("does not exist");
    expect(await contents(other)).toEqual(FILES);
  });

  it("the check of the index misses rows that the lender has lost, and the index can be dropped", async () => {
    const { chunks } = tablesOf("main");
    await database.query(`delete from ${chunks} where filename = 'c.py'`);
    expect(await tree.checkAll()).toBe(false);
    // A damaged catalog can lack the lender.
    await database.query("update cocosearch_indexes set lender = null");
    await store.drop("main");
    expect(await tree.hasTables()).toBe(false);
    await store.drop("tree");
    expect(await store.list()).toEqual([]);
  });

  it("stay as they are in 120 random changes of three indexes", { timeout: 300_000 }, async () => {
    let state = 5;
    const next = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const paths = ["a.py", "b.py", "c.py", "d.py"];
    const words = ["one", "two six", "three", "four five"];
    const pick = <T>(items: readonly T[]): T => items[next(items.length)] as T;
    const known = new Map<string, Record<string, string>>([
      ["main", { ...FILES }],
      ["tree", { ...FILES }],
    ]);
    const edges = new Map<string, Record<string, string>>();
    for (let step = 0; step < 120; step++) {
      const name = pick(["main", "tree", "third"]);
      const files = known.get(name);
      const index = await store.find(name);
      const kind = next(12);
      if (files === undefined || index === undefined) {
        const from = pick([...known.keys(), "none"]);
        const theirs = known.get(from) ?? {};
        const seed = from === "none" ? undefined : seedOf(from, theirs);
        await store.open(record(name), seed);
        known.set(name, { ...theirs });
        edges.set(name, {});
      } else if (kind === 0) {
        await store.drop(name);
        known.delete(name);
      } else if (kind === 1) {
        await index.truncate();
        known.set(name, {});
        edges.set(name, {});
      } else if (kind < 5) {
        const own = Object.keys(files).filter(() => next(2) === 0);
        await index.setDependencies(own.map((path) => ({ path, hash: `${step}`, rows: [] })));
        const stored = Object.fromEntries(own.map((path) => [path, `${step}`]));
        edges.set(name, { ...edges.get(name), ...stored });
      } else {
        const [path, content] = [pick(paths), pick(words)];
        const opened = await store.open(record(name));
        const isRemoved = next(3) === 0;
        await opened.commit(
          isRemoved ? [] : [file(path, content)],
          isRemoved ? [path] : [],
          next(2) === 0,
        );
        if (isRemoved) delete files[path];
        else files[path] = content;
        delete edges.get(name)?.[path];
      }
      for (const [each, expected] of known) {
        const found = await store.find(each);
        expect(found && (await contents(found)), `step ${step}, ${each}`).toEqual(expected);
        expect(found && (await edgesOf(found)), `step ${step}, ${each}`).toEqual(
          edges.get(each) ?? {},
        );
      }
    }
  });
});
