/** Which files a change makes resolved again: those that read what changed, and no others. */

import { expect, it } from "vitest";
import { decodeFacts } from "../../server/contracts/encoded-facts.ts";
import { factsOf, graphOf } from "../support/graph.ts";

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

/** The files that are resolved when the pool becomes another one. */
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

it("resolves only the file itself where nothing but a body changed", async () =>
  expect(await inPool("return 1", "return 2")).toEqual(["db/Pool.java"]));

it("resolves nobody else for a name that nobody looked for", async () =>
  expect(await inPool("{ public", "{ public int close() { return 0; } public")).toEqual([
    "db/Pool.java",
  ]));

it("resolves nobody else for a class that nobody looked for", async () =>
  expect(await inPool("public class", "class Spare { }\npublic class")).toEqual(["db/Pool.java"]));

it("resolves those again that looked for a name and did not find it", async () =>
  expect(await inPool("{ public", "{ public int size() { return 0; } public")).toEqual([
    "Till.java",
    "db/Pool.java",
  ]));

it("resolves those again that found what is called otherwise now", async () =>
  expect(await inPool("int open()", "int start()")).toEqual(["Cart.java", "db/Pool.java"]));

it("resolves those again that found what returns something else now", async () =>
  expect(await inPool("public int open()", "public String open()")).toEqual([
    "Cart.java",
    "db/Pool.java",
  ]));
