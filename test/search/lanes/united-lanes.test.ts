/** Several indexes as one: each method answers as one index that has the files of all. */

import { expect, it } from "vitest";
import type { Candidate, Lanes } from "../../../server/contracts/lanes.ts";
import { UnitedLanes } from "../../../server/search/lanes/united-lanes.ts";
import { embedded, lanesOf, vectorOf } from "../support.ts";

// Chunks of one length: the average length of a chunk is that of each index.
const CHUNKS = ["pool", "sock", "file", "tree", "node", "leaf", "root"].map((name, i) =>
  embedded(`src/${name}.ts`, `open ${name} ${i % 2 === 0 ? "even" : "odds"} row${i}`, `${name}Of`),
);

const failed = () => {
  throw new Error("no lane fails here");
};
const united = new UnitedLanes(
  [lanesOf(...CHUNKS.slice(0, 2)), lanesOf(...CHUNKS.slice(2, 6)), lanesOf(...CHUNKS.slice(6))],
  failed,
);
const whole = lanesOf(...CHUNKS);

interface View {
  readonly lanes: Lanes;
  /** The path of a file of `CHUNKS` as these lanes name it, and back. */
  in(path: string): string;
  out(path: string): string;
}

const memberOf = (path: string) => {
  const at = CHUNKS.findIndex((chunk) => chunk.path === path);
  return at < 2 ? 0 : at < 6 ? 1 : 2;
};
const VIEWS: readonly View[] = [
  { lanes: whole, in: (path) => path, out: (path) => path },
  {
    lanes: united,
    in: (path) => united.pathsByStem(path.slice(4, 8)).find((each) => each.endsWith(path)) ?? "",
    out: (path) => {
      const { member, own } = united.pathOf(path);
      expect(member).toBe(memberOf(own));
      return own;
    },
  },
];

const filterOf = ({ out }: View) => ({ matchesPath: (path: string) => /[eo]o/.test(out(path)) });

async function named({ lanes, out }: View, found: readonly Candidate[]) {
  const facts = await lanes.facts(found.map(({ chunk }) => chunk));
  return found
    .map(({ chunk, score }) => `${out(facts.get(chunk)?.path ?? "")} ${score.toFixed(9)}`)
    .toSorted();
}

const pathsOf = async (view: View, chunks: readonly number[]) =>
  (
    await named(
      view,
      chunks.map((chunk) => ({ chunk, score: 0 })),
    )
  ).toSorted();

const LIMIT = { limit: 10 };
const PATHS = ["src/tree.ts", "src/pool.ts"];

it.each<[string, (view: View) => unknown]>([
  ["size", ({ lanes }) => lanes.size],
  ["vector", async (view) => named(view, await view.lanes.vector(vectorOf("tree"), LIMIT))],
  ["keyword", async (view) => named(view, await view.lanes.keyword(["open", "even"], LIMIT))],
  ["the best only", async (view) => named(view, await view.lanes.keyword(["leaf"], { limit: 1 }))],
  [
    "keyword with a filter",
    async (view) =>
      named(view, await view.lanes.keyword(["open"], { ...LIMIT, filter: filterOf(view) })),
  ],
  ["symbol", async (view) => named(view, await view.lanes.symbol("treeOf", LIMIT))],
  [
    "recall",
    async ({ lanes }) => {
      const query = vectorOf("tree");
      return await lanes.recall(query, undefined, await lanes.vector(query, LIMIT));
    },
  ],
  [
    "containing",
    async (view) => {
      const lists = await view.lanes.containing([["odd"], ["root"], ["absent"]], LIMIT);
      return await Promise.all(lists.map((chunks) => pathsOf(view, chunks)));
    },
  ],
  [
    "filesWith",
    async (view) => {
      const paths = CHUNKS.map(({ path }) => view.in(path));
      const files = await view.lanes.filesWith(["open", "leaf"], paths, {});
      return files.map((set) => [...set].map(view.out).toSorted());
    },
  ],
  [
    "definitionsOf",
    async (view) => {
      const found = await view.lanes.definitionsOf(["treeOf", "rootOf", "absent"]);
      const entries = [...found].map(async ([name, chunks]) => [name, await pathsOf(view, chunks)]);
      return await Promise.all(entries);
    },
  ],
  ["chunksOf", async (view) => pathsOf(view, await view.lanes.chunksOf(PATHS.map(view.in)))],
  [
    "definitionsIn",
    async (view) => {
      const found = await view.lanes.definitionsIn(PATHS.map(view.in));
      return Object.fromEntries([...found].map(([path, own]) => [view.out(path), own]));
    },
  ],
  [
    "definitionsAround",
    async (view) => {
      const lines = new Map([[view.in("src/root.ts"), [0]]]);
      const found = await view.lanes.definitionsAround(lines, true);
      return [...found].map(([path, symbols]) => [view.out(path), symbols]);
    },
  ],
  ["stems", ({ lanes }) => [...lanes.stems()].toSorted()],
  ["pathsByStem", ({ lanes, out }) => lanes.pathsByStem("leaf").map(out)],
  [
    "rarityOf",
    ({ lanes }) => ["open", "odd", "leaf", "absent"].map((term) => lanes.rarityOf(term).toFixed(9)),
  ],
  [
    "allowsAny",
    async (view) => [
      await view.lanes.allowsAny(filterOf(view)),
      await view.lanes.allowsAny({ matchesPath: () => false }),
    ],
  ],
])("%s answers as one index of all files", async (_, ask) => {
  const [expected, found] = await Promise.all(VIEWS.map((view) => ask(view)));
  expect(expected).not.toEqual([]);
  expect(found).toEqual(expected);
});
