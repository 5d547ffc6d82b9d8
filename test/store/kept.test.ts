/** Rows of replaced and removed files that are kept and taken back, on both databases. */

import { beforeEach, expect, it } from "vitest";
import { PARSE_TIMEOUT } from "../../server/contracts/model.ts";
import type { FileCommit, IndexStore } from "../../server/contracts/store.ts";
import { tablesOf } from "../../server/store/names.ts";
import { describeStores } from "../support/databases.ts";

const DAY_MS = 86_400_000;
const MAIN = { name: "main", root: "/w/main", modelId: "m1", dimension: 3, chunkerVersion: "1" };

/** A content of a file: a chunk per word. */
function file(path: string, content: string, more: Partial<FileCommit["file"]> = {}): FileCommit {
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
      parse: { status: "partial", message: "line 3" },
      secrets: 1,
      ...more,
    },
    chunks: words.map((text, i) => ({
      span: { start: i * 10, end: i * 10 + text.length },
      lines,
      text,
      symbols: [{ name: text, type: "function", line: 0, signature: text, end: 1 }] as never,
      context: lines,
      blockType: "function",
      hierarchy: `of ${text}`,
    })),
    vectors: words.map((_, i) => Float32Array.from([1, i, 0])),
    facts: Uint8Array.of(content.length, 2, 3),
  };
}

const wanted = (path: string, content: string) => ({ path, sha256: `hash of ${content}` });

describeStores("kept rows", (on) => {
  let index: IndexStore;

  beforeEach(async () => {
    await on.store.drop("main");
    index = await on.store.open(MAIN);
    await index.commit([file("a.py", "one two"), file("b.py", "three")], []);
  });

  /** All that a reader of the index sees. */
  const contents = async () => ({
    hashes: [...(await index.hashes())],
    chunks: await index.chunksOf(["a.py", "b.py", "c.py"]),
    facts: await index.factsOf(["a.py", "b.py", "c.py"]),
    counts: { ...(await index.counts()), bytes: 0 },
    parse: await index.parseSummary(),
    isWhole: await index.checkAll(),
  });

  it("belong to replaced and removed files, and come back as they were", async () => {
    const before = await contents();
    await index.commit([file("a.py", "four five six")], ["b.py"], true);
    const between = await contents();
    expect(between).not.toEqual(before);
    expect(await index.kept(["a.py", "b.py", "c.py"])).toEqual(
      new Map([
        ["a.py", new Set(["hash of one two"])],
        ["b.py", new Set(["hash of three"])],
      ]),
    );
    const back = [wanted("a.py", "one two"), wanted("b.py", "three")];
    expect((await index.takeBack(back)).toSorted()).toEqual(["a.py", "b.py"]);
    expect(await contents()).toEqual(before);
    // The replaced content is kept in turn, and the other one is not kept any more.
    expect(await index.kept(["a.py", "b.py"])).toEqual(
      new Map([["a.py", new Set(["hash of four five six"])]]),
    );
    await index.commit([], ["b.py"], true);
    expect(await index.takeBack([wanted("a.py", "four five six")])).toEqual(["a.py"]);
    expect(await contents()).toEqual(between);
  });

  it("are none unless the commit keeps them", async () => {
    await index.commit([file("a.py", "four")], ["b.py"]);
    expect(await index.kept(["a.py", "b.py"])).toEqual(new Map());
    expect(await index.takeBack([wanted("a.py", "one two")])).toEqual([]);
    expect((await index.hashes()).get("a.py")).toBe("hash of four");
  });

  it("come with the stat fingerprint of the file that is there now", async () => {
    await index.commit([file("a.py", "four")], ["b.py"], true);
    await index.takeBack([
      { ...wanted("a.py", "one two"), statFingerprint: "now" },
      wanted("b.py", "three"),
    ]);
    expect(await index.statFingerprints()).toEqual(new Map([["a.py", "now"]]));
  });

  it("change the state of the index, whose edges are outdated then", async () => {
    await index.commit([file("a.py", "four")], [], true);
    const before = await index.stateId();
    await index.takeBack([wanted("a.py", "one two")]);
    expect(await index.stateId()).not.toBe(before);
    expect((await index.factsOf(["a.py"]))[0]?.edgesHash).toBe("");
  });

  it("are not taken back for another path, another content or the current one", async () => {
    await index.commit([file("a.py", "four")], [], true);
    const others = [wanted("b.py", "one two"), wanted("a.py", "four"), wanted("a.py", "five")];
    expect(await index.takeBack(others)).toEqual([]);
    await index.commit([file("a.py", "one two")], [], true);
    expect(await index.takeBack([wanted("a.py", "one two")])).toEqual([]);
  });

  it("do not belong to a file whose rows depend on more than its content", async () => {
    const timedOut = { parse: { status: "error", message: `${PARSE_TIMEOUT} of 2 s` } } as const;
    const encoded = { encoding: { name: "latin1", isGuess: false } };
    await index.commit([file("a.py", "x", timedOut), file("b.py", "y", encoded)], []);
    await index.commit([], ["a.py", "b.py"], true);
    expect(await index.kept(["a.py", "b.py"])).toEqual(new Map());
  });

  it("rows of the same content are kept once", async () => {
    await index.commit([file("a.py", "four")], [], true);
    await index.commit([file("a.py", "one two")], []);
    await index.commit([file("a.py", "four")], [], true);
    expect(await index.takeBack([wanted("a.py", "one two")])).toEqual(["a.py"]);
    expect(await index.chunksOf(["a.py"])).toHaveLength(2);
    expect(await index.checkAll()).toBe(true);
  });

  it("rows that have lost a chunk are not taken back", async () => {
    await index.commit([file("a.py", "four")], ["b.py"], true);
    await on.reopen((bare) =>
      bare.query(`delete from ${tablesOf("main").kept.chunks} where content_text = 'two'`),
    );
    index = await on.store.open(MAIN);
    const back = [wanted("a.py", "one two"), wanted("b.py", "three")];
    expect(await index.takeBack(back)).toEqual(["b.py"]);
  });

  it.each(["model_id", "chunker_version"])(
    "rows are not taken back if an older program changed the %s",
    async (column) => {
      await index.commit([file("a.py", "four")], [], true);
      await on.reopen((bare) =>
        bare.query(`update cocosearch_indexes set ${column} = 'another' where name = 'main'`),
      );
      index = await on.store.open(MAIN);
      expect(await index.takeBack([wanted("a.py", "one two")])).toEqual([]);
    },
  );

  it("are not taken back with facts of another version", async () => {
    await index.commit([file("a.py", "four")], [], true);
    await on.reopen((bare) =>
      bare.query(
        `update ${tablesOf("main").kept.files} set made_by = regexp_replace(made_by, '\\d+]$', '0]')`,
      ),
    );
    index = await on.store.open(MAIN);
    expect(await index.takeBack([wanted("a.py", "one two")])).toEqual([]);
  });

  it("rows with pending chunks come back pending", async () => {
    await index.commit([{ ...file("a.py", "four"), vectors: [undefined] }], []);
    await index.commit([file("a.py", "five")], [], true);
    await index.takeBack([wanted("a.py", "four")]);
    expect((await index.pending(9)).map(({ text }) => text)).toEqual(["four"]);
  });

  it("go after a week", async () => {
    await index.commit([file("a.py", "four five")], [], true);
    await index.pruneKept(Date.now() + 6 * DAY_MS);
    expect((await index.kept(["a.py"])).size).toBe(1);
    await index.pruneKept(Date.now() + 8 * DAY_MS);
    expect((await index.kept(["a.py"])).size).toBe(0);
  });

  it("are at most as many chunks as the index has, the newest", async () => {
    await index.commit([file("a.py", "four")], [], true);
    await index.commit([file("a.py", "five")], [], true);
    await index.commit([file("a.py", "six")], [], true);
    await index.pruneKept(Date.now());
    const newest = new Set(["hash of four", "hash of five"]);
    expect(await index.kept(["a.py"])).toEqual(new Map([["a.py", newest]]));
  });

  it.each<[string, () => Promise<unknown>]>([
    ["another model", () => index.update({ modelId: "m2", dimension: 3 })],
    ["emptying the index", () => index.truncate()],
    ["forgetting them", () => index.forgetKept()],
    [
      "dropping the index",
      async () => {
        await on.store.drop("main");
        index = await on.store.open(MAIN);
      },
    ],
  ])("go with %s", async (_, change) => {
    await index.commit([file("a.py", "four")], [], true);
    await change();
    expect(await index.kept(["a.py"])).toEqual(new Map());
    expect(await index.takeBack([wanted("a.py", "one two")])).toEqual([]);
  });

  it("count as space of the index, and can be vacuumed", async () => {
    await index.commit([], ["b.py"], true);
    const { bytes } = await index.counts();
    await index.forgetKept();
    expect((await index.counts()).bytes).toBeLessThan(bytes);
    await on.store.vacuum();
    await index.commit([], ["a.py"], true);
    await on.store.vacuum();
  });
});
