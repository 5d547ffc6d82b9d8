/** Extreme graphs: cycles, huge files, many files, two crates of one name, and random manifests. */

import { expect, it } from "vitest";
import { runToEnd } from "../../server/common/slices.ts";
import { decodeFacts } from "../../server/contracts/encoded-facts.ts";
import type {
  CallFact,
  DefinitionFact,
  FileFacts,
  ImportFact,
} from "../../server/contracts/facts.ts";
import { calleesOf, callersOf } from "../../server/graph/answers/call-sites.ts";
import { exportEdges } from "../../server/graph/answers/export.ts";
import { walk } from "../../server/graph/answers/walk.ts";
import { Graph } from "../../server/graph/graph.ts";
import { callsIn, factsOf, graphOf, importsIn } from "../support/graph.ts";
import { forAllRandom, type Random } from "../support/random.ts";

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
  labels: "",
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
  labels: "",
});

it("Resolution ends for barrels that re-export each other", async () => {
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

it("Resolution ends for cyclic values, types and bases", async () => {
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

it("A file with 10,000 calls resolves", () => {
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

it("5,000 files in 500 packages resolve, and a removed file resolves only its importers again", () => {
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
  // The ten files of the previous package, and the last file of its own.
  expect(graph.fileEdges.to(target).size).toBe(11);
  graph.takeResolved();
  graph.remove("packages/p1/src/f0.ts");
  expect(graph.fileEdges.to(target).size).toBe(0);
  expect(graph.takeResolved()).toHaveLength(11);
});

it("`walk` visits a cycle of 5,000 files once", () => {
  const files = Array.from({ length: 5_000 }, (_, i) => ({
    path: `f${i}.ts`,
    facts: facts({ imports: [imports(`./f${(i + 1) % 5_000}`)] }),
  }));
  const graph = new Graph(files);
  expect(runToEnd(walk(graph.fileEdges, [0], { direction: "all", hops: 5_000 }))).toHaveLength(
    4_999,
  );
});

it("Two crates of one name are distinct", async () => {
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

it("`callersOf` finds the callers of a very common name", () => {
  const files = Array.from({ length: 300 }, (_, i) => ({
    path: `f${i}.ts`,
    facts: facts({ definitions: [definition("run")], calls: [call("run")] }),
  }));
  const steps = callersOf(new Graph(files), "run");
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  expect(step.value).toHaveLength(300);
});

it.each([
  ["its callers are found", (graph: Graph) => callersOf(graph, "run")],
  ["its callees are found", (graph: Graph) => calleesOf(graph, "run")],
  ["it is written out", (graph: Graph) => exportEdges(graph, 0, (path) => path)],
])("A file with 5,000 calls yields while %s", (_, stepsOf) => {
  const calls = Array.from({ length: 5_000 }, () => call("run"));
  const graph = new Graph([
    { path: "f.ts", facts: facts({ definitions: [definition("run")], calls }) },
  ]);
  expect([...graph.resolveAll()].length).toBeGreaterThan(0);
  expect([...stepsOf(graph)].length).toBeGreaterThan(90);
});

it("`callersOf` yields while it scans 1,000 files for an unknown name", () => {
  const files = Array.from({ length: 1_000 }, (_, i) => ({ path: `f${i}.ts`, facts: facts({}) }));
  const graph = new Graph(files);
  expect([...graph.resolveAll()].length).toBeGreaterThan(0);
  expect([...callersOf(graph, "run")].length).toBeGreaterThan(15);
});

/** Invalid and malicious values of manifest keys. */
function valueBy(chance: Random, depth = 0): unknown {
  const plain = [null, 0, -1, true, "", ".", "./b.ts", "*", "./*", "../..", "#db", "@", "[", "\\"];
  if (depth > 2 || chance.chance(0.5)) return chance.pick(plain);
  const values = Array.from({ length: chance.int(4) }, () => valueBy(chance, depth + 1));
  if (chance.chance(0.3)) return values;
  const keys = [".", "./deep", "./*", "#db", "#*", "import", "default", "types", "a", "@x/*", "*"];
  return Object.fromEntries(values.map((value) => [chance.pick(keys), value]));
}

const KEYS_OF: Readonly<Record<string, readonly string[]>> = {
  "package.json": "name exports imports main module types typings source workspaces bin".split(" "),
  "pool/package.json": "name exports imports main module types browser".split(" "),
  "tsconfig.json": "compilerOptions extends references include files paths".split(" "),
  "composer.json": "autoload autoload-dev name".split(" "),
};

it("Relative imports resolve with any content of manifests", async () => {
  const source = `//- a.ts
import "./b";
import "pool";
import "pool/deep";
import "#db";
import "@x/y";
//- b.ts
export const b = 1;
//- pool/index.ts
export const pool = 1;
`;
  const graph = await graphOf(source);
  await forAllRandom({ seed: 1, numRuns: 150 }, async (chance) => {
    const path = chance.pick(Object.keys(KEYS_OF));
    const manifest = Object.fromEntries(
      (KEYS_OF[path] ?? []).filter(() => chance.chance(0.5)).map((key) => [key, valueBy(chance)]),
    );
    if (chance.chance(0.3))
      Object.assign(manifest, {
        name: "pool",
        exports: { ".": valueBy(chance), "./deep": valueBy(chance) },
        imports: { "#db": valueBy(chance) },
        compilerOptions: { baseUrl: valueBy(chance), paths: valueBy(chance) },
      });
    const text = chance.chance(0.05) ? JSON.stringify(valueBy(chance)) : JSON.stringify(manifest);
    graph.set(path, decodeFacts(await factsOf(path, text)));
    expect({ text, imports: importsIn(graph) }).toEqual({
      text,
      imports: expect.arrayContaining(["a.ts -> b.ts"]),
    });
  });
});
