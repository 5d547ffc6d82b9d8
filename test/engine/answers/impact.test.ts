/** Ranking of impact: graph neighbors, co-changed files and similar names, fused. */

import { expect, it } from "vitest";
import { runToEnd } from "../../../server/common/slices.ts";
import {
  fuseRanks,
  type ImpactEvidence,
  rankImpact,
} from "../../../server/engine/answers/rank-impact.ts";
import { walk } from "../../../server/graph/answers/walk.ts";
import { FileEdges } from "../../../server/graph/project/file-edges.ts";
import { SimilarFileNames } from "../../../server/graph/project/similar-file-names.ts";

const fuse = (...lists: string[][]) => fuseRanks(lists.map((paths) => ({ paths, weight: 1 })));

it("A middle rank in both lists beats the first rank in one", () => {
  const graph = ["g1", "g2", "both"];
  const commits = ["c1", "c2", "c3", "both"];
  expect(fuse(graph, commits)).toEqual(["both", "g1", "c1", "g2", "c2", "c3"]);
});

it("Rank fusion uses the constant 20", () => {
  // 1/23 + 1/(20 + rank) exceeds 1/21 up to rank 221.
  const atPlace = (place: number) => [
    ...Array.from({ length: place - 1 }, (_, i) => `c${i}`),
    "third",
  ];
  const graph = ["first", "second", "third"];
  expect(fuse(graph, atPlace(221))[0]).toBe("third");
  expect(fuse(graph, atPlace(222))[0]).toBe("first");
});

/** Ranks with the same share for each near file, and the same count for each co-changed file. */
function rank({
  near = [],
  together = [],
  alike = {},
  ...others
}: {
  near?: readonly (string | ImpactEvidence["near"][number])[];
  together?: readonly (string | ImpactEvidence["together"][number])[];
  alike?: Readonly<Record<string, number>>;
  busy?: ReadonlyMap<string, number>;
}): string[] {
  return rankImpact({
    starts: 1,
    near: near.map((one) => (typeof one === "string" ? { path: one, share: 0.2 } : one)),
    together: together.map((one) =>
      typeof one === "string" ? { path: one, score: 0.5, recent: 0.5 } : one,
    ),
    alike: [new Map(Object.entries(alike))],
    busy: new Map(),
    ...others,
  });
}

it("The order of the graph is kept without other evidence", () =>
  expect(rank({ near: ["x.ts", "b.ts", "c.ts"] })).toEqual(["x.ts", "b.ts", "c.ts"]));

it("A file with two kinds of evidence comes first", () =>
  expect(rank({ near: ["b.ts", "c.ts"], together: ["d.ts", "c.ts"] })).toEqual([
    "c.ts",
    "d.ts",
    "b.ts",
  ]));

it("Sources come before a changelog, which changes with everything", () => {
  const changes = { path: "CHANGES.md", score: 0.9, recent: 2 };
  expect(rank({ together: [changes, "a.ts", "b.ts"] })).toEqual(["a.ts", "b.ts", "CHANGES.md"]);
});

it("Documentation comes after sources with a tenth of its score", () => {
  const docs = { path: "docs.md", score: 0.9, recent: 2 };
  const near = { path: "a.ts", share: 0.01 };
  expect(rank({ together: [docs], near: [near] })).toEqual(["docs.md", "a.ts"]);
});

it("A near file that changes often comes first, and a busy file alone is not added", () => {
  const busy = new Map([
    ["c.ts", 9],
    ["other.ts", 20],
  ]);
  expect(rank({ near: ["b.ts", "c.ts", "d.ts"], busy })).toEqual(["c.ts", "b.ts", "d.ts"]);
});

it("Files of similar names come first; names that share half of their words are added", () => {
  const near = ["test/StringTest.java", "test/JsonReaderTest.java"];
  const alike = { "test/JsonReaderTest.java": 1, "other/JsonReader.java": 0.5, "Json.java": 0.4 };
  expect(rank({ near, alike })).toEqual([
    "test/JsonReaderTest.java",
    "test/StringTest.java",
    "other/JsonReader.java",
  ]);
});

it("Recent co-changes come before old ones", () => {
  const together = [
    { path: "old.ts", score: 0.5, recent: 0.1 },
    { path: "late.ts", score: 0.4, recent: 0.9 },
    { path: "middle.ts", score: 0.3, recent: 0.2 },
  ];
  expect(rank({ together })[0]).toBe("late.ts");
});

it("All files of much evidence are ranked once", () => {
  const paths = Array.from({ length: 700 }, (_, i) => `src/f${i}.ts`);
  const ranked = rank({ near: paths, together: paths.slice(500) });
  expect(ranked.toSorted()).toEqual(paths.toSorted());
  expect(ranked[0]).toBe("src/f500.ts");
});

function similarFiles(...paths: string[]) {
  const gone = new Set<number>();
  const words = new SimilarFileNames({
    get size() {
      return paths.length;
    },
    has: (file) => !gone.has(file),
    path: (file) => paths[file] ?? "",
  });
  const alike = (path: string) => {
    runToEnd(words.settle());
    return [...words.similarTo(path)].map(([file, likeness]) => [paths[file], likeness]);
  };
  return { alike, paths, gone };
}

it("Name similarity ignores words that most names have", () => {
  const { alike } = similarFiles("src/pool.py", "test_pool.py", "pool_options.py", "index.ts");
  expect(alike("src/pool.py")).toEqual([
    ["test_pool.py", 1],
    ["pool_options.py", 0.5],
  ]);
  expect(alike("src/index.ts")).toEqual([]);
});

it("Name similarity follows added and removed files", () => {
  const { alike, paths, gone } = similarFiles("a/pool.py", "b/pool.py");
  expect(alike("pool.py")).toHaveLength(2);
  paths.push("c/pool.py");
  gone.add(0);
  expect(alike("pool.py")).toEqual([
    ["b/pool.py", 1],
    ["c/pool.py", 1],
  ]);
});

it("Shares of walks are square roots of the call counts, and continue for a second hop", () => {
  const edges = new FileEdges((a, b) => a - b);
  const call = (to: number) => ({ to, type: "call", line: 0 }) as const;
  // 0 calls 1 four times and 2 once; 1 calls 2 and 3.
  edges.replace(0, [call(1), call(1), call(1), call(1), call(2)]);
  edges.replace(1, [call(2), call(3)]);
  const shares = new Map(
    runToEnd(walk(edges, [0], { direction: "all", hops: 2 })).map(({ file, share }) => [
      file,
      share,
    ]),
  );
  // From 1, 2 returns to 0, 1 to each of the others; from 2, half returns and half goes to 1.
  expect(shares.get(1)).toBeCloseTo(2 / 3 + (0.4 * 1) / 3 / 2);
  expect(shares.get(2)).toBeCloseTo(1 / 3 + (0.4 * 2) / 3 / 4);
  expect(shares.get(3)).toBeCloseTo((0.4 * 2) / 3 / 4);
});
