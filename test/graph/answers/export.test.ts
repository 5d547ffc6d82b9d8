/** The edges that `deps export` writes. */

import { expect, it } from "vitest";
import { exportEdges } from "../../../server/graph/answers/export.ts";
import type { Graph } from "../../../server/graph/graph.ts";
import { graphOf } from "../../support/graph.ts";

const SHOP = `//- a/Shop.java
package a;
import b.Cart;
import c.*;
class Shop { Cart cart = new Cart(); Lamp lamp = new Lamp(); }
//- b/Cart.java
package b;
public class Cart {}
//- c/Chair.java
package c;
public class Chair {}
//- c/Lamp.java
package c;
public class Lamp {}
`;

function exported(graph: Graph, include: (path: string) => string | undefined) {
  const steps = exportEdges(graph, 0, include);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

it("`exportEdges` skips edges from and to excluded and removed files", async () => {
  const graph = await graphOf(SHOP);
  const isOf = (path: string) => (all: unknown) => JSON.stringify(all).includes(path);
  const whole = exported(graph, (path) => path);
  for (const out of whole.files) {
    const rest = exported(graph, (path) => (path === out ? undefined : path));
    const { files, edges } = whole;
    expect(rest).toEqual({
      files: files.filter((path) => path !== out),
      edges: edges.filter((edge) => !isOf(out)(edge)),
    });
  }
  graph.remove("c/Lamp.java");
  for (const _ of graph.resolveAll());
  const left = exported(graph, (path) => path);
  expect(left.files).toEqual(["a/Shop.java", "b/Cart.java", "c/Chair.java"]);
  expect(left).not.toSatisfy(isOf("Lamp.java"));
});

it("`exportEdges` marks files of a wildcard import as references", async () => {
  const { edges } = exported(await graphOf(SHOP), (path) => path);
  const written = edges.flatMap((edge) =>
    "to" in edge && "from" in edge ? [`${edge.kind} ${edge.from}:${edge.line} ${edge.to}`] : [],
  );
  expect(written).toEqual([
    "import a/Shop.java:1 b/Cart.java",
    "reference a/Shop.java:2 c/Lamp.java",
  ]);
});

it("`exportEdges` writes an import of several names once", async () => {
  const graph = await graphOf(`//- src/lib.rs
mod pool;
use pool::{open, close, Pool};
use pool::Lease;
//- src/pool.rs
pub struct Pool;
pub struct Lease;
pub fn open() -> Pool { Pool }
pub fn close(pool: Pool) {}
`);
  const { edges } = exported(graph, (path) => path);
  const lines = edges.flatMap((edge) => (edge.kind === "import" ? [edge.line] : []));
  expect(lines).toEqual([0, 1, 2]);
});
