/** The store, on both databases: what is committed is read back, and what may not be stored is refused. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DescribedChunk, FileRecord } from "../../server/model.ts";
import type { FileCommit, IndexStore, Store, StoredChunk } from "../../server/ports.ts";
import { DATABASES } from "../support/databases.ts";

const ROOT = "/home/me/shop";
const INDEX = { name: "shop", root: ROOT, modelId: "m1", dimension: 3, chunkerVersion: "1" };

function chunk(start: number, text: string, name?: string): DescribedChunk {
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
    words: text.toLowerCase(),
  };
}

function file(path: string, chunks: DescribedChunk[], vectors?: number[][]): FileCommit {
  const record: FileRecord = {
    path,
    sha256: `hash of ${path} ${chunks.length}`,
    size: 10,
    mtimeMs: 1.5,
    languageId: "python",
    category: "implementation",
    parse: { status: "partial", message: "line 3" },
  };
  return { file: record, chunks, vectors: chunks.map((_, i) => vector(vectors?.[i])) };
}

const vector = (numbers?: number[]) => numbers && Float32Array.from(numbers);

async function all(index: IndexStore): Promise<StoredChunk[]> {
  const chunks: StoredChunk[] = [];
  for await (const page of index.chunks()) chunks.push(...page);
  return chunks;
}

describe.each(DATABASES)("the store in $name", ({ missing, create }) => {
  describe.skipIf(missing !== undefined)(missing ?? "", () => {
    let database: Awaited<ReturnType<typeof create>>;
    let store: Store;
    let index: IndexStore;

    beforeAll(async () => {
      database = await create();
      store = await database.open();
    });
    afterAll(async () => {
      await store.close();
      await database.dispose();
    });
    beforeEach(async () => {
      for (const { name } of await store.list()) await store.drop(name);
      index = await store.open(INDEX);
    });

    it("gives back what was committed, by path and place, vectors to the bit", async () => {
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
      const { text, ...stored } = second;
      expect(chunks[2]).toEqual({
        ...stored,
        path: "b.py",
        languageId: "python",
        vector: Float32Array.from([0.1, -0.2, 1e-30]),
      });
      expect(await index.text("b.py", second.span)).toBe(text);
      expect(await index.counts()).toMatchObject({ files: 2, chunks: 3, pending: 0 });
      expect(await index.hashes()).toEqual(
        new Map([
          ["a.py", "hash of a.py 1"],
          ["b.py", "hash of b.py 2"],
        ]),
      );
      expect(await index.parseSummary()).toEqual([
        { languageId: "python", ok: 0, partial: 2, error: 0, noGrammar: 0 },
      ]);
    });

    it("replaces a file as a whole and removes what is gone", async () => {
      const many = Array.from({ length: 5 }, (_, i) => chunk(i * 10, `text ${i}`));
      await index.commit([file("a.py", many), file("b.py", many)], []);
      await index.commit([file("a.py", [chunk(0, "new")])], ["b.py"]);
      expect((await all(index)).map(({ path, words }) => [path, words])).toEqual([["a.py", "new"]]);
      expect([...(await index.hashes()).keys()]).toEqual(["a.py"]);
    });

    it("stores nothing of a batch of which one file fails", async () => {
      await index.commit([file("a.py", [chunk(0, "old")])], []);
      const batch = [file("a.py", [chunk(0, "new")]), file("b.py", [chunk(0, "x")], [[1, NaN, 0]])];
      await expect(index.commit(batch, [])).rejects.toThrow("not finite");
      expect((await all(index)).map(({ words }) => words)).toEqual(["old"]);
    });

    it.each([
      ["not finite", [1, Infinity, 0]],
      ["all zero", [0, 0, 0]],
    ])("refuses a vector that is %s", async (reason, numbers) => {
      const batch = [file("a.py", [chunk(0, "x")], [numbers])];
      await expect(index.commit(batch, [])).rejects.toThrow(reason);
    });

    it("counts chunks without a vector as pending until they have one", async () => {
      await index.commit([file("a.py", [chunk(0, "one", "f"), chunk(9, "two")])], []);
      const pending = await index.pending(10);
      expect(pending).toEqual([
        { path: "a.py", span: { start: 0, end: 3 }, text: "one", names: ["f"] },
        { path: "a.py", span: { start: 9, end: 12 }, text: "two", names: [] },
      ]);
      await index.setVectors([
        { path: "a.py", span: { start: 0, end: 3 }, vector: Float32Array.of(1, 0, 0) },
        { path: "gone.py", span: { start: 0, end: 3 }, vector: Float32Array.of(1, 0, 0) },
      ]);
      expect(await index.counts()).toMatchObject({ chunks: 2, pending: 1 });
      await expect(
        index.setVectors([
          { path: "a.py", span: { start: 9, end: 12 }, vector: Float32Array.of(1, 0) },
        ]),
      ).rejects.toThrow("2 dimensions and the index 3");
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
      expect(await index.text(stored?.path ?? "", stored?.span ?? { start: 0, end: 1 })).toBe(
        odd.replace("\0", "\ufffd").replace("\ud800", "\ufffd"),
      );
    });

    it("stores a chunk of one endless word", async () => {
      await index.commit([file("a.py", [chunk(0, "x".repeat(500_000))])], []);
      expect(await index.counts()).toMatchObject({ chunks: 1 });
    });

    it.each(["a; drop table x", 'a"b', "", "x".repeat(65), "ünï"])(
      "refuses the index name %j",
      async (name) => {
        await expect(store.open({ ...INDEX, name })).rejects.toThrow("index name");
      },
    );

    it("keeps indexes apart whose names look alike", async () => {
      for (const name of ["Shop", "shop-", "shop.", "s".repeat(64), `${"s".repeat(63)}t`]) {
        const other = await store.open({ ...INDEX, name, root: `/${name}` });
        expect(await other.counts()).toMatchObject({ chunks: 0 });
        await other.commit([file("a.py", [chunk(0, name)])], []);
      }
      expect(await store.list()).toHaveLength(6);
      expect(await index.counts()).toMatchObject({ chunks: 0 });
    });

    it("names an index after its folder, and beside it where another folder has the name", async () => {
      expect(await store.nameFor(ROOT, "")).toBe("shop");
      const beside = await store.nameFor("/other/shop", "");
      expect(beside).toMatch(/^shop-[0-9a-f]{8}$/);
      await store.open({ ...INDEX, name: beside, root: "/other/shop" });
      expect(await store.nameFor("/other/shop", "")).toBe(beside);
      expect(await store.nameFor("/odd/ö ö", "")).toBe("workspace");
    });

    it("forgets an index with all its tables", async () => {
      expect(await store.drop("shop")).toBe(true);
      expect(await store.drop("shop")).toBe(false);
      expect(await store.find("shop")).toBeUndefined();
      const again = await store.open(INDEX);
      expect(await again.counts()).toMatchObject({ files: 0, chunks: 0 });
    });

    it("keeps everything over a restart", async () => {
      await index.commit([file("a.py", [chunk(0, "one")], [[1, 0, 0]])], []);
      await store.close();
      store = await database.open();
      const found = await store.find("shop");
      expect(await found?.counts()).toMatchObject({ chunks: 1, pending: 0 });
    });

    it("remembers vectors by model and text", async () => {
      await store.embeddings.put("m1", new Map([["h1", Float32Array.of(1, 2)]]));
      expect(await store.embeddings.get("m1", ["h1", "h2"])).toEqual(
        new Map([["h1", Float32Array.of(1, 2)]]),
      );
      expect(await store.embeddings.get("m2", ["h1"])).toEqual(new Map());
    });

    it("says what it is", async () => {
      const { postgres, pgvector } = await store.version();
      expect(Number.parseInt(postgres)).toBeGreaterThanOrEqual(15);
      expect(pgvector).toMatch(/^0\.\d+/);
      await store.tidy();
    });
  });
});
