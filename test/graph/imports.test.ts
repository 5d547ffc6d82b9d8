/** Import resolution, by language. */

import { describe, expect, it } from "vitest";
import { checkImports, graphOf, importsIn } from "../support/graph.ts";

describe("JavaScript and TypeScript", () => {
  it("A specifier with the extension of the output resolves to its source", () =>
    checkImports('//- src/a.ts\nimport { b } from "./b.js";\n//- src/b.ts\nexport const b = 1;\n', [
      "src/a.ts -> src/b.ts",
    ]));
  it("Specifiers resolve to index files, and to parent folders", () =>
    checkImports(
      '//- a/b/c.ts\nimport x from "../d";\nimport y from "..";\n//- a/d/index.ts\nexport default 1;\n//- a/index.js\n',
      ["a/b/c.ts -> a/d/index.ts", "a/b/c.ts -> a/index.js"],
    ));
  it("`paths` of a tsconfig with comments and `extends` resolve", () =>
    checkImports(
      `//- base.json
{ "compilerOptions": {} }
//- tsconfig.base.json
{ // all of it
  "compilerOptions": { "baseUrl": ".", "paths": { "@lib/*": ["lib/*/src"], }, } }
//- app/tsconfig.json
{ "extends": "../tsconfig.base.json" }
//- app/main.ts
import { x } from "@lib/pool";
import { y } from "lib/other";
//- lib/pool/src/index.ts
export const x = 1;
//- lib/other.ts
export const y = 1;
`,
      ["app/main.ts -> lib/pool/src/index.ts", "app/main.ts -> lib/other.ts"],
    ));
  it("Packages of the workspace resolve by `exports`, or to the sources of their output", () =>
    checkImports(
      `//- packages/a/package.json
{ "name": "@shop/a", "exports": { ".": { "types": "./dist/index.d.ts" }, "./deep/*": "./lib/*.js" } }
//- packages/a/src/index.ts
export const a = 1;
//- packages/a/lib/x.js
export const x = 1;
//- packages/b/main.ts
import { a } from "@shop/a";
import { x } from "@shop/a/deep/x";
import react from "react";
`,
      [
        "packages/b/main.ts -> packages/a/src/index.ts",
        "packages/b/main.ts -> packages/a/lib/x.js",
      ],
    ));
  it("Imports by name, `require` and `import()` resolve", () =>
    checkImports(
      `//- package.json
{ "name": "shop", "imports": { "#db": "./src/db.js" } }
//- src/a.js
import db from "#db";
const { read } = require("./read");
async function f() { return import("./lazy.mjs"); }
//- src/db.js
//- src/lazy.mjs
//- src/read.js
`,
      ["src/a.js -> src/db.js", "src/a.js -> src/read.js", "src/a.js -> src/lazy.mjs"],
    ));
});

describe("Python", () => {
  it("A submodule wins over an attribute, from a source root", () =>
    checkImports(
      `//- src/shop/__init__.py
from .cart import Cart
//- src/shop/cart.py
from shop import pricing, Cart
from . import pricing as p
//- src/shop/pricing.py
import os
//- tests/test_cart.py
import shop.cart
`,
      [
        "src/shop/__init__.py -> src/shop/cart.py",
        "src/shop/cart.py -> src/shop/pricing.py",
        "src/shop/cart.py -> src/shop/__init__.py",
        "src/shop/cart.py -> src/shop/pricing.py",
        "tests/test_cart.py -> src/shop/cart.py",
      ],
    ));
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
  it("Leading dots resolve to parent packages, and folders need no `__init__`", () =>
    checkImports("//- a/b/c.py\nfrom ..d import e\nfrom a.d import e\n//- a/d/e.py\nx = 1\n", [
      "a/b/c.py -> a/d/e.py",
      "a/b/c.py -> a/d/e.py",
    ]));
});

describe("Go", () => {
  it("An import resolves to the files of a package that define the used members", () =>
    checkImports(
      `//- go.mod
module example.com/shop
//- pool/open.go
package pool
func Open() {}
//- pool/other.go
package pool
func Other() {}
//- pool/open_test.go
package pool
//- main.go
package main
import "example.com/shop/pool"
func main() { pool.Open() }
`,
      ["main.go -> pool/open.go"],
    ));
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
  it("`replace` directives resolve", () =>
    checkImports(
      `//- app/go.mod
module example.com/app
replace example.com/lib => ../lib
//- app/main.go
package main
import l "example.com/lib"
func main() { l.Run() }
//- lib/go.mod
module example.com/lib
//- lib/run.go
package lib
func Run() {}
`,
      ["app/main.go -> lib/run.go"],
    ));
});

describe("Java", () => {
  it("Imports resolve to classes, also of members, and wildcards to the used classes", () =>
    checkImports(
      `//- a/Shop.java
package a;
import b.Cart;
import static b.Prices.total;
import c.*;
class Shop { Lamp lamp; }
//- b/Cart.java
package b;
public class Cart {}
//- b/Prices.java
package b;
public class Prices { public static int total() { return 1; } }
//- c/Chair.java
package c;
public class Chair {}
//- c/Lamp.java
package c;
public class Lamp {}
`,
      ["a/Shop.java -> b/Cart.java", "a/Shop.java -> b/Prices.java", "a/Shop.java -> c/Lamp.java"],
    ));
});

describe("Rust", () => {
  it("`mod`, `crate`, `super` and crates of the workspace resolve", () =>
    checkImports(
      `//- app/Cargo.toml
[package]
name = "app"
//- app/src/main.rs
mod pool;
use my_lib::Thing;
//- app/src/pool.rs
mod inner;
use crate::pool::inner::Worker;
//- app/src/pool/inner.rs
use super::Pool;
pub struct Worker;
//- lib/Cargo.toml
[package]
name = "my-lib"
//- lib/src/lib.rs
mod thing;
pub use thing::Thing;
//- lib/src/thing.rs
pub struct Thing;
`,
      [
        "app/src/main.rs -> app/src/pool.rs",
        "app/src/main.rs -> lib/src/lib.rs",
        "app/src/main.rs -> lib/src/thing.rs",
        "app/src/pool.rs -> app/src/pool/inner.rs",
        "app/src/pool.rs -> app/src/pool/inner.rs",
        "app/src/pool/inner.rs -> app/src/pool.rs",
        "lib/src/lib.rs -> lib/src/thing.rs",
        "lib/src/lib.rs -> lib/src/thing.rs",
      ],
    ));
});

it("Imports of a file with syntax errors resolve", async () => {
  const calls = "  <A extends B>(a: A): B\n".repeat(40);
  const graph = await graphOf(
    `//- types.ts\nimport { B } from "./b";\nexport interface Make {\n${calls}}\n//- b.ts\nexport class B {}\n`,
  );
  expect(importsIn(graph)).toEqual(["types.ts -> b.ts"]);
});

describe("Ruby", () => {
  it("A required name without a folder is a gem, unless a file of the name is on the load path", () =>
    checkImports(
      `//- lib/shop.rb
require "json"
require "shop/json"
require "logger"
require "money"
require "tea"
//- lib/shop/json.rb
//- lib/shop/logger.rb
require "logger"
//- lib/money.rb
//- gems/tea/lib/tea.rb
//- test/helper.rb
//- test/shop/json_test.rb
require "helper"
//- tool/sort/main.rb
require "rules"
//- tool/sort/rules.rb
`,
      [
        "lib/shop.rb -> lib/shop/json.rb",
        "lib/shop.rb -> lib/money.rb",
        "lib/shop.rb -> gems/tea/lib/tea.rb",
        "test/shop/json_test.rb -> test/helper.rb",
        "tool/sort/main.rb -> tool/sort/rules.rb",
      ],
    ));
});

it("Qualified module names of Elixir resolve, but not those in documentation", () =>
  checkImports(
    `//- lib/shop.ex
defmodule Shop do
  @moduledoc """
  See Shop.Prose.read/1.

      alias Shop.Prose
  """
  alias Shop.Db
  alias Shop.Cart, as: Basket
  # Shop.Prose again
  def open(id), do: Shop.Pool.open(id, "#{Shop.Names.of(id)}")
  def row(%Db.Row{} = row), do: {Basket.Item, row, Plug.Conn}
end
//- lib/prose.ex
defmodule Shop.Prose do
end
//- lib/pool.ex
defmodule Shop.Pool do
end
//- lib/names.ex
defmodule Shop.Names do
end
//- lib/row.ex
defmodule Shop.Db.Row do
end
//- lib/item.ex
defmodule Shop.Cart.Item do
end
`,
    [
      "lib/shop.ex -> lib/pool.ex",
      "lib/shop.ex -> lib/names.ex",
      "lib/shop.ex -> lib/row.ex",
      "lib/shop.ex -> lib/item.ex",
    ],
  ));
