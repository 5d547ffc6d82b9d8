/** `IndexGraph`: changed import edges, lazy loading, and the stored graph. */

import { expect, it } from "vitest";
import type { PackedArrays } from "../../server/common/packed/packed-arrays.ts";
import { inSlices } from "../../server/common/slices.ts";
import { packFacts } from "../../server/contracts/packed-facts.ts";
import type { Graph } from "../../server/graph/graph.ts";
import { AS_STORED, IndexGraph } from "../../server/graph/live-graph.ts";
import { factsOf } from "../support/graph.ts";

const FILES = {
  "a.ts": 'import { b } from "./b";\n',
  "b.ts": "export const b = 1;\n",
  "c.ts": 'import { d } from "./d";\n',
};

async function encoded(files: Readonly<Record<string, string>>) {
  return await Promise.all(
    Object.entries(files).map(async ([path, text]) => ({
      path,
      facts: packFacts(await factsOf(path, text)),
    })),
  );
}

/** A graph whose edges are all stored, and their hashes. */
async function storedGraph() {
  const graph = new IndexGraph();
  graph.load((await encoded(FILES)).map((file) => ({ ...file, edgesHash: "" })));
  const taken = await graph.takeChangedEdges();
  return { graph, hashes: new Map(taken.map(({ path, hash }) => [path, hash])) };
}

const pathsOf = (changed: readonly { readonly path: string }[]) =>
  changed.map(({ path }) => path).toSorted();

it("`takeChangedEdges` returns the edges of files that were stored without edges", async () => {
  const { hashes } = await storedGraph();
  expect([...hashes.keys()].toSorted()).toEqual(["a.ts", "b.ts", "c.ts"]);
});

it("`takeChangedEdges` skips stored edges", async () => {
  const { hashes } = await storedGraph();
  const graph = new IndexGraph();
  const files = await encoded(FILES);
  graph.load(files.map((file) => ({ ...file, edgesHash: hashes.get(file.path) ?? "" })));
  expect(await graph.takeChangedEdges()).toEqual([]);
});

it("`takeChangedEdges` returns a saved file, and files whose imports resolve differently", async () => {
  const { graph } = await storedGraph();
  graph.replace([], await encoded({ "d.ts": "export const d = 1;\n" }));
  const changed = await graph.takeChangedEdges();
  expect(pathsOf(changed)).toEqual(["c.ts", "d.ts"]);
  const [own] = changed.filter(({ path }) => path === "c.ts");
  expect(own?.rows.map(({ targetFile }) => targetFile)).toEqual(["d.ts"]);
  graph.replace(["b.ts"], []);
  expect(pathsOf(await graph.takeChangedEdges())).toEqual(["a.ts"]);
});

it("`takeChangedEdges` returns all edges after `markUnstored`", async () => {
  const { graph } = await storedGraph();
  graph.markUnstored();
  expect(pathsOf(await graph.takeChangedEdges())).toEqual(["a.ts", "b.ts", "c.ts"]);
});

/** A graph over stored files, with the files that it has read so far. */
async function openedGraph(readImporters = async () => new Map<string, number>()) {
  const { hashes } = await storedGraph();
  const stored = await encoded(FILES);
  const graph = new IndexGraph();
  const read: string[] = [];
  graph.loadLater({
    paths: Object.keys(FILES),
    hasAllEdges: true,
    read: async function* () {
      for (const file of stored) {
        read.push(file.path);
        yield await Promise.resolve([{ ...file, edgesHash: hashes.get(file.path) ?? "" }]);
      }
    },
    readImporters,
  });
  return { graph, read };
}

it("Importers are counted from the store, without reading files", async () => {
  const { graph, read } = await openedGraph(async () => new Map([["b.ts", 7]]));
  expect(graph.importerCounts).toBeUndefined();
  await graph.whenImportersCounted();
  const countOf = graph.importerCounts;
  expect(["a.ts", "b.ts", "c.ts", "x.ts"].map((path) => countOf?.(path))).toEqual([
    0,
    7,
    0,
    undefined,
  ]);
  expect(read).toEqual([]);
  // After reading, the counts of stored files are the same.
  await graph.whenImportsResolved();
  expect(graph.importerCounts?.("b.ts")).toBe(1);
});

it("Importers are counted from the graph once a file was replaced, also during the query", async () => {
  const { graph } = await openedGraph(async () => new Map([["b.ts", 7]]));
  await graph.whenImportersCounted();
  graph.replace([], await encoded({ "c.ts": 'import { b } from "./b";\n' }));
  expect(graph.importerCounts).toBeUndefined();
  await graph.whenImportersCounted();
  expect(graph.importerCounts?.("b.ts")).toBe(2);

  const late = await openedGraph(async () => {
    late.graph.replace([], await encoded({ "c.ts": 'import { b } from "./b";\n' }));
    return new Map([["b.ts", 7]]);
  });
  await late.graph.whenImportersCounted();
  expect(late.graph.importerCounts?.("b.ts")).toBe(2);
});

it("A changed file is not overwritten by its stored row", async () => {
  const { graph, read } = await openedGraph();
  graph.replace([], await encoded({ "a.ts": 'import { d } from "./c";\n' }));
  const [own, ...others] = await graph.takeChangedEdges();
  expect(others).toEqual([]);
  expect(own?.rows.map(({ targetFile }) => targetFile)).toEqual(["c.ts"]);
  expect(read).toEqual(["a.ts", "b.ts", "c.ts"]);
});

it("Stored files are not read if all of them were replaced", async () => {
  const { graph, read } = await openedGraph();
  graph.replace(["b.ts"], await encoded({ "a.ts": "", "c.ts": 'import "./e";\n', "e.ts": "" }));
  expect(pathsOf(await graph.takeChangedEdges())).toEqual(["a.ts", "c.ts", "e.ts"]);
  expect(read).toEqual([]);
});

/** The packed graph of the files, as the next start reads it. */
async function packedEdges(files: Readonly<Record<string, string>> = FILES) {
  const graph = new IndexGraph();
  graph.load((await encoded(files)).map((file) => ({ ...file, edgesHash: "" })));
  await graph.whenResolved();
  const edges = await inSlices(graph.pack());
  if (edges === undefined) throw new Error("not resolved");
  return edges;
}

/** A graph over the same files, with the count of resolved imports. */
async function reopened(edges: PackedArrays) {
  const stored = (await encoded(FILES)).toReversed();
  const graph = new IndexGraph();
  graph.loadLater({
    paths: Object.keys(FILES),
    hasAllEdges: true,
    edges,
    read: async function* () {
      yield await Promise.resolve(stored.map((file) => ({ ...file, edgesHash: "1" })));
    },
    readImporters: async () => new Map(),
  });
  return graph;
}

function importsOf({ project, fileEdges }: Graph, path: string): string[] {
  return [...fileEdges.from(project.find(path) ?? -1).keys()].map((to) => project.path(to));
}

it("A packed graph is restored, and follows changes", async () => {
  const graph = await reopened(await packedEdges());
  expect(graph.isResolved).toBe(false);
  await graph.beforeChange();
  expect([graph.isResolved, graph.wasRequested, graph.generation]).toEqual([true, true, AS_STORED]);
  const before = await graph.whenResolved();
  expect([importsOf(before, "a.ts"), before.takeResolved()]).toEqual([["b.ts"], []]);
  expect(before.importerCount(before.project.find("b.ts") ?? -1)).toBe(1);
  graph.replace(["b.ts"], await encoded({ "d.ts": "export const d = 1;\n" }));
  expect([graph.isResolved, graph.generation]).not.toContain(AS_STORED);
  const now = await graph.whenResolved();
  expect([importsOf(now, "a.ts"), importsOf(now, "c.ts")]).toEqual([[], ["d.ts"]]);
  expect(now.importerCount(now.project.find("d.ts") ?? -1)).toBe(1);
});

it("A packed graph of other files, or a damaged one, is resolved again", async () => {
  const whole = await packedEdges();
  const early = await reopened(whole);
  early.replace([], await encoded({ "a.ts": 'import { d } from "./c";\n' }));
  expect(importsOf(await early.whenResolved(), "a.ts")).toEqual(["c.ts"]);
  for (const name of whole.keys()) {
    const graph = await reopened(new Map([...whole].filter(([other]) => other !== name)));
    expect([name, importsOf(await graph.whenResolved(), "a.ts")]).toEqual([name, ["b.ts"]]);
    expect(graph.generation).not.toBe(AS_STORED);
  }
  const others = [
    new Map(whole).set("edges.from.values", Int32Array.of(9, 1, 1, 0, -1)),
    new Map(whole).set("targets.lists.values", Int32Array.of(0, -1, 1, 9, 0, -1, 0)),
    await packedEdges({ ...FILES, "e.ts": "" }),
  ];
  for (const edges of others) {
    const graph = await reopened(edges);
    expect(importsOf(await graph.whenResolved(), "a.ts")).toEqual(["b.ts"]);
    expect(graph.generation).not.toBe(AS_STORED);
  }
});

it("Calls of one file resolve before all edges, also after changes", async () => {
  const graph = new IndexGraph();
  const shop = {
    "cart.ts": 'import { open } from "./pool";\nexport const total = () => open();\n',
    "pool.ts": "export function open() {}\n",
    "socket.ts": "export function open() {}\n",
  };
  graph.load((await encoded(shop)).map((file) => ({ ...file, edgesHash: "" })));
  const calledIn = async (path: string) => {
    const prepared = await graph.whenPrepared();
    const { project } = prepared;
    return prepared.callsOf(project.find(path) ?? -1).map(({ to }) => project.path(to.file));
  };
  expect([await calledIn("cart.ts"), graph.isResolved]).toEqual([["pool.ts"], false]);
  graph.replace([], await encoded({ "cart.ts": shop["cart.ts"].replace("pool", "socket") }));
  expect([await calledIn("cart.ts"), graph.isResolved]).toEqual([["socket.ts"], false]);
  graph.replace(["socket.ts"], []);
  expect(await calledIn("cart.ts")).toEqual([]);
  expect(graph.wasRequested).toBe(false);
});
