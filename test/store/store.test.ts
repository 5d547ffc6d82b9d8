/** The store, on both databases: committed rows are read back, and invalid ones are rejected. */

import { beforeEach, expect, it } from "vitest";
import type { Chunk, FileRecord } from "../../server/contracts/model.ts";
import type { FileCommit, IndexStore } from "../../server/contracts/store.ts";
import type { StoredChunk } from "../../server/contracts/stored-chunk.ts";
import { createEmbeddingCache } from "../../server/store/embedding-cache.ts";
import { describeStores } from "../support/databases.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";

const ROOT = "/home/me/shop";
const INDEX = { name: "shop", root: ROOT, modelId: "m1", dimension: 3, chunkerVersion: "1" };

function chunk(start: number, text: string, name?: string): Chunk {
  const lines = { start, end: start + 1 };
  return {
    span: { start, end: start + Buffer.byteLength(text) },
    lines,
    text,
    symbols:
      name === undefined
        ? []
        : [{ name, type: "function", signature: `def ${name}()`, lines, nameLine: start }],
    context: lines,
    hierarchy: "shop",
  };
}

function file(path: string, chunks: Chunk[], vectors?: number[][]): FileCommit {
  const record: FileRecord = {
    path,
    sha256: `hash of ${path} ${chunks.length}`,
    size: 10,
    mtimeMs: 1.5,
    languageId: "python",
    category: "implementation",
    parse: { status: "partial", message: "line 3" },
    secrets: 0,
  };
  return { file: record, chunks, vectors: chunks.map((_, i) => vector(vectors?.[i])) };
}

const vector = (numbers?: number[]) => numbers && Float32Array.from(numbers);

/** A vector of any length that may be stored. */
const ones = (dimension: number) => Array.from({ length: dimension }, () => 1);

async function all(index: IndexStore): Promise<StoredChunk[]> {
  const chunks: StoredChunk[] = [];
  for await (const page of index.chunks()) chunks.push(...page);
  return chunks;
}

describeStores("the store", (on) => {
  let index: IndexStore;

  beforeEach(async () => {
    for (const { name } of await on.store.list()) await on.store.drop(name);
    index = await on.store.open(INDEX);
  });

  it("names the three worst parsed files, those without a tree first", async () => {
    const parsed = (path: string, status: "partial" | "error", message: string): FileCommit => {
      const { file: record, ...rest } = file(path, []);
      return { file: { ...record, parse: { status, message } }, ...rest };
    };
    await index.commit(
      [
        parsed("a.py", "partial", "3 % of the text could not be parsed, first in line 9"),
        parsed("b.py", "partial", "12 % of the text could not be parsed, first in line 1"),
        parsed("c.py", "error", "the grammar broke: no reason"),
        parsed("d.py", "partial", "1 % of the text could not be parsed, first in line 2"),
      ],
      [],
    );
    const [python] = await index.parseSummary();
    expect(python?.worst.map(({ path }) => path)).toEqual(["c.py", "b.py", "a.py"]);
  });

  it("returns committed chunks by path and position, with vectors in half precision", async () => {
    const second = chunk(20, "return price", "Shop.price");
    await index.commit(
      [
        file(
          "b.py",
          [chunk(0, "def a(): pass", "a"), second],
          [
            [1, 0, 0],
            [0.1, -0.2, 1e-30],
          ],
        ),
        file("a.py", [chunk(5, "x = 1")], [[0, 1, 0]]),
      ],
      [],
    );
    const chunks = await all(index);
    expect(chunks.map(({ path, span }) => `${path}:${span.start}`)).toEqual([
      "a.py:5",
      "b.py:0",
      "b.py:20",
    ]);
    expect(chunks[2]).toEqual({
      ...second,
      path: "b.py",
      languageId: "python",
      vector: Float32Array.from([0.0999755859375, -0.199951171875, 0]),
    });
    expect(await index.counts()).toMatchObject({ files: 2, chunks: 3, pending: 0 });
    expect(await index.hashes()).toEqual(
      new Map([
        ["a.py", "hash of a.py 1"],
        ["b.py", "hash of b.py 2"],
      ]),
    );
    expect(await index.parseSummary()).toEqual([
      {
        languageId: "python",
        ok: 0,
        partial: 2,
        error: 0,
        noGrammar: 0,
        worst: [
          { path: "a.py", message: "line 3" },
          { path: "b.py", message: "line 3" },
        ],
      },
    ]);
    await index.update({ modelId: "m2" });
    expect((await index.pending(10)).find(({ span }) => span.start === 20)?.text).toBe(second.text);
  });

  it("keeps by what a file is recognized, until another content is stored", async () => {
    const { file: first, ...rest } = file("a.py", [chunk(0, "one")]);
    await index.commit(
      [{ file: { ...first, statFingerprint: "1" }, ...rest }, file("b.py", [])],
      [],
    );
    expect(await index.statFingerprints()).toEqual(new Map([["a.py", "1"]]));
    await index.setStatFingerprints(new Map([["b.py", "2"]]));
    await index.commit([file("a.py", [chunk(0, "two")])], []);
    expect(await index.statFingerprints()).toEqual(new Map([["b.py", "2"]]));
  });

  it("replaces all chunks of a file and removes deleted files", async () => {
    const many = Array.from({ length: 5 }, (_, i) => chunk(i * 10, `text ${i}`));
    const known = many.map(() => [1, 0, 0]);
    await index.commit([file("a.py", many, known), file("b.py", many, known)], []);
    await index.commit([file("a.py", [chunk(0, "new")], [[0, 0, 1]])], ["b.py"]);
    expect((await all(index)).map(({ path, text }) => [path, text])).toEqual([["a.py", "new"]]);
    expect(await index.counts()).toMatchObject({ files: 1, chunks: 1, pending: 0 });
    expect([...(await index.hashes()).keys()]).toEqual(["a.py"]);
  });

  it("stores nothing of a batch if one file fails", async () => {
    await index.commit([file("a.py", [chunk(0, "old")])], []);
    const batch = [file("a.py", [chunk(0, "new")]), file("b.py", [chunk(0, "x")], [[1, NaN, 0]])];
    await expect(index.commit(batch, [])).rejects.toThrow("not finite");
    expect((await all(index)).map(({ text }) => text)).toEqual(["old"]);
  });

  it.each([
    ["not finite", [1, Infinity, 0]],
    ["only zeros", [0, 0, 0]],
  ])("refuses a vector that is %s", async (reason, numbers) => {
    const batch = [file("a.py", [chunk(0, "x")], [numbers])];
    await expect(index.commit(batch, [])).rejects.toThrow(reason);
  });

  it("counts chunks without a vector as pending until they have one", async () => {
    await index.commit([file("a.py", [chunk(0, "one", "f"), chunk(9, "two")])], []);
    const pending = await index.pending(10);
    expect(pending).toMatchObject([
      { path: "a.py", span: { start: 0, end: 3 }, text: "one", names: ["f"] },
      { path: "a.py", span: { start: 9, end: 12 }, text: "two", names: [] },
    ]);
    expect(await index.pending(1)).toHaveLength(1);
    await index.setVectors([
      { path: "a.py", span: { start: 0, end: 3 }, vector: Float32Array.of(1, 0, 0) },
      { path: "gone.py", span: { start: 0, end: 3 }, vector: Float32Array.of(1, 0, 0) },
    ]);
    expect(await index.counts()).toMatchObject({ chunks: 2, pending: 1 });
    await expect(
      index.setVectors([
        { path: "a.py", span: { start: 9, end: 12 }, vector: Float32Array.of(1, 0) },
      ]),
    ).rejects.toThrow("2 dimensions, the index 3");
  });

  it("stores no vector on a text that has changed since it was embedded", async () => {
    await index.commit([file("a.py", [chunk(0, "old")])], []);
    const [{ contentHash } = { contentHash: "" }] = await index.pending(1);
    await index.commit([file("a.py", [chunk(0, "new")])], []);
    const span = { start: 0, end: 3 };
    await index.setVectors([{ path: "a.py", span, contentHash, vector: Float32Array.of(1, 0, 0) }]);
    expect(await index.counts()).toMatchObject({ pending: 1 });
  });

  it("refuses vectors of another length than the index has", async () => {
    const batch = [file("a.py", [chunk(0, "x")], [[1, 0]])];
    await expect(index.commit(batch, [])).rejects.toThrow("2 dimensions, the index 3");
  });

  it("takes over the length of the first vector where none was known", async () => {
    const other = await on.store.open({ ...INDEX, name: "new", root: "/new", dimension: 0 });
    await other.commit([file("a.py", [chunk(0, "x")], [[1, 0]])], []);
    expect(await other.record()).toMatchObject({ dimension: 2 });
    const batch = [file("b.py", [chunk(0, "x")], [[1, 0, 0]])];
    await expect(other.commit(batch, [])).rejects.toThrow("3 dimensions, the index 2");
  });

  it("mixes in no vectors of another model: committed chunks stay pending", async () => {
    const other = await on.store.open({ ...INDEX, modelId: "m2" });
    expect(await other.record()).toMatchObject({ modelId: "m1" });
    await other.commit([file("a.py", [chunk(0, "x")], [[1, 0, 0]])], []);
    expect(await other.counts()).toMatchObject({ chunks: 1, pending: 1 });
    const late = { path: "a.py", span: { start: 0, end: 1 }, vector: Float32Array.of(1, 0, 0) };
    await expect(other.setVectors([late])).rejects.toThrow("embedded with m1");
    await other.update({ modelId: "m2" });
    await other.setVectors([late]);
    expect(await other.counts()).toMatchObject({ pending: 0 });
  });

  it("stores vectors that do not fit into a page", async () => {
    await index.update({ dimension: 4096 });
    await index.commit([file("a.py", [chunk(0, "x")], [ones(4096)])], []);
    expect((await all(index))[0]?.vector).toEqual(Float32Array.from(ones(4096)));
  });

  it("reads in pages that never cut a file", async () => {
    const many = Array.from({ length: 700 }, (_, i) => chunk(i * 10, `text ${i}`));
    const paths = ["a.py", "b/c.py", "b.py"];
    await index.commit(
      paths.map((path) => file(path, many)),
      [],
    );
    const pages: string[][] = [];
    for await (const page of index.chunks()) {
      expect(page.map(({ span }) => span.start)).toEqual(page.map((_, i) => (i % 700) * 10));
      pages.push([...new Set(page.map(({ path }) => path))]);
    }
    expect(pages).toEqual([["a.py", "b.py"], ["b/c.py"]]);
  });

  it("refuses an empty chunk", async () => {
    await expect(index.commit([file("a.py", [chunk(3, "")])], [])).rejects.toThrow("is empty");
  });

  it("drops all vectors when the model changes, and keeps the words", async () => {
    await index.commit([file("a.py", [chunk(0, "one")], [[1, 0, 0]])], []);
    await index.update({ modelId: "m2", dimension: 2, state: "complete" });
    expect(await index.counts()).toMatchObject({ chunks: 1, pending: 1 });
    expect(await index.record()).toMatchObject({
      modelId: "m2",
      dimension: 2,
      state: "complete",
    });
  });

  it("keeps text that Postgres or UTF-8 cannot hold, with replacement characters", async () => {
    const odd = "nul \0 half \ud800 quote ' \\ emoji 😀 ünïcode";
    await index.commit([file("a 'b\"\n😀.py", [chunk(0, odd, "n\0\ud800")])], []);
    const [stored] = await all(index);
    expect(stored?.path).toBe("a 'b\"\n😀.py");
    expect(stored?.symbols[0]?.name).toBe("n\ufffd\ufffd");
    expect((await index.pending(1))[0]?.text).toBe(
      odd.replace("\0", "\ufffd").replace("\ud800", "\ufffd"),
    );
  });

  it("stores a chunk of one endless word", async () => {
    await index.commit([file("a.py", [chunk(0, "x".repeat(500_000))])], []);
    expect(await index.counts()).toMatchObject({ chunks: 1 });
  });

  it("stores more words than Postgres can sort", async () => {
    const words = Array.from({ length: 200_000 }, (_, i) => `word${i}`).join(" ");
    await index.commit([file("a.py", [chunk(0, words)])], []);
    expect((await all(index))[0]?.text).toBe(words);
  });

  it("leaves out a path that is too long for a key, and stores the rest", async () => {
    const path = Array.from({ length: 4000 }, (_, i) => ((i * i) % 977).toString(36)).join("");
    await index.commit([file(path, [chunk(0, "x")]), file("b.py", [chunk(0, "x")])], []);
    expect([...(await index.hashes()).keys()]).toEqual(["b.py"]);
  });

  it.each(["a; drop table x", "a\n", 'a"b', "", "x".repeat(65), "ünï"])(
    "refuses the index name %j",
    async (name) => {
      await expect(on.store.open({ ...INDEX, name })).rejects.toThrow("index name");
    },
  );

  it("keeps indexes apart whose names look alike", async () => {
    for (const name of ["Shop", "shop-", "shop.", "s".repeat(64), `${"s".repeat(63)}t`]) {
      const other = await on.store.open({ ...INDEX, name, root: `/${name}` });
      expect(await other.counts()).toMatchObject({ chunks: 0 });
      await other.commit([file("a.py", [chunk(0, name)])], []);
    }
    expect(await on.store.list()).toHaveLength(6);
    expect(await index.counts()).toMatchObject({ chunks: 0 });
  });

  it("names an index after its folder, and beside it where another folder has the name", async () => {
    expect(await on.store.nameFor(ROOT, "")).toBe("shop");
    const beside = await on.store.nameFor("/other/shop", "");
    expect(beside).toMatch(/^shop-[0-9a-f]{8}$/);
    await on.store.open({ ...INDEX, name: beside, root: "/other/shop" });
    expect(await on.store.nameFor("/other/shop", "")).toBe(beside);
    await on.store.drop("shop");
    expect(await on.store.nameFor("/other/shop", "")).toBe(beside);
    expect(await on.store.nameFor("/odd/ö ö", "")).toBe("workspace");
  });

  it("never gives two folders one index, also when both were given the name at once", async () => {
    const both = await Promise.all(["/x/api", "/y/api"].map((root) => on.store.nameFor(root, "")));
    expect(both).toEqual(["api", "api"]);
    await on.store.open({ ...INDEX, name: "api", root: "/x/api" });
    await expect(on.store.open({ ...INDEX, name: "api", root: "/y/api" })).rejects.toThrow(
      'the index name "api" belongs to /x/api',
    );
    expect(await on.store.nameFor("/y/api", "")).not.toBe("api");
  });

  it("forgets an index with all its tables", async () => {
    expect(await on.store.drop("shop")).toBe(true);
    expect(await on.store.drop("shop")).toBe(false);
    expect(await on.store.find("shop")).toBeUndefined();
    const again = await on.store.open(INDEX);
    expect(await again.counts()).toMatchObject({ files: 0, chunks: 0 });
  });

  it("says that an index is gone", async () => {
    await on.store.drop("shop");
    const uses = [
      () => index.commit([file("a.py", [chunk(0, "x")])], []),
      () => all(index),
      () => index.record(),
      () => index.counts(),
      () => index.pending(1),
      () => index.hashes(),
    ];
    for (const use of uses) await expect(use()).rejects.toThrow('the index "shop" is gone');
  });

  it("is made again where only its tables are left", { tags: ["slow"] }, async () => {
    await index.commit([file("a.py", [chunk(0, "x")])], []);
    await on.reopen((bare) => bare.query("delete from cocosearch_indexes"));
    index = await on.store.open(INDEX);
    expect(await index.counts()).toMatchObject({ files: 0, chunks: 0 });
    await index.commit([file("b.py", [chunk(0, "x")])], []);
    expect((await all(index)).map(({ path }) => path)).toEqual(["b.py"]);
  });

  it("forgets the rows of an index that is emptied, not the index", async () => {
    await index.commit([file("a.py", [chunk(0, "x")], [[1, 0, 0]])], []);
    await index.update({ state: "complete" });
    await index.truncate();
    expect(await index.counts()).toMatchObject({ files: 0, chunks: 0, pending: 0 });
    expect(await index.parseSummary()).toEqual([]);
    expect(await index.record()).toMatchObject({ state: "partial" });
  });

  it("keeps everything over a restart", async () => {
    await index.commit([file("a.py", [chunk(0, "one")], [[1, 0, 0]])], []);
    await on.reopen();
    const found = await on.store.find("shop");
    expect(await found?.counts()).toMatchObject({ chunks: 1, pending: 0 });
  });

  it("remembers vectors by model and text", async () => {
    await on.store.embeddings.put("m1", new Map([["h1", Float32Array.of(1, 2)]]));
    expect(await on.store.embeddings.get("m1", ["h1", "h2"])).toEqual(
      new Map([["h1", Float32Array.of(1, 2)]]),
    );
    expect(await on.store.embeddings.get("m2", ["h1"])).toEqual(new Map());
    const wrong = new Map([["h3", Float32Array.of(0, 0)]]);
    await expect(on.store.embeddings.put("m1", wrong)).rejects.toThrow("only zeros");
  });

  it("returns its version, and vacuums", async () => {
    const { postgres, pgvector } = await on.store.version();
    expect(Number.parseInt(postgres)).toBeGreaterThanOrEqual(15);
    expect(pgvector).toMatch(/^0\.\d+/);
    await index.commit([file("a.py", [chunk(0, "x")])], []);
    await (await on.store.open({ ...INDEX, name: "gone", root: "/gone" })).truncate();
    await on.store.drop("gone");
    await on.store.vacuum();
  });

  it("forgets the vectors first that were not used for longest", { tags: ["slow"] }, async () => {
    await on.reopen(async (bare) => {
      await bare.query("delete from cocosearch_embeddings");
      // Room for two vectors of two dimensions.
      const cache = createEmbeddingCache(bare, 620, 1);
      const put = (hash: string) => cache.put("m", new Map([[hash, Float32Array.of(1, 2)]]));
      await put("a");
      await put("b");
      await bare.query("update cocosearch_embeddings set used_at = now() - interval '2 days'");
      await cache.get("m", ["a"]);
      await put("c");
      expect([...(await cache.get("m", ["a", "b", "c"])).keys()].toSorted()).toEqual(["a", "c"]);
    });
  });

  it("refuses a database that a newer version has changed", { tags: ["slow"] }, async () => {
    const setVersion = (sql: string) => on.reopen((bare) => bare.query(sql));
    await expect(
      setVersion("insert into cocosearch_migrations (version) values (999)"),
    ).rejects.toThrow("created by a newer version");
    await setVersion("delete from cocosearch_migrations where version = 999");
  });
});

leaveNothingBehind();
