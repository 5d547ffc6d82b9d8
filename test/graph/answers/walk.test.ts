/** Traversals of the file graph, and callers and callees by name. */

import { expect, it } from "vitest";
import { inSlices, runToEnd } from "../../../server/common/slices.ts";
import { calleesOf, callersOf } from "../../../server/graph/answers/call-sites.ts";
import { findPath, walk } from "../../../server/graph/answers/walk.ts";
import type { Graph } from "../../../server/graph/graph.ts";
import { graphOf } from "../../support/graph.ts";

/** d -> c -> b -> a -> d is a cycle; e is isolated. */
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

it("`walk` reaches each file of a cycle once, nearest first", async () => {
  const graph = await graphOf(CYCLE);
  const reached = runToEnd(
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

it("`walk` ranks files of one distance by occurrences, not by name", async () => {
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
  const reached = runToEnd(
    walk(graph.fileEdges, [number(graph, "main.py")], {
      direction: "imports",
      hops: 1,
    }),
  );
  expect(reached.map(({ file }) => graph.project.path(file))).toEqual(["z.py", "a.py"]);
});

it("`walk` reports the direction and the types of an edge", async () => {
  const graph = await graphOf(CYCLE);
  const [first, ...others] = runToEnd(
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

it("`walk` reports the line of the dependent for files that depend on each other", async () => {
  const graph = await graphOf(`//- a.py
from b import stop
def run(): ...
//- b.py
"""Stops."""

from a import run
def stop(): ...
`);
  const [other] = runToEnd(
    walk(graph.fileEdges, [number(graph, "a.py")], { direction: "all", hops: 1 }),
  );
  expect(other).toMatchObject({ isDependent: true, line: 2 });
});

it("`findPath` finds the shortest path, or undefined", async () => {
  const graph = await graphOf(CYCLE);
  const way = (from: string, to: string) =>
    findPath(graph.fileEdges, number(graph, from), number(graph, to))?.map((file) =>
      graph.project.path(file),
    );
  expect(way("d.py", "a.py")).toEqual(["d.py", "c.py", "a.py"]);
  expect(way("a.py", "e.py")).toBeUndefined();
});

it("`callersOf` and `calleesOf` find calls by name", async () => {
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
])("`callersOf` accepts the notation %s", async (name, lines) => {
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

it("`calleesOf` includes calls in methods and nested functions", async () => {
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

it("`importerCount` follows added and removed imports", async () => {
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
