/** The lanes in memory: their answers, filters applied inside the lanes, and independence from earlier changes. */

import { describe, expect, it } from "vitest";
import type { Candidate, Filter, LiveLanes } from "../../../server/contracts/lanes.ts";
import type { CodeSymbol } from "../../../server/contracts/model.ts";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { createMemoryLanes } from "../../../server/search/lanes/memory-lanes.ts";
import type { Categorizer } from "../../../server/search/lanes/path-categories.ts";
import { forAllRandom } from "../../support/random.ts";
import { categorizer, categoryOf, chunkOf, embedded, lanesOf, vectorOf } from "../support.ts";

/** `path@start`, best first. */
async function placesOf(lanes: LiveLanes, candidates: readonly Candidate[]): Promise<string[]> {
  const facts = await lanes.facts(candidates.map(({ chunk }) => chunk));
  return candidates.map(({ chunk }) => {
    const found = facts.get(chunk);
    return `${found?.path}@${found?.span.start}`;
  });
}

const keyword = async (lanes: LiveLanes, words: string, filter?: Filter, limit = 10) =>
  await placesOf(lanes, await lanes.keyword(words.split(" "), { filter, limit }));

describe("keyword lane", () => {
  it("finds chunks with any of the words, the rare word first", async () => {
    const lanes = lanesOf(
      chunkOf("a", "open open"),
      chunkOf("b", "open the socket"),
      chunkOf("c", "open a file"),
      chunkOf("d", "nothing"),
    );
    expect((await keyword(lanes, "open socket"))[0]).toBe("b@0");
    expect(await keyword(lanes, "open socket")).toHaveLength(3);
  });

  it("finds the chunk itself, however often a word occurs in it", async () => {
    const lanes = lanesOf(chunkOf("a", "open ".repeat(100)), chunkOf("b", "close"));
    expect(await keyword(lanes, "open")).toEqual(["a@0"]);
  });

  it("counts a word more in a name and in the file's name than in the text", async () => {
    const lanes = lanesOf(
      chunkOf("x/one.ts", "retry the call now"),
      chunkOf("x/two.ts", "retry the call now", "retryCall"),
      chunkOf("x/retry.ts", "call it once more"),
    );
    expect((await keyword(lanes, "retry")).at(-1)).toBe("x/one.ts@0");
  });

  it("prefers the whole identifier to its parts", async () => {
    const lanes = lanesOf(chunkOf("a", "user get by id"), chunkOf("b", "x getUserById"));
    expect(await keyword(lanes, "get user by id getuserbyid")).toEqual(["b@0", "a@0"]);
  });

  it("scores relative to the attainable maximum: the more of the query a chunk has, the closer to one", async () => {
    const lanes = lanesOf(chunkOf("a", "open socket"), chunkOf("b", "else"));
    const [all] = await lanes.keyword(["open", "socket"], { limit: 1 });
    const [half] = await lanes.keyword(["open", "unheard"], { limit: 1 });
    expect(all?.score).toBeLessThan(1);
    expect(half?.score).toBeLessThan((all?.score ?? 0) * 0.6);
  });

  it("finds nothing for nothing, and in nothing", async () => {
    expect(await keyword(lanesOf(chunkOf("a", "open")), "")).toEqual([]);
    expect(await keyword(lanesOf(), "open")).toEqual([]);
  });

  it("breaks ties by path and place, not by the order of indexing", async () => {
    const lanes = lanesOf(
      chunkOf("b", "open"),
      chunkOf("a", "open", "", { start: 9 }),
      chunkOf("a", "open"),
    );
    expect(await keyword(lanes, "open")).toEqual(["a@0", "a@9", "b@0"]);
    expect(await keyword(lanes, "open", undefined, 2)).toEqual(["a@0", "a@9"]);
  });
});

describe("vector lane", () => {
  it("finds the nearest, leaving out chunks whose vector is pending", async () => {
    const lanes = lanesOf(embedded("a", "red"), embedded("b", "red green"), chunkOf("c", "red"));
    const found = await lanes.vector(vectorOf("red"), { limit: 10 });
    expect(await placesOf(lanes, found)).toEqual(["a@0", "b@0"]);
    expect(found[0]?.score).toBeCloseTo(1);
  });

  it("is in the order of another vector, with the cosines of the query", async () => {
    const lanes = lanesOf(embedded("a", "red"), embedded("b", "red green"), embedded("c", "green"));
    const bounds = { limit: 2, orderBy: vectorOf("green") };
    const found = await lanes.vector(vectorOf("red"), bounds);
    expect(await placesOf(lanes, found)).toEqual(["c@0", "b@0"]);
    expect(found.map(({ score }) => score)).toEqual([
      expect.closeTo(0),
      expect.closeTo(Math.SQRT1_2),
    ]);
    expect(found.map(({ order }) => order)).toEqual([
      expect.closeTo(1),
      expect.closeTo(Math.SQRT1_2),
    ]);
  });

  it("finds a chunk once its vector has come", async () => {
    const lanes = lanesOf(chunkOf("a", "red"));
    await lanes.setVectors([
      { path: "a", span: { start: 0, end: 3 }, vector: vectorOf("red") },
      { path: "a", span: { start: 0, end: 99 }, vector: vectorOf("red") },
      { path: "gone", span: { start: 0, end: 3 }, vector: vectorOf("red") },
    ]);
    expect(await placesOf(lanes, await lanes.vector(vectorOf("red"), { limit: 10 }))).toEqual([
      "a@0",
    ]);
  });

  it("refuses a query of another model", async () => {
    const ask = lanesOf(embedded("a", "red")).vector(new Float32Array(3), { limit: 10 });
    await expect(ask).rejects.toThrow("the query has 3 dimensions, the index 64");
  });
});

describe("symbol lane", () => {
  it("finds names over all definitions of a chunk, exact ones first", async () => {
    const lanes = lanesOf(
      chunkOf("a", "", "openAll:function"),
      chunkOf("b", "", "close:function Pool.open:method"),
      chunkOf("c", "", "Open:class"),
    );
    expect(await placesOf(lanes, await lanes.symbol("open", { limit: 10 }))).toEqual([
      "b@0",
      "c@0",
      "a@0",
    ]);
  });
});

describe("filters hold inside each lane", () => {
  /** Fifty chunks that score higher than the only allowed one. */
  const lanes = lanesOf(
    ...Array.from({ length: 50 }, (_, i) => embedded(`src/${i}.ts`, "open pool", "open:function")),
    embedded("lib/x.py", "open the door quickly", "openDoor:class", { languageId: "python" }),
  );
  const FILTERS: [string, Filter][] = [
    ["language", { languages: new Set(["python"]) }],
    ["type", { symbolTypes: new Set(["class"]) }],
    ["name", { matchesName: (name) => name.endsWith("Door") }],
    ["path", { matchesPath: (path) => path.startsWith("lib/") }],
  ];
  it.each(FILTERS)("by %s", async (_, filter) => {
    expect(await keyword(lanes, "open pool", filter, 3)).toEqual(["lib/x.py@0"]);
    expect(await placesOf(lanes, await lanes.symbol("open", { filter, limit: 3 }))).toEqual([
      "lib/x.py@0",
    ]);
    expect(
      await placesOf(lanes, await lanes.vector(vectorOf("open pool"), { filter, limit: 3 })),
    ).toEqual(["lib/x.py@0"]);
  });

  it("sees chunks that came after the filter was first used", async () => {
    const grown = lanesOf(chunkOf("lib/a", "open"));
    const filter: Filter = { matchesPath: (path) => path.startsWith("lib/") };
    expect(await keyword(grown, "open", filter)).toEqual(["lib/a@0"]);
    await grown.replace([], [chunkOf("lib/b", "open")]);
    expect(await keyword(grown, "open", filter)).toEqual(["lib/a@0", "lib/b@0"]);
  });
});

describe("the files that contain a term", () => {
  /** Files of several chunks, whose slots were taken in any order and are partly removed. */
  async function scattered() {
    const lanes = createMemoryLanes({ categorizer });
    const paths = Array.from({ length: 30 }, (_, i) => `${i}.ts`);
    for (let round = 0; round < 4; round++) {
      for (const [i, path] of paths.entries()) {
        const text = `w${(i * (round + 3)) % 7} always`;
        const start = ((round * 7 + i) % 4) * 10;
        await lanes.replace([], [chunkOf(path, text, `s${i}:function`, { start })]);
      }
    }
    await lanes.replace(paths.slice(0, 5), [chunkOf("0.ts", "w1")]);
    return { lanes, paths };
  }
  const terms = ["w0", "w1", "w2", "w3", "always", "absent"];

  it("are the files of the chunks that contain it", async () => {
    const { lanes, paths } = await scattered();
    const wanted = paths.filter((_, i) => i % 3 !== 1);
    const found = await lanes.filesWith(terms, wanted, {});
    const filter = { matchesPath: (path: string) => wanted.includes(path) };
    const chunks = await lanes.containing(
      terms.map((term) => [term]),
      { filter, limit: 1_000 },
    );
    for (const [i, own] of chunks.entries()) {
      const facts = await lanes.facts(own);
      expect(found[i]).toEqual(new Set([...facts.values()].map(({ path }) => path)));
    }
    expect(found.map(({ size }) => size)).toEqual([2, 11, 10, 10, 17, 0]);
  });

  it("pass a filter of definitions", async () => {
    const { lanes, paths } = await scattered();
    const filter = {
      matchesPath: () => false,
      matchesName: (name: string) => name === "s7" || name === "s8",
    };
    expect(await lanes.filesWith(["always"], paths, { filter })).toEqual([
      new Set(["7.ts", "8.ts"]),
    ]);
  });
});

describe("the categories of files", () => {
  it("are decided once a pass, not by the question after it", async () => {
    const asked: string[][] = [];
    const lanes = createMemoryLanes({
      *categorizer(paths) {
        const seen: string[] = [];
        asked.push(seen);
        for (const path of paths) {
          seen.push(path);
          yield;
        }
        return categoryOf;
      },
    });
    const categoriesOf = async () => {
      const facts = await lanes.facts(await lanes.chunksOf(["a.ts", "b.test.ts"]));
      return [...facts.values()].map(({ category }) => category);
    };
    await lanes.replace([], [chunkOf("a.ts", "open")]);
    await lanes.refreshStatistics();
    expect(asked).toEqual([["a.ts"]]);
    expect(await categoriesOf()).toEqual(["implementation"]);

    await lanes.replace([], [chunkOf("c.ts", "open")]);
    const preparing = lanes.refreshStatistics();
    await lanes.replace([], [chunkOf("b.test.ts", "open")]);
    await preparing;
    await lanes.refreshStatistics();
    expect(asked.at(-1)).toEqual(["a.ts", "c.ts", "b.test.ts"]);
    const before = asked.length;
    expect(await categoriesOf()).toEqual(["implementation", "test"]);
    expect(asked.length).toBe(before);
  });
});

describe("tidying up", () => {
  it("runs between searches without changing their answers or the packed lanes", async () => {
    const lanes = createMemoryLanes({ categorizer });
    for (let i = 0; i < 4_000; i++) await lanes.replace([], [chunkOf(`${i}.ts`, `open w${i}`)]);
    const gone = Array.from({ length: 1_200 }, (_, i) => `${3 * i}.ts`);
    await lanes.replace(gone, []);
    const only = { matchesPath: (path: string) => path.startsWith("7") };
    const ask = async () =>
      placesOf(lanes, await lanes.keyword(["open"], { filter: only, limit: 40 }));
    const [before, found] = [lanes.generation, await ask()];
    const packing = lanes.pack();
    packing?.next();
    let steps = 0;
    for (const _ of lanes.tidy()) {
      steps++;
      expect(await ask()).toEqual(found);
    }
    expect(steps).toBeGreaterThan(2);
    expect(await ask()).toEqual(found);
    expect(lanes.generation).not.toBe(before);
    expect([...lanes.tidy()]).toEqual([]);
  });
});

describe("changes", () => {
  it("forgets a removed file always", async () => {
    const lanes = lanesOf(embedded("src/pool.ts", "open", "open:function"), embedded("b", "open"));
    const [first] = await lanes.symbol("open", { limit: 1 });
    await lanes.replace(["src/pool.ts"], []);
    expect(await keyword(lanes, "open")).toEqual(["b@0"]);
    expect(await lanes.symbol("open", { limit: 10 })).toEqual([]);
    expect(await placesOf(lanes, await lanes.vector(vectorOf("open"), { limit: 10 }))).toEqual([
      "b@0",
    ]);
    expect(await lanes.chunksOf(["src/pool.ts"])).toEqual([]);
    expect(lanes.pathsByStem("pool")).toEqual([]);
    expect(await lanes.facts([first?.chunk ?? -1])).toEqual(new Map());
    expect(lanes.size).toBe(1);
  });

  it("gives each state its own generation, even after opening again", async () => {
    const lanes = lanesOf(chunkOf("a", "open"));
    const seen = [lanes.generation];
    await lanes.replace([], [chunkOf("b", "open")]);
    seen.push(lanes.generation);
    await lanes.replace(["a"], []);
    seen.push(lanes.generation, lanesOf(chunkOf("a", "open")).generation);
    expect(new Set(seen).size).toBe(4);
  });

  it("keeps a file's chunks in source order, though they came in pages", async () => {
    const lanes = lanesOf(
      chunkOf("a", "x", "", { start: 50 }),
      chunkOf("a", "y", "", { start: 5 }),
    );
    const chunks = await lanes.chunksOf(["a"]);
    const facts = await lanes.facts(chunks);
    expect(chunks.map((chunk) => facts.get(chunk)?.span.start)).toEqual([5, 50]);
  });

  it("finds files by their stem, however it is written", () => {
    const lanes = lanesOf(
      chunkOf("src/user-service.test.ts", ""),
      chunkOf("lib/UserService.py", ""),
    );
    expect(lanes.pathsByStem("userservice")).toEqual([
      "lib/UserService.py",
      "src/user-service.test.ts",
    ]);
  });
});

describe("history leaves no trace", () => {
  const WORDS = "open close pool socket retry cache token user session file read write".split(" ");

  it.each([
    ["and no cleanup ran", async () => {}],
    ["and tidied up", async (lanes: LiveLanes) => void [...lanes.tidy()]],
    ["with room for more", async (lanes: LiveLanes) => void [...lanes.makeRoom(500)]],
    [
      "with its unused room given back while it changed",
      async (lanes: LiveLanes) => {
        if (lanes.size % 7 !== 0) return;
        const trimming = lanes.refreshStatistics();
        await lanes.replace([], [chunkOf("new.ts", "open pool socket")]);
        await trimming;
        await lanes.refreshStatistics();
        await lanes.replace(["new.ts"], []);
      },
    ],
    [
      "while it was tidied up",
      async (lanes: LiveLanes) => {
        const steps = lanes.tidy();
        if (steps.next().done === true) return;
        await lanes.replace([], [chunkOf("new.ts", "open")]);
        while (steps.next().done !== true);
        await lanes.replace(["new.ts"], []);
      },
    ],
  ])("ranks a tree that was edited like a fresh one, to the last bit, %s", (_how, tidy) =>
    forAllRandom({ seed: 7, numRuns: 1 }, async (chance) => {
      const pick = () => chance.pick(WORDS);
      const fileOf = (path: string): StoredChunk[] =>
        Array.from({ length: 1 + chance.int(4) }, (_, i) => {
          const text = Array.from({ length: 1 + chance.int(30) }, pick).join(" ");
          return embedded(path, text, `${pick()}:function`, { start: i * 1000 });
        });
      const tree = new Map<string, StoredChunk[]>();
      const edited = createMemoryLanes({ categorizer });
      // Enough edits for several compactions.
      for (let edit = 0; edit < 3000; edit++) {
        const path = `src/${chance.int(900)}.ts`;
        await edited.replace([path], []);
        tree.delete(path);
        if (chance.chance(0.2)) continue;
        const chunks = fileOf(path);
        tree.set(path, chunks);
        await edited.replace([], chunks);
        await tidy(edited);
      }
      const fresh = createMemoryLanes({ categorizer });
      for (const path of [...tree.keys()].toSorted()) await fresh.replace([], tree.get(path) ?? []);

      const ask = async (lanes: LiveLanes) => {
        const answers = [];
        for (const query of [
          "open pool",
          "retry session token unheard",
          "cache",
          "user file read",
        ]) {
          const lists = [
            await lanes.keyword(query.split(" "), { limit: 40 }),
            await lanes.vector(vectorOf(query), { limit: 40 }),
            await lanes.symbol(query.split(" ")[0] ?? "", { limit: 40 }),
          ];
          for (const list of lists) {
            answers.push(
              await placesOf(lanes, list),
              list.map(({ score }) => score),
            );
          }
        }
        // The latest terms are at the end of the moved range: the numbers of files.
        for (let file = 0; file < 900; file++)
          answers.push(await placesOf(lanes, await lanes.keyword([`${file}`], { limit: 9 })));
        return answers;
      };
      expect(edited.size).toBe(fresh.size);
      expect(await ask(edited)).toEqual(await ask(fresh));
    }),
  );
});

describe("changes", () => {
  it("get a new generation, also after a change of vectors only", async () => {
    const lanes = lanesOf(chunkOf("a", "open"));
    const before = lanes.generation;
    const span = { start: 0, end: 4 };
    await lanes.setVectors([{ path: "a", span, vector: vectorOf("open") }]);
    expect(lanes.generation).not.toBe(before);
  });

  function* byManifest(paths: Iterable<string>): ReturnType<Categorizer> {
    const all = [...paths];
    yield;
    return () => (all.includes("manifest") ? "config" : "implementation");
  }

  it("update the categories of files", async () => {
    const lanes = createMemoryLanes({ categorizer: byManifest });
    const categories = async () =>
      [...(await lanes.facts(await lanes.chunksOf(["a"]))).values()].map(
        ({ category }) => category,
      );
    await lanes.replace(["a"], [chunkOf("a", "open")]);
    expect(await categories()).toEqual(["implementation"]);
    await lanes.replace(["manifest"], [chunkOf("manifest", "x")]);
    expect(await categories()).toEqual(["config"]);
    await lanes.replace(["manifest"], []);
    expect(await categories()).toEqual(["implementation"]);
  });

  it("open buffers are judged among all files of the repository", async () => {
    const lanes = createMemoryLanes({ categorizer: byManifest });
    await lanes.replace(["manifest"], [chunkOf("manifest", "x")]);
    const buffers = lanes.createOverlay();
    await buffers.replace(["a"], [chunkOf("a", "open")]);
    const facts = await buffers.facts(await buffers.chunksOf(["a"]));
    expect([...facts.values()][0]?.category).toBe("config");
  });
});

it("lists the current definitions of a file, each once", async () => {
  const first = chunkOf("a.ts", "one", "open", { start: 0 });
  const second = chunkOf("a.ts", "two", "close", { start: 3 });
  const lanes = lanesOf(first, { ...second, symbols: [...first.symbols, ...second.symbols] });
  const names = async () =>
    (await lanes.definitionsIn(["a.ts"])).get("a.ts")?.map(({ name }) => name);
  expect(await names()).toEqual(["open", "close"]);
  await lanes.replace(["a.ts"], [second]);
  expect(await names()).toEqual(["close"]);
});

it("lists the definitions around lines of a file, each once, and its classes on request", async () => {
  const chunk = chunkOf("a.ts", "one", "open", { start: 0 });
  const at = (name: string, type: "class" | "function", start: number, end: number) => ({
    ...(chunk.symbols[0] as CodeSymbol),
    name,
    type,
    lines: { start, end },
    nameLine: start,
  });
  const [outer, inner] = [at("outer", "class", 0, 9), at("inner", "function", 2, 5)];
  const [next, line, other] = [
    at("next", "function", 6, 9),
    at("line", "function", 4, 4),
    at("other", "class", 10, 20),
  ];
  const lanes = lanesOf(
    { ...chunk, symbols: [outer, inner, line] },
    { ...chunkOf("a.ts", "two", "close", { start: 3 }), symbols: [inner, next, other] },
  );
  const around = async (lines: number[], withClasses: boolean) => {
    const found = await lanes.definitionsAround(new Map([["a.ts", lines]]), withClasses);
    return found.get("a.ts")?.map(({ name }) => name);
  };
  expect(await around([4], false)).toEqual(["outer", "inner"]);
  expect(await around([5], true)).toEqual(["outer", "inner", "other"]);
  expect(await around([2, 7], false)).toEqual(["outer", "next"]);
  expect(await around([0, 10], false)).toEqual([]);
  expect(await around([], true)).toEqual(["outer", "other"]);
});
