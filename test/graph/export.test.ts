/** What `deps export` writes of a graph. */

import { expect, it } from "vitest";
import { exportEdges } from "../../server/graph/export.ts";
import { graphOf } from "../support/graph.ts";

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

it("tells the file that an import names from one that only a used name means", async () => {
  const graph = await graphOf(SHOP);
  const steps = exportEdges(graph, 0, (path) => path);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const written = step.value.edges.flatMap((edge) =>
    "to" in edge && "from" in edge ? [`${edge.kind} ${edge.from}:${edge.line} ${edge.to}`] : [],
  );
  expect(written).toEqual([
    "import a/Shop.java:1 b/Cart.java",
    "reference a/Shop.java:2 c/Lamp.java",
  ]);
});
