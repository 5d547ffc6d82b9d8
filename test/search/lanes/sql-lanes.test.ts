/** The lanes in SQL and in memory over the same chunks: the same answers after any sequence of changes. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChunkFacts, Filter, LiveLanes } from "../../../server/contracts/lanes.ts";
import type { FileRecord } from "../../../server/contracts/model.ts";
import type { IndexStore, Store } from "../../../server/contracts/store.ts";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { createMemoryLanes } from "../../../server/search/lanes/memory-lanes.ts";
import { openSqlLanes } from "../../../server/search/lanes/sql-lanes.ts";
import { asSent } from "../../support/as-sent.ts";
import { DATABASES, type FreshDatabase } from "../../support/databases.ts";
import { random } from "../../support/random.ts";
import { categorizer, embedded, vectorOf } from "../support.ts";

const native = DATABASES.find(({ name }) => name === "a native Postgres");

const WORDS =
  "open close pool socket retry cache token user session file read write parse tree node walk";
const DIMENSION = 64;

/** Files of some chunks, each with a definition; the same for the same seed. */
function treeOf(seed: number, files: number): Map<string, StoredChunk[]> {
  const chance = random(seed);
  const words = WORDS.split(" ");
  const pick = () => chance.pick(words);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return new Map(
    Array.from({ length: files }, (_, file): [string, StoredChunk[]] => {
      const path = `src/${pick()}/${pick()}_${file}.${file % 3 === 0 ? "py" : "ts"}`;
      const languageId = file % 3 === 0 ? "python" : "typescript";
      const chunks = Array.from({ length: 1 + chance.int(4) }, (_unused, i) => {
        const text = Array.from({ length: 1 + chance.int(30) }, pick).join(" ");
        const kind = i % 2 === 0 ? "function" : "method";
        const name = i % 2 === 0 ? `${pick()}${capital(pick())}` : `${capital(pick())}.${pick()}`;
        // Some chunks define nothing.
        return embedded(path, text, chance.chance(0.2) ? "" : `${name}:${kind}`, {
          start: i * 1000,
          languageId,
        });
      });
      return [path, chunks];
    }),
  );
}

async function commit(store: IndexStore, path: string, chunks: readonly StoredChunk[]) {
  const file: FileRecord = {
    path,
    sha256: `${path} ${chunks.length}`,
    size: 1,
    mtimeMs: 1,
    languageId: chunks[0]?.languageId ?? "",
    category: "implementation",
    parse: { status: "ok" },
    secrets: 0,
  };
  await store.commit([{ file, chunks, vectors: chunks.map((c) => c.vector) }], []);
}

const QUERIES = ["open pool", "retry session token unheard", "cache", "user file read write open"];
const NAMES = ["openPool", "pool.open", "Pool.open", "open", "opne_pool", "sesion", "tree walk"];
const FILTERS: readonly [string, Filter | undefined][] = [
  ["no filter", undefined],
  ["a language", { languages: new Set(["python"]) }],
  ["a path", { matchesPath: (path) => path.startsWith("src/open/") }],
  ["all but one path", { matchesPath: (path) => !path.includes("pool_1.") }],
  ["a type", { symbolTypes: new Set(["method"]) }],
  ["a name", { matchesName: (name) => name.endsWith(".open") }],
];

describe.skipIf(native?.missing !== undefined)(native?.missing ?? "lanes in SQL", () => {
  let database: FreshDatabase;
  let store: Store;
  let index: IndexStore;
  const memory = createMemoryLanes({ categorizer });

  const open = (): Promise<LiveLanes> => {
    if (index.laneRows === undefined) throw new Error("this database has no rows for lanes");
    const rows = index.laneRows;
    return openSqlLanes({ rows, categorizer, dimension: () => DIMENSION });
  };

  beforeAll(async () => {
    database = (await native?.create()) as FreshDatabase;
    store = await database.open();
    index = await store.open({
      name: "shop",
      root: "/shop",
      modelId: "words",
      dimension: DIMENSION,
      chunkerVersion: "1",
    });
    for (const [path, chunks] of treeOf(3, 150)) {
      await commit(index, path, chunks);
      await memory.replace([path], chunks);
    }
  });
  afterAll(async () => {
    await store.close();
    await database.dispose();
  });

  /** `path@start score`, best first; scores to four digits, as numbers are rounded differently. */
  async function ask(
    lanes: LiveLanes,
    lane: "vector" | "keyword" | "symbol",
    text: string,
    filter: Filter | undefined,
    limit = 15,
  ) {
    const found =
      lane === "symbol"
        ? await lanes.symbol(text, { filter, limit })
        : lane === "vector"
          ? await lanes.vector(vectorOf(text), { filter, limit })
          : await lanes.keyword(text.split(" "), { filter, limit });
    const facts = await lanes.facts(found.map(({ chunk }) => chunk));
    return found.map(({ chunk, score }) => {
      const at = facts.get(chunk);
      return `${at?.path}@${at?.span.start} ${score.toFixed(4)}`;
    });
  }

  it("order by another vector like those in memory, with the cosines of the query", async () => {
    const bounds = { limit: 15, orderBy: vectorOf("socket parse walk") };
    const told = async (lanes: LiveLanes) =>
      (await lanes.vector(vectorOf("open pool"), bounds)).map(({ score, order }) => [
        expect.closeTo(score, 3),
        expect.closeTo(order ?? -1, 3),
      ]);
    const found = (await (await open()).vector(vectorOf("open pool"), bounds)).map(
      ({ score, order }) => [score, order],
    );
    expect(found).toEqual(await told(memory));
  });

  /** Sums of floats tie in one place and not in the other; a word that no chunk has is rated as rare, not as absent. */
  function toldBy(lane: string, text: string): (list: readonly string[]) => unknown[] {
    if (lane === "vector") return (list) => list.map((each) => Number(scoreOf(each)));
    if (text.includes("unheard")) return (list) => list.map(placeOf);
    return (list) => list.slice(0, 10);
  }

  it.each(FILTERS)("answer like those in memory with %s", async (_, filter) => {
    const lanes = await open();
    expect(lanes.size).toBe(memory.size);
    for (const lane of ["keyword", "vector", "symbol"] as const) {
      for (const text of lane === "symbol" ? NAMES : QUERIES) {
        // An exact search with the same statistics; only ties at the cutoff may differ.
        const told = toldBy(lane, text);
        expect(told(await ask(lanes, lane, text, filter)), `${lane} ${text}`).toEqual(
          told(await ask(memory, lane, text, filter)).map(nearly),
        );
      }
    }
  });

  it("find the files that contain a term, in chunks that pass a filter", async () => {
    const lanes = await open();
    const paths = [...treeOf(3, 150).keys()].slice(0, 40);
    const terms = ["pool", "open", "close", "absent"];
    for (const filter of [undefined, { languages: new Set(["python"]) }]) {
      const expected = await memory.filesWith(terms, paths, { filter });
      expect(await lanes.filesWith(terms, paths, { filter })).toEqual(expected);
      expect(expected[0]?.size).toBeGreaterThan(0);
      expect(expected[3]?.size).toBe(0);
    }
  });

  it("find the files of a stem and the chunks of a file", async () => {
    const lanes = await open();
    for (const path of [...treeOf(3, 150).keys()].slice(0, 20)) {
      const stem = path.replace(/.*\/|[._]|(py|ts)$/g, "");
      expect(lanes.pathsByStem(stem)).toEqual(memory.pathsByStem(stem));
      const [own, expected] = [await lanes.chunksOf([path]), await memory.chunksOf([path])];
      const inOrder = (facts: ReadonlyMap<number, ChunkFacts>) =>
        asSent([...facts.values()].toSorted((a, b) => a.span.start - b.span.start));
      expect(inOrder(await lanes.facts(own))).toEqual(inOrder(await memory.facts(expected)));
      const definitions = (await lanes.definitionsIn([path])).get(path) ?? [];
      expect(definitions).toEqual(asSent((await memory.definitionsIn([path])).get(path)));
      for (const withClasses of [false, true]) {
        const places = new Map([[path, definitions.map(({ lines: { end } }) => end)]]);
        const around = (await lanes.definitionsAround(places, withClasses)).get(path) ?? [];
        const expectedAround = (await memory.definitionsAround(places, withClasses)).get(path);
        expect(around).toEqual(asSent(expectedAround));
      }
    }
  });

  it("catch up with commits that no process followed", async () => {
    await (await open()).refreshStatistics();
    const changed = [...treeOf(4, 12)];
    for (const [path, chunks] of changed) {
      await commit(index, path, chunks);
      await memory.replace([path], chunks);
    }
    const [removed] = [...treeOf(3, 150).keys()];
    await index.commit([], [removed ?? ""]);
    await memory.replace([removed ?? ""], []);
    const lanes = await open();
    expect(lanes.size).toBe(memory.size);
    expect((await ask(lanes, "keyword", "token", undefined)).map(placeOf)).toEqual(
      (await ask(memory, "keyword", "token", undefined)).map(placeOf),
    );
  });

  it("follow commits one by one", async () => {
    const lanes = await open();
    const before = lanes.generation;
    for (const [path, chunks] of treeOf(5, 40)) {
      await commit(index, path, chunks);
      await lanes.replace([path], chunks);
      await memory.replace([path], chunks);
    }
    await lanes.refreshStatistics();
    expect(lanes.generation).not.toBe(before);
    expect(lanes.size).toBe(memory.size);
    for (const text of ["cache", "open pool"]) {
      expect((await ask(lanes, "keyword", text, undefined)).map(placeOf)).toEqual(
        (await ask(memory, "keyword", text, undefined)).map(placeOf),
      );
    }
  });

  it("find most near chunks through the vector index, and report the recall under a filter", async () => {
    const rows = index.laneRows;
    if (rows === undefined) return;
    const options = { rows, categorizer, dimension: () => DIMENSION };
    const walking = await openSqlLanes({ ...options, maxExact: 0 });
    const narrow: Filter = { matchesPath: (path) => path.startsWith("src/open/") };
    for (const filter of [undefined, narrow]) {
      const expected = new Set((await ask(memory, "vector", "open pool", filter, 10)).map(placeOf));
      const found = (await ask(walking, "vector", "open pool", filter, 10)).map(placeOf);
      expect(found).toHaveLength(expected.size);
      expect(found.filter((each) => expected.has(each)).length).toBeGreaterThanOrEqual(
        expected.size * 0.7,
      );
    }
  });

  it("score only chunks with the rarest words, if too many have the others", async () => {
    const rows = index.laneRows;
    if (rows === undefined) return;
    const frugal = await openSqlLanes({
      rows,
      categorizer,
      dimension: () => DIMENSION,
      maxScored: 1,
    });
    const found = await frugal.keyword(["open", "pool"], { limit: 1000 });
    const all = await memory.keyword(["open", "pool"], { limit: 1000 });
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(all.length);
  });

  it("are empty after the index was dropped", async () => {
    await store.drop("shop");
    expect(await store.find("shop")).toBeUndefined();
    index = await store.open({
      name: "shop",
      root: "/shop",
      modelId: "words",
      dimension: DIMENSION,
      chunkerVersion: "1",
    });
    expect((await open()).size).toBe(0);
  });
});

/** Numbers are kept in 16 bits by both, and not the same ones. */
const nearly = (each: unknown): unknown =>
  typeof each === "number" ? expect.closeTo(each, 3) : each;
const placeOf = (each: string) => each.split(" ")[0];
const scoreOf = (each: string) => each.split(" ")[1];
