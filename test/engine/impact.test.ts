/** What a change may touch: neighbors in the graph and files that changed together, merged. */

import { expect, it } from "vitest";
import type { RelatedFile } from "../../server/contracts/graph-requests.ts";
import { fuseImpact } from "../../server/engine/impact.ts";
import { fuseRanks } from "../../server/graph/fuse-ranks.ts";
import { rankByName } from "../../server/graph/like-names.ts";

const near = (path: string): RelatedFile => ({
  path,
  hops: 1,
  via: "a.ts",
  line: 3,
  types: ["import"],
  dependent: true,
  confidence: 0.9,
});

const fuse = (...lists: string[][]) => fuseRanks(lists.map((paths) => ({ paths, weight: 1 })));

it("puts a middle place in both lists before the first place in one", () => {
  const graph = ["g1", "g2", "both"];
  const commits = ["c1", "c2", "c3", "both"];
  expect(fuse(graph, commits)).toEqual(["both", "g1", "c1", "g2", "c2", "c3"]);
});

it("has a constant of 10", () => {
  // 1/13 + 1/(10 + place) is more than 1/11 up to place 61.
  const atPlace = (place: number) => [
    ...Array.from({ length: place - 1 }, (_, i) => `c${i}`),
    "third",
  ];
  const graph = ["first", "second", "third"];
  expect(fuse(graph, atPlace(61))[0]).toBe("third");
  expect(fuse(graph, atPlace(62))[0]).toBe("first");
});

const fuseFiles = (evidence: Partial<Parameters<typeof fuseImpact>[0]>) =>
  fuseImpact({ changed: [], near: [], together: [], busy: new Map(), ...evidence });

it("keeps the order of the graph without history", () => {
  const files = fuseFiles({ near: [near("x.ts"), near("b.ts"), near("c.ts")] });
  expect(files.map(({ path, reason }) => [path, reason])).toEqual([
    ["x.ts", "graph"],
    ["b.ts", "graph"],
    ["c.ts", "graph"],
  ]);
});

it("says of each file what speaks for it", () => {
  const together = [
    { path: "docs.md", score: 0.7, recent: 0.7 },
    { path: "c.ts", score: 0.4, recent: 0.4 },
  ];
  expect(fuseFiles({ near: [near("b.ts"), near("c.ts")], together })).toEqual([
    { ...near("c.ts"), reason: "both", coChange: 0.4 },
    { path: "docs.md", reason: "co-change", coChange: 0.7 },
    { ...near("b.ts"), reason: "graph" },
  ]);
});

it("puts what changed together and is a source before a list of changes", () => {
  const together = ["CHANGES.md", "a.ts", "b.ts"].map((path) => ({
    path,
    score: 0.5,
    recent: 0.5,
  }));
  const files = fuseFiles({ together });
  expect(files.map(({ path }) => path)).toEqual(["a.ts", "b.ts", "CHANGES.md"]);
});

it("puts a near file that changes often first, and adds none that is only busy", () => {
  const busy = new Map([
    ["c.ts", 9],
    ["other.ts", 20],
  ]);
  const files = fuseFiles({
    near: [near("b.ts"), near("c.ts"), near("d.ts")],
    busy,
  });
  expect(files.map(({ path }) => path)).toEqual(["c.ts", "b.ts", "d.ts"]);
});

it("puts what is named alike first, and adds none that is only named alike", () => {
  const files = fuseFiles({
    changed: ["src/JsonReader.java"],
    near: [near("test/StringTest.java"), near("test/JsonReaderTest.java")],
  });
  expect(files.map(({ path }) => path)).toEqual([
    "test/JsonReaderTest.java",
    "test/StringTest.java",
  ]);
});

it("puts what changed together lately before what did so long ago", () => {
  const together = [
    { path: "old.ts", score: 0.5, recent: 0.1 },
    { path: "late.ts", score: 0.4, recent: 0.9 },
    { path: "middle.ts", score: 0.3, recent: 0.2 },
  ];
  expect(fuseFiles({ together })[0]?.path).toBe("late.ts");
});

it("compares the words of names without those that every file may have", () => {
  const among = ["test_pool.py", "pool_options.py", "test_other.py", "index.ts"];
  expect(rankByName(["src/pool.py"], among)).toEqual(["test_pool.py", "pool_options.py"]);
  expect(rankByName(["src/index.ts"], among)).toEqual([]);
});
