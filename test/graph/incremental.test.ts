/** A graph that follows edits has the same edges as a new graph. */

import { expect, it } from "vitest";
import { findDifference } from "../../scripts/graph/live-check.ts";
import { decodeFacts } from "../../server/contracts/encoded-facts.ts";
import type { Graph } from "../../server/graph/graph.ts";
import { CHANCE_LANGUAGES, projectIn } from "../support/chance-projects.ts";
import { callsIn, factsOf, filesOf, graphOf, importsIn } from "../support/graph.ts";
import { forAllRandom } from "../support/random.ts";

const WORKSPACES: Readonly<Record<string, string>> = {
  TypeScript: `//- package.json
{ "name": "shop", "imports": { "#db": "./src/db.ts" } }
//- src/index.ts
export * from "./cart";
export { Pool as Connections } from "./db";
//- src/cart.ts
import { Pool } from "#db";
import { format } from "./text/format";
export class Cart { pool = new Pool(); total() { return format(this.pool.open()); } }
//- src/db.ts
export class Pool { open() { return 1; } }
//- src/text/format.ts
export function format(value: number) { return String(value); }
//- src/main.ts
import { Cart, Connections } from ".";
new Cart().total();
new Connections().open();
`,
  Python: `//- shop/__init__.py
from .cart import Cart
//- shop/cart.py
from shop.pricing import Price
class Cart:
    def __init__(self): self.price = Price()
    def total(self): return self.price.value()
//- shop/pricing.py
class Price:
    def value(self): return 1
//- shop/text/words.py
from .. import Cart
def words(cart: Cart): return cart.total()
//- main.py
import shop
shop.Cart().total()
`,
  Go: `//- go.mod
module example.com/shop
//- pool/pool.go
package pool
type Pool struct { size int }
func (p *Pool) Open() int { return limit() }
//- pool/limit.go
package pool
func limit() int { return 1 }
//- main.go
package main
import "example.com/shop/pool"
func main() { p := pool.Pool{}; p.Open() }
`,
  Java: `//- src/shop/Cart.java
package shop;
import shop.db.*;
class Cart { Pool pool = new Pool(); int total() { return pool.open() + Price.of(); } }
//- src/shop/Price.java
package shop;
class Price { static int of() { return 1; } }
//- src/shop/db/Pool.java
package shop.db;
public class Pool extends Base { public int open() { return limit(); } }
//- src/shop/db/Base.java
package shop.db;
class Base { int limit() { return 1; } }
`,
  Rust: `//- Cargo.toml
[package]
name = "shop"
//- src/lib.rs
mod cart;
pub mod db;
pub use cart::Cart;
//- src/cart.rs
use crate::db::Pool;
pub struct Cart { pool: Pool }
impl Cart { pub fn total(&self) -> u32 { self.pool.open() } }
//- src/db.rs
pub struct Pool;
impl Pool { pub fn open(&self) -> u32 { 1 } }
//- src/main.rs
use shop::Cart;
fn run(cart: Cart) { cart.total(); }
`,
  "C#": `//- app/App.csproj
<Project><ItemGroup><Using Include="Shop.Db" /></ItemGroup></Project>
//- app/Usings.cs
global using Shop.Text;
//- app/Cart.cs
namespace Shop.App;
class Cart(Pool pool) { Pool other = new(); int Total() { return pool.Open() + Words.Trim(); } }
//- lib/Pool.cs
namespace Shop.Db;
public class Pool { public int Open() { return this.Limit(); } }
static class Added { public static int Limit(this Pool pool) => 1; }
//- lib/Words.cs
namespace Shop.Text;
public static class Words { public static int Trim() => 1; }
`,
  Ruby: `//- lib/shop/filters.rb
module Shop
  module Filters
    include Dates
    def trim(text); end
  end
end
//- lib/shop/dates.rb
module Shop
  module Filters
    module Dates
      def day(date); end
    end
  end
end
//- test/helper.rb
include Shop
class Filter
  include Shop::Filters
  alias cut trim
end
def make_filter
  Filter.new.tap { |one| one.trim("a") }
end
//- test/all.rb
require_relative "helper"
filter = make_filter
filter.day(1)
filter.cut("a")
Filters.trim("b")
`,
  Lua: `//- main.lua
local pool = require("shop.pool")
local text = require("shop.text")
function run() pool.open(); text.trim(pool.limit()) end
//- shop/pool.lua
local M = {}
function M.limit() return 1 end
function M.open() return M.limit() end
return M
//- shop/text.lua
local text = { trim = function(value) return value end }
function text.pad(value) return text.trim(value) end
return text
`,
};

it.each(Object.entries(WORKSPACES))("Edits of %s give the edges of a new graph", (_, literal) =>
  forAllRandom({ seed: 1, numRuns: 2 }, async ({ share }) =>
    expect(await findDifference(filesOf(literal), { edits: 30, random: share })).toBeUndefined(),
  ),
);

it.each(CHANCE_LANGUAGES)(
  "Edits of a random project in %s give the edges of a new graph",
  (language) =>
    forAllRandom({ seed: 3, numRuns: 1 }, async (random) => {
      const files = filesOf(projectIn(language, random));
      expect(await findDifference(files, { edits: 15, random: random.share })).toBeUndefined();
    }),
);

/** The types of an edge, from both of its files. */
function edgeBetween(graph: Graph, from: string, to: string) {
  const [source, target] = [graph.project.find(from) ?? -1, graph.project.find(to) ?? -1];
  const edges = graph.fileEdges;
  const none: ReadonlySet<string> = new Set();
  return {
    from: edges.from(source).get(target)?.types ?? none,
    to: edges.to(target).get(source)?.types ?? none,
  };
}

it("Changes and removal of a manifest are followed", async () => {
  const manifest = (main: string) => `{ "name": "pool", "main": "${main}" }`;
  const graph = await graphOf(`//- a.ts
import { open } from "pool";
open();
//- pool/package.json
${manifest("one.ts")}
//- pool/one.ts
export function open() {}
//- pool/two.ts
export function open() {}
`);
  const imports = () => {
    for (const _ of graph.resolveAll());
    return importsIn(graph);
  };
  const set = async (main: string) => {
    const facts = decodeFacts(await factsOf("pool/package.json", manifest(main)));
    graph.set("pool/package.json", facts);
  };
  expect(imports()).toEqual(["a.ts -> pool/one.ts"]);
  await set("two.ts");
  expect(imports()).toEqual(["a.ts -> pool/two.ts"]);
  await set("one.ts");
  expect(imports()).toEqual(["a.ts -> pool/one.ts"]);
  graph.remove("pool/package.json");
  expect(imports()).toEqual([]);
});

it("Folders that become Python packages, and cease to be, are followed", async () => {
  const graph = await graphOf(`//- app/main.py
from shop.parts import door
door.open()
//- lib/x.txt
`);
  const edges = () => {
    for (const _ of graph.resolveAll());
    return [...importsIn(graph), ...callsIn(graph)];
  };
  const set = async (path: string, text: string) =>
    graph.set(path, decodeFacts(await factsOf(path, text)));
  expect(edges()).toEqual([]);
  await set("shop/parts/door.py", "def open(): pass\n");
  const there = edges();
  expect(there[0]).toBe("app/main.py -> shop/parts/door.py");
  await set("shop/parts/other.py", "def close(): pass\n");
  graph.remove("shop/parts/door.py");
  expect(edges()).toEqual([]);
  await set("shop/parts/door.py", "def open(): pass\n");
  expect(edges()).toEqual(there);
});

it("Functions that are added to a Lua table, and to a second one, are followed", async () => {
  const pool = (...functions: readonly string[]) =>
    `local M, N = {}, {}\n${functions.map((name) => `function ${name}() end\n`).join("")}return M\n`;
  const graph = await graphOf(`//- main.lua
local pool = require("pool")
function run() pool.close() end
//- pool.lua
${pool("M.open")}`);
  const calls = async (...functions: readonly string[]) => {
    graph.set("pool.lua", decodeFacts(await factsOf("pool.lua", pool(...functions))));
    for (const _ of graph.resolveAll());
    const { from, to } = edgeBetween(graph, "main.lua", "pool.lua");
    return [callsIn(graph).length, from.has("call"), to.has("call")];
  };
  expect(await calls("M.open")).toEqual([0, false, false]);
  expect(await calls("M.open", "M.close")).toEqual([1, true, true]);
  expect(await calls("M.open", "M.close", "N.close")).toEqual([0, false, false]);
  expect(await calls("N.close", "M.open")).toEqual([1, true, true]);
});
