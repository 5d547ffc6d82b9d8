/** Graphs that nobody would write by hand: cycles, huge files, many files, two crates of one name. */

import { expect, it } from "vitest";
import type {
  CallFact,
  DefinitionFact,
  FileFacts,
  ImportFact,
} from "../../server/contracts/facts.ts";
import { callersOf } from "../../server/graph/call-sites.ts";
import { Graph } from "../../server/graph/graph.ts";
import { walk } from "../../server/graph/walk.ts";
import { callsIn, graphOf, importsIn } from "../support/graph.ts";

const definition = (name: string, one: Partial<DefinitionFact> = {}): DefinitionFact => ({
  kind: "function",
  name,
  line: 0,
  endLine: 0,
  parent: -1,
  flags: 0,
  type: "",
  value: "",
  bases: [],
  owner: "",
  ...one,
});

function facts(parts: Partial<FileFacts>): FileFacts {
  return {
    language: "typescript",
    packageName: "",
    imports: [],
    definitions: [],
    calls: [],
    ...parts,
  };
}

const imports = (module: string, ...names: string[]): ImportFact => ({
  kind: "import",
  module,
  names: names.map((name) => ({ name, alias: name })),
  line: 0,
  scope: -1,
});

const call = (chain: string, line = 0): CallFact => ({
  chain,
  line,
  column: 0,
  scope: -1,
  context: 0,
});

it("ends for barrels that give on each other in a circle", async () => {
  const graph = await graphOf(`//- a.ts
export * from "./b";
export * from "./c";
//- b.ts
export * from "./c";
export * from "./a";
//- c.ts
export * from "./a";
export * from "./b";
export function found() {}
//- main.ts
import { found, missing } from "./a";
found();
missing();
`);
  expect(callsIn(graph)).toEqual(["main.ts:2 found -> c.ts found (imported name)"]);
});

it("ends for values, types and bases that are made of each other", async () => {
  const graph = await graphOf(`//- a.py
from b import y, B
x = y
class A(B): pass
def f(): return g()
def g(): return f()
f().run()
A().run()
x.run()
//- b.py
from a import x, A
y = x
class B(A): pass
`);
  expect(importsIn(graph)).toEqual(["a.py -> b.py", "b.py -> a.py"]);
  const calls = callsIn(graph).map((line) => line.replace(/^\S+ /, ""));
  expect(calls).toContain("f -> a.py f (same file)");
  expect(calls.filter((line) => line.startsWith("run "))).toEqual([]);
});

it("resolves a file with 10,000 calls", () => {
  const graph = new Graph([
    { path: "a.ts", facts: facts({ definitions: [definition("run", { kind: "function" })] }) },
    {
      path: "b.ts",
      facts: facts({
        imports: [imports("./a", "run")],
        calls: Array.from({ length: 10_000 }, (_, line) => call("run", line)),
      }),
    },
  ]);
  const edge = graph.fileEdges.from(graph.project.find("b.ts") ?? -1);
  expect([...edge.values()].map(({ weight }) => weight)).toEqual([10_001]);
});

it("resolves 5,000 files in 500 packages of one workspace, and only the importers of what is deleted", () => {
  const files = Array.from({ length: 500 }, (_, i) => [
    {
      path: `packages/p${i}/package.json`,
      facts: facts({ language: "manifest", manifest: { name: `@shop/p${i}`, main: "src/f0.ts" } }),
    },
    ...Array.from({ length: 10 }, (__, j) => ({
      path: `packages/p${i}/src/f${j}.ts`,
      facts: facts({
        imports: [imports(`@shop/p${(i + 1) % 500}`, "run0"), imports(`./f${(j + 1) % 10}`)],
        definitions: [definition(`run${j}`)],
        calls: [call("run0")],
      }),
    })),
  ]).flat();
  const graph = new Graph(files);
  const target = graph.project.find("packages/p1/src/f0.ts") ?? -1;
  // All ten files of the package before it, and the last of its own.
  expect(graph.fileEdges.to(target).size).toBe(11);
  graph.takeResolved();
  graph.remove("packages/p1/src/f0.ts");
  expect(graph.fileEdges.to(target).size).toBe(0);
  expect(graph.takeResolved()).toHaveLength(11);
});

it("walks a circle of 5,000 files once", () => {
  const files = Array.from({ length: 5_000 }, (_, i) => ({
    path: `f${i}.ts`,
    facts: facts({ imports: [imports(`./f${(i + 1) % 5_000}`)] }),
  }));
  const graph = new Graph(files);
  expect(walk(graph.fileEdges, [0], { direction: "all", hops: 5_000 })).toHaveLength(4_999);
});

it("keeps two crates of one name apart", async () => {
  const graph = await graphOf(`//- a/shop/Cargo.toml
[package]
name = "shop"
//- a/shop/src/lib.rs
pub fn run() {}
//- a/shop/tests/all.rs
use shop::run;
//- b/shop/Cargo.toml
[package]
name = "shop"
//- b/shop/src/lib.rs
pub fn run() {}
//- b/shop/tests/all.rs
use shop::run;
`);
  expect(importsIn(graph)).toEqual([
    "a/shop/tests/all.rs -> a/shop/src/lib.rs",
    "b/shop/tests/all.rs -> b/shop/src/lib.rs",
  ]);
});

it("gives the callers of a name that is everywhere", () => {
  const files = Array.from({ length: 300 }, (_, i) => ({
    path: `f${i}.ts`,
    facts: facts({ definitions: [definition("run")], calls: [call("run")] }),
  }));
  const steps = callersOf(new Graph(files), "run");
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  expect(step.value).toHaveLength(300);
});
