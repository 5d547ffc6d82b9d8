/** What is related to a file, what a change of it touches, and how one file reaches another. */

import { expect, it } from "vitest";
import { inSlices } from "../../../server/common/slices.ts";
import { calleesOf, callersOf } from "../../../server/graph/answers/call-sites.ts";
import { findPath, walk } from "../../../server/graph/answers/walk.ts";
import type { Graph } from "../../../server/graph/graph.ts";
import { ended } from "../../support/ended.ts";
import { graphOf } from "../../support/graph.ts";

/** d -> c -> b -> a -> d is a cycle; e stands apart. */
const CYCLE = `//- a.py
from d import D
def run(): D()
//- b.py
import a
a.run()
a.run()
//- c.py
import b
from a import run
//- d.py
import c
class D: ...
//- e.py
`;

const number = (graph: Graph, path: string) => graph.project.find(path) ?? -1;

it("reaches each file once, nearest first, also in a cycle", async () => {
  const graph = await graphOf(CYCLE);
  const reached = ended(
    walk(graph.fileEdges, [number(graph, "a.py")], {
      direction: "importedBy",
      hops: 5,
    }),
  );
  expect(reached.map(({ file, hops }) => `${graph.project.path(file)} ${hops}`)).toEqual([
    "b.py 1",
    "c.py 1",
    "d.py 2",
  ]);
});

it("puts the file that is more closely related first, whatever its name", async () => {
  const graph = await graphOf(`//- main.py
import a
from z import run, stop
run()
stop()
//- a.py
def other(): ...
//- z.py
def run(): ...
def stop(): ...
`);
  const reached = ended(
    walk(graph.fileEdges, [number(graph, "main.py")], {
      direction: "imports",
      hops: 1,
    }),
  );
  expect(reached.map(({ file }) => graph.project.path(file))).toEqual(["z.py", "a.py"]);
});

it("says which of two files depends on the other, and by which edges", async () => {
  const graph = await graphOf(CYCLE);
  const [first, ...others] = ended(
    walk(graph.fileEdges, [number(graph, "a.py")], {
      direction: "all",
      hops: 1,
      types: new Set(["call"]),
    }),
  );
  expect(others.map(({ file }) => graph.project.path(file))).toEqual(["d.py"]);
  expect(first).toMatchObject({ isDependent: true, line: 0, types: ["import", "call"] });
  expect(others[0]).toMatchObject({ isDependent: false });
});

it("gives the line of the dependent where two files depend on each other", async () => {
  const graph = await graphOf(`//- a.py
from b import stop
def run(): ...
//- b.py
"""Stops."""

from a import run
def stop(): ...
`);
  const [other] = ended(
    walk(graph.fileEdges, [number(graph, "a.py")], { direction: "all", hops: 1 }),
  );
  expect(other).toMatchObject({ isDependent: true, line: 2 });
});

it("finds the shortest way, or none", async () => {
  const graph = await graphOf(CYCLE);
  const way = (from: string, to: string) =>
    findPath(graph.fileEdges, number(graph, from), number(graph, to))?.map((file) =>
      graph.project.path(file),
    );
  expect(way("d.py", "a.py")).toEqual(["d.py", "c.py", "a.py"]);
  expect(way("a.py", "e.py")).toBeUndefined();
});

it("finds calls by the name of either end", async () => {
  const graph = await graphOf(`//- a.py
class Pool:
    def open(self): self.close()
    def close(self): ...
def close(): ...
close()
`);
  expect((await inSlices(callersOf(graph, "Pool.close"))).map(({ line }) => line)).toEqual([1]);
  expect((await inSlices(callersOf(graph, "close"))).map(({ line }) => line)).toEqual([1, 4]);
  expect((await inSlices(calleesOf(graph, "open"))).map(({ name }) => name)).toEqual(["close"]);
});

it.each([
  ["Pool::close", [2]],
  ["Pool->close", [2]],
  ["Pool#close", [2]],
  ["Pool.close()", [2]],
  ["close(self, now=True)", [2, 5]],
  ["store\\Pool::close", [2]],
  ["src.store.pool.Pool.close", [2]],
  ["acme::store::pool::close", [5]],
  ["pool.close", [5]],
  ["other.Pool.close", []],
  ["Pool.", []],
])("knows a name as it is written elsewhere: %s", async (name, lines) => {
  const graph = await graphOf(`//- src/store/pool.py
class Pool:
    def close(self): ...
    def open(self): self.close()
def close(): ...

close()
`);
  const calls = await inSlices(callersOf(graph, name));
  expect(calls.map(({ line }) => line)).toEqual(lines);
});

it("counts what methods and inner functions call for what their definition calls", async () => {
  const graph = await graphOf(`//- a.py
def run():
    def retry(): start()
    return retry
class Pool:
    def open(self): start()
def start(): ...
start()
`);
  const called = async (name: string) =>
    (await inSlices(calleesOf(graph, name))).map(({ line }) => line);
  expect(await called("run")).toEqual([1]);
  expect(await called("Pool")).toEqual([4]);
  expect(await called("start")).toEqual([]);
});

it("counts in how many files a file is imported, as imports come and go", async () => {
  const graph = await graphOf(
    `//- a.ts
import "./c";
//- b.ts
import "./c";
//- c.ts
export const c = 1;
`,
  );
  const count = () => {
    for (const file of graph.project.files) graph.importsOf(file);
    return graph.importerCount(graph.project.find("c.ts") ?? -1);
  };
  expect(count()).toBe(2);
  graph.remove("a.ts");
  expect(count()).toBe(1);
});
