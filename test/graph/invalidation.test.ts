/** Invalidation: a change resolves exactly the files again that read something changed. */

import { expect, it } from "vitest";
import { decodeFacts } from "../../server/contracts/encoded-facts.ts";
import { callsIn, factsOf, graphOf } from "../support/graph.ts";

const POOL = `package shop.db;
public class Pool { public int open() { return 1; } }
`;
const CODE = `//- src/shop/db/Pool.java
${POOL}
//- src/shop/Cart.java
package shop;
import shop.db.Pool;
class Cart { Pool pool = new Pool(); int total() { return pool.open(); } }
//- src/shop/Till.java
package shop;
import shop.db.Pool;
class Till { Pool pool = new Pool(); int count() { return pool.size(); } }
//- src/shop/Main.java
package shop;
class Main { int run() { return new Cart().total(); } }
`;

/** The files that are resolved again after the pool changed. */
async function resolvedAfter(pool: string): Promise<string[]> {
  const graph = await graphOf(CODE);
  for (const _ of graph.resolveAll());
  const { project } = graph;
  const { reads } = project;
  const resolved = new Set<string>();
  const create = reads.create.bind(reads);
  reads.create = (file: number) => {
    if (project.has(file)) resolved.add(project.path(file).replace("src/shop/", ""));
    return create(file);
  };
  graph.set("src/shop/db/Pool.java", decodeFacts(await factsOf("src/shop/db/Pool.java", pool)));
  for (const _ of graph.resolveAll());
  return [...resolved].toSorted();
}

const inPool = (from: string, to: string) => resolvedAfter(POOL.replace(from, to));

it("A change of a body resolves only its own file", async () =>
  expect(await inPool("return 1", "return 2")).toEqual(["db/Pool.java"]));

it("A new name without readers resolves only its own file", async () =>
  expect(await inPool("{ public", "{ public int close() { return 0; } public")).toEqual([
    "db/Pool.java",
  ]));

it("A new class without readers resolves only its own file", async () =>
  expect(await inPool("public class", "class Spare { }\npublic class")).toEqual(["db/Pool.java"]));

it("A new name resolves the files that looked it up in vain", async () =>
  expect(await inPool("{ public", "{ public int size() { return 0; } public")).toEqual([
    "Till.java",
    "db/Pool.java",
  ]));

it("A renamed definition resolves its readers", async () =>
  expect(await inPool("int open()", "int start()")).toEqual(["Cart.java", "db/Pool.java"]));

it("A changed return type resolves its readers", async () =>
  expect(await inPool("public int open()", "public String open()")).toEqual([
    "Cart.java",
    "db/Pool.java",
  ]));

const THING = `//- lib/Thing.cs
namespace Demo.Things; public class Thing { public void Poke() { } public static Thing Make() => null; }
//- app/UseThing.cs
namespace Demo.App; public class UseThing { public void Go() { var t = Thing.Make(); t.Poke(); } }
`;
const FOUND = [
  "app/UseThing.cs:1 Make -> lib/Thing.cs Thing.Make (member of a type)",
  "app/UseThing.cs:1 Poke -> lib/Thing.cs Thing.Poke (typed receiver)",
];

it("A change of global usings is followed", async () => {
  const graph = await graphOf(THING);
  expect(callsIn(graph)).toEqual([]);
  const path = "app/Usings.cs";
  graph.set(path, decodeFacts(await factsOf(path, "global using Demo.Things;\n")));
  expect(callsIn(graph)).toEqual(FOUND);
  expect(graph.fileEdges.to(graph.project.find("lib/Thing.cs") ?? -1).size).toBe(1);
  graph.remove(path);
  expect(callsIn(graph)).toEqual([]);
});
