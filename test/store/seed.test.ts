/** A new index with the files of another one, on both databases. */

import { beforeEach, expect, it } from "vitest";
import type { FileCommit, IndexStore } from "../../server/contracts/store.ts";
import { describeStores } from "../support/databases.ts";

const ALIKE = { modelId: "m1", dimension: 3, chunkerVersion: "1" };
const MAIN = { name: "main", root: "/home/me/main", ...ALIKE };
const TREE = { name: "tree", root: "/home/me/tree", ...ALIKE };

const hashOf = (path: string) => `hash of ${path}`;

function file(path: string): FileCommit {
  const lines = { start: 0, end: 1 };
  const text = `def ${path.slice(0, 1)}(): pass`;
  return {
    file: {
      path,
      sha256: hashOf(path),
      size: 10,
      mtimeMs: 1.5,
      statFingerprint: "of main",
      languageId: "python",
      category: "implementation",
      parse: { status: "partial", message: "line 3" },
      secrets: 1,
    },
    chunks: [{ span: { start: 0, end: text.length }, lines, text, symbols: [], context: lines }],
    vectors: [Float32Array.from([1, 0, 0])],
    facts: Uint8Array.of(1, 2, 3),
  };
}

const seedOf = (...paths: string[]) => ({
  from: "main",
  files: paths.map((path) => ({ path, sha256: hashOf(path) })),
});

async function pathsOf(index: IndexStore): Promise<string[]> {
  const paths: string[] = [];
  for await (const page of index.chunks()) paths.push(...page.map(({ path }) => path));
  return paths;
}

describeStores("a new index", (on) => {
  let main: IndexStore;

  beforeEach(async () => {
    for (const { name } of await on.store.list()) await on.store.drop(name);
    main = await on.store.open(MAIN);
    await main.commit([file("a.py"), file("b.py"), file("c.py")], []);
  });

  it("begins with the rows of files that are still stored with that content", async () => {
    const { from, files } = seedOf("a.py", "b.py", "never.py");
    const seed = { from, files: [{ path: "c.py", sha256: "of another content" }, ...files] };
    const tree = await on.store.open(TREE, seed);
    expect(await pathsOf(tree)).toEqual(["a.py", "b.py"]);
    expect([...(await tree.hashes())]).toEqual([
      ["a.py", hashOf("a.py")],
      ["b.py", hashOf("b.py")],
    ]);
    expect(await tree.statFingerprints()).toEqual(new Map());
    expect(await tree.counts()).toMatchObject({ files: 2, chunks: 2, pending: 0, secrets: 2 });
    expect((await tree.factsOf(["a.py"])).map(({ facts }) => [...facts])).toEqual([[1, 2, 3]]);
    expect(await tree.parseSummary()).toMatchObject([{ languageId: "python", partial: 2 }]);
    expect(await tree.hasAllEdges()).toBe(false);
    expect((await tree.record()).state).toBe("partial");
    expect(await tree.checkAll()).toBe(true);
    await main.commit([], ["a.py"]);
    expect(await pathsOf(tree)).toEqual(["a.py", "b.py"]);
  });

  it("begins with kept rows of files, which the other one keeps", async () => {
    const before = await main.chunksOf(["a.py", "b.py"]);
    const facts = await main.factsOf(["a.py"]);
    const changed = file("a.py");
    const other = { ...changed, file: { ...changed.file, sha256: "of another content" } };
    await main.commit([other], ["b.py"], true);
    const { from, files } = seedOf("b.py", "c.py", "never.py");
    const stamped = { path: "a.py", sha256: hashOf("a.py"), statFingerprint: "of tree" };
    const tree = await on.store.open(TREE, { from, files: [stamped, ...files] });
    const paths = ["a.py", "b.py", "c.py"];
    expect(await tree.hashes()).toEqual(new Map(paths.map((path) => [path, hashOf(path)])));
    expect(await tree.chunksOf(["a.py", "b.py"])).toEqual(before);
    expect(await tree.factsOf(["a.py"])).toEqual(facts);
    expect(await tree.statFingerprints()).toEqual(new Map([["a.py", "of tree"]]));
    expect(await tree.counts()).toMatchObject({ files: 3, chunks: 3, pending: 0, secrets: 3 });
    expect(await tree.checkAll()).toBe(true);
    expect(await tree.kept()).toEqual(new Map());
    expect(await main.kept()).toEqual(
      new Map([
        ["a.py", new Set([hashOf("a.py")])],
        ["b.py", new Set([hashOf("b.py")])],
      ]),
    );
  });

  it("keeps the stat fingerprints of its own files", async () => {
    const [one] = seedOf("a.py").files;
    const files = [{ path: "a.py", sha256: "", ...one, statFingerprint: "of tree" }];
    const tree = await on.store.open(TREE, { from: "main", files });
    expect(await tree.statFingerprints()).toEqual(new Map([["a.py", "of tree"]]));
  });

  it.each([
    ["another model", { modelId: "m2" }],
    ["vectors of another dimension", { dimension: 4 }],
    ["other chunks", { chunkerVersion: "2" }],
  ])("begins empty if the other one has %s", async (_, difference) => {
    const tree = await on.store.open({ ...TREE, ...difference }, seedOf("a.py"));
    expect(await pathsOf(tree)).toEqual([]);
    expect((await tree.record()).dimension).toBe({ ...TREE, ...difference }.dimension);
  });

  it("begins empty if the other one was dropped", async () => {
    await on.store.drop("main");
    expect(await pathsOf(await on.store.open(TREE, seedOf("a.py")))).toEqual([]);
  });

  it("learns the dimension of its vectors", async () => {
    const tree = await on.store.open({ ...TREE, dimension: 0 }, seedOf("a.py"));
    expect((await tree.record()).dimension).toBe(3);
  });

  it("begins with the history of the other one, and keeps its own", async () => {
    const row = { sha: "1", time: 1, author: "Ada", subject: "One", body: "", files: [] };
    await main.history.open();
    await main.history.setMark({ position: "p", fingerprint: "f" });
    await main.history.commit([{ ...row, hunks: [], lanes: "AAAA" }], []);
    const tree = await on.store.open(TREE, seedOf("a.py"));
    await tree.history.open();
    expect(await tree.history.shas()).toEqual(["1"]);
    expect(await tree.history.mark()).toEqual({ position: "p", fingerprint: "f" });
    await tree.history.commit([], ["1"]);
    await tree.history.open();
    expect(await tree.history.shas()).toEqual([]);
    expect(await main.history.shas()).toEqual(["1"]);
  });

  it("an index that exists already is not changed", async () => {
    const tree = await on.store.open(TREE);
    await tree.commit([file("d.py")], []);
    expect(await pathsOf(await on.store.open(TREE, seedOf("a.py")))).toEqual(["d.py"]);
  });
});
