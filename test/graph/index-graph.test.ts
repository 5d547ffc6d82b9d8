/** Which import edges have to be stored after what. */

import { expect, it } from "vitest";
import { IndexGraph } from "../../server/graph/live-graph.ts";
import { factsOf } from "../support/graph.ts";

const FILES = {
  "a.ts": 'import { b } from "./b";\n',
  "b.ts": "export const b = 1;\n",
  "c.ts": 'import { d } from "./d";\n',
};

async function encoded(files: Readonly<Record<string, string>>) {
  return await Promise.all(
    Object.entries(files).map(async ([path, text]) => ({ path, facts: await factsOf(path, text) })),
  );
}

/** A graph whose edges are all taken as stored, and their hashes. */
async function storedGraph() {
  const graph = new IndexGraph();
  graph.load((await encoded(FILES)).map((file) => ({ ...file, edgesHash: "" })));
  const taken = await graph.takeChangedEdges();
  return { graph, hashes: new Map(taken.map(({ path, hash }) => [path, hash])) };
}

const pathsOf = (changed: readonly { readonly path: string }[]) =>
  changed.map(({ path }) => path).toSorted();

it("stores the edges of files that were stored without them", async () => {
  const { hashes } = await storedGraph();
  expect([...hashes.keys()].toSorted()).toEqual(["a.ts", "b.ts", "c.ts"]);
});

it("stores nothing of what is stored already", async () => {
  const { hashes } = await storedGraph();
  const graph = new IndexGraph();
  const files = await encoded(FILES);
  graph.load(files.map((file) => ({ ...file, edgesHash: hashes.get(file.path) ?? "" })));
  expect(await graph.takeChangedEdges()).toEqual([]);
});

it("stores a saved file, and those whose imports lead elsewhere now", async () => {
  const { graph } = await storedGraph();
  graph.replace([], await encoded({ "d.ts": "export const d = 1;\n" }));
  const changed = await graph.takeChangedEdges();
  expect(pathsOf(changed)).toEqual(["c.ts", "d.ts"]);
  const [own] = changed.filter(({ path }) => path === "c.ts");
  expect(own?.rows.map(({ targetFile }) => targetFile)).toEqual(["d.ts"]);
  graph.replace(["b.ts"], []);
  expect(pathsOf(await graph.takeChangedEdges())).toEqual(["a.ts"]);
});

it("stores all again when it could not be stored", async () => {
  const { graph } = await storedGraph();
  graph.forgetStored();
  expect(pathsOf(await graph.takeChangedEdges())).toEqual(["a.ts", "b.ts", "c.ts"]);
});

/** A graph that is opened over stored files, and what it has read of them by now. */
async function openedGraph() {
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
  });
  return { graph, read };
}

it("reads what is stored when a file has changed, and keeps what is newer", async () => {
  const { graph, read } = await openedGraph();
  graph.replace([], await encoded({ "a.ts": 'import { d } from "./c";\n' }));
  const [own, ...others] = await graph.takeChangedEdges();
  expect(others).toEqual([]);
  expect(own?.rows.map(({ targetFile }) => targetFile)).toEqual(["c.ts"]);
  expect(read).toEqual(["a.ts", "b.ts", "c.ts"]);
});

it("reads nothing of what is stored where all of it is replaced, as by a first index", async () => {
  const { graph, read } = await openedGraph();
  graph.replace(["b.ts"], await encoded({ "a.ts": "", "c.ts": 'import "./e";\n', "e.ts": "" }));
  expect(pathsOf(await graph.takeChangedEdges())).toEqual(["a.ts", "c.ts", "e.ts"]);
  expect(read).toEqual([]);
});
