/** Imports by the name of the workspace folder. */

import { expect, it } from "vitest";
import { graphOf, importsIn } from "../support/graph.ts";

it("A package resolves by its own name if its folder is the workspace", async () => {
  const literal = `//- __init__.py
from shop.cart import Cart
//- cart.py
from shop import pricing, __version__
//- deep/tax.py
import shop.pricing
//- pricing.py
import os.path
//- path.py
`;
  const edges = [
    "__init__.py -> cart.py",
    "cart.py -> pricing.py",
    "cart.py -> __init__.py",
    "deep/tax.py -> pricing.py",
  ];
  expect(importsIn(await graphOf(literal, { rootName: "shop" }))).toEqual(edges);
  expect(importsIn(await graphOf(literal, { rootName: "other" }))).toEqual([]);
  expect(
    importsIn(await graphOf(literal.replace("__init__.py", "a.py"), { rootName: "shop" })),
  ).toEqual([]);
});

it("Packages resolve by the name of the workspace folder if it is a part of a module", async () => {
  const literal = `//- main.go
package shop
import ("example.com/all/shop/pool"; "example.com/all/shop"; "shop/pool"; "example.com/all/other/pool")
func Run() { pool.Open() }
//- pool/open.go
package pool
import "example.com/all/shop"
func Open() { shop.Run() }
`;
  const edges = ["main.go -> pool/open.go", "pool/open.go -> main.go"];
  expect(importsIn(await graphOf(literal, { rootName: "shop" }))).toEqual(edges);
  expect(importsIn(await graphOf(literal, { rootName: "cart" }))).toEqual([]);
  const first = literal.replaceAll("/all/", "/");
  expect(importsIn(await graphOf(first, { rootName: "shop" }))).toEqual(edges);
  const whole = `${literal}//- go.mod\nmodule example.com/pool\n`;
  expect(importsIn(await graphOf(whole, { rootName: "shop" }))).toEqual([]);
});
