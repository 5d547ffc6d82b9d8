/** Call resolution and its tiers, by language. */

import { describe, expect, it } from "vitest";
import { callsIn, checkCalls, graphOf } from "../../support/graph.ts";

describe("Python", () => {
  it("Inherited methods and `super` resolve", () =>
    checkCalls(
      `//- a.py
from b import Base

class Own(Base):
    def run(self):
        self.start()
        super().start()
//- b.py
class Base:
    def start(self): ...
`,
      [
        "a.py:5 start -> b.py Base.start (inherited)",
        "a.py:6 start -> b.py Base.start (inherited)",
      ],
    ));
  it("A nested function resolves, but a parameter does not", () =>
    checkCalls(
      `//- a.py
def merge(apps, visit):
    def extend(app): ...
    for app in apps:
        extend(app)
        visit(app)
`,
      ["a.py:4 extend -> a.py merge.extend (same file)"],
    ));
  it("A call resolves to the only reachable method of its name, except for built-in names", () =>
    checkCalls(
      `//- a.py
import b

def f(thing):
    thing.reconcile()
    thing.append()
//- b.py
class B:
    def reconcile(self): ...
    def append(self): ...
`,
      ["a.py:4 reconcile -> b.py B.reconcile (only method of that name)"],
    ));
});

describe("Go", () => {
  it("Receivers, multiple results and package members resolve", () =>
    checkCalls(
      `//- go.mod
module m
//- a.go
package a
func New() (*Pool, error) { return nil, nil }
func use() { p, err := New(); p.Close(); _ = err }
//- pool.go
package a
type Pool struct{ Inner }
type Inner struct{}
func (i *Inner) Close() {}
`,
      [
        "a.go:3 New -> a.go New (same file)",
        "a.go:3 Close -> pool.go Inner.Close (typed receiver)",
      ],
    ));

  it("Named results have types, in the function and at its calls", () =>
    checkCalls(
      `//- go.mod
module m
//- pool.go
package m
type Pool struct{}
type Conn struct{}
func (p *Pool) Dial() (conn *Conn, err error) {
	conn, err = p.Dial()
	conn.Close()
	return
}
func (c *Conn) Close() {}
func pair(n int) (a, b *Conn) { b.Close(); return }
func one() (
	p *Pool,
) {
	p.Dial()
	return
}
func none() (chan Conn, error) { return nil, nil }
func run() {
	conn, _ := one().Dial()
	conn.Close()
	_, b := pair(1)
	b.Close()
}
`,
      [
        "pool.go:5 Dial -> pool.go Pool.Dial (typed receiver)",
        "pool.go:6 Close -> pool.go Conn.Close (typed receiver)",
        "pool.go:10 Close -> pool.go Conn.Close (typed receiver)",
        "pool.go:14 Dial -> pool.go Pool.Dial (typed receiver)",
        "pool.go:19 Dial -> pool.go Pool.Dial (typed receiver)",
        "pool.go:19 one -> pool.go one (same file)",
        "pool.go:20 Close -> pool.go Conn.Close (typed receiver)",
        "pool.go:21 pair -> pool.go pair (same file)",
        "pool.go:22 Close -> pool.go Conn.Close (typed receiver)",
      ],
    ));
});

describe("Java", () => {
  it("Own, static and inherited methods resolve", () =>
    checkCalls(
      `//- a/Shop.java
package a;
class Shop extends Base {
  void run() { open(); Prices.total(); helper(); }
  void helper() {}
}
//- a/Base.java
package a;
class Base { void open() {} }
//- a/Prices.java
package a;
class Prices { static int total() { return 1; } }
`,
      [
        "a/Shop.java:3 open -> a/Base.java Base.open (inherited)",
        "a/Shop.java:3 total -> a/Prices.java Prices.total (member of a type)",
        "a/Shop.java:3 helper -> a/Shop.java Shop.helper (own method)",
      ],
    ));
});

describe("Rust", () => {
  it("`impl` blocks, `Self`, results and macros resolve", () =>
    checkCalls(
      `//- Cargo.toml
[package]
name = "m"
//- src/lib.rs
mod pool;
use pool::Pool;
macro_rules! twice { () => {} }
fn run() { let p = Pool::open()?; p.close(); twice!(); }
//- src/pool.rs
pub struct Pool;
impl Pool {
  pub fn open() -> Result<Self, Error> { Self::make() }
  fn make() -> Result<Pool, Error> { todo() }
  pub fn close(&self) {}
}
`,
      [
        "src/lib.rs:4 open -> src/pool.rs Pool.open (member of a type)",
        "src/lib.rs:4 close -> src/pool.rs Pool.close (typed receiver)",
        "src/lib.rs:4 twice -> src/lib.rs twice (same file)",
        "src/pool.rs:3 make -> src/pool.rs Pool.make (member of a type)",
      ],
    ));
});

it("Resolution ends for cycles of imports, bases and values", async () => {
  const graph = await graphOf(`//- a.py
from b import *
from b import x
class A(B): ...
y = x
def f(): return g()
y.run()
f().run()
//- b.py
from a import *
from a import y as x
class B(A): ...
def g(): return f()
`);
  expect(callsIn(graph)).toContain("a.py:5 g -> b.py g (imported name)");
});

it("`cls` is the class only in Python methods with a parameter of that name", () =>
  checkCalls(
    `//- a.py
class App:
    @classmethod
    def create(cls):
        return cls()
    def build(self, parts):
        for cls, args in parts:
            cls(args)
`,
    ["a.py:4 cls -> a.py App (own method)"],
  ));

it("A function of a class or of an enclosing function does not resolve a name elsewhere", () =>
  checkCalls(
    `//- a.py
def helper(): pass
def inner(): pass
class Shop:
    def helper(self): pass
    def run(self): helper()
class Other:
    def only_here(self): pass
    def run(self): only_here()
def outer():
    def inner(): pass
    def other(): inner()
    return other
`,
    ["a.py:5 helper -> a.py helper (same file)", "a.py:11 inner -> a.py outer.inner (same file)"],
  ));

/** `Dog` has a constructor, so that inside the class its name also refers to the constructor. */
const CLASS_BELOW = {
  java: `//- Dog.java
class Animal { Animal(int legs) {} void eat() {} }
class Dog extends Animal {
  Dog(int legs) { super(legs); }
  static Dog make() { Dog made = new Dog(4); made.bark(); return made; }
  void bark() { super.eat(); Dog.make(); new Dog(3).bark(); }
  Animal inner() { return new Dog(1) { void rest() { Dog.this.bark(); } }.make(); }
}
`,
  csharp: `//- Dog.cs
class Animal { public void Eat() {} }
class Dog : Animal {
  public Dog(int legs) {}
  static async Task<Dog> Make() { var made = new Dog(4); made.Bark(); return made; }
  async Task Bark() { base.Eat(); var one = await Dog.Make(); one.Bark(); }
}
`,
  php: `//- Dog.php
<?php
class Animal { function eat() {} }
class Dog extends Animal {
  function bark() { parent::eat(); self::bark(); }
}
`,
};

describe("a subclass", () => {
  it("resolves inherited methods in Java, also with a constructor", () =>
    checkCalls(CLASS_BELOW.java, [
      "Dog.java:3 super -> Dog.java Animal.Animal (inherited)",
      "Dog.java:4 Dog -> Dog.java Dog.Dog (own method)",
      "Dog.java:4 bark -> Dog.java Dog.bark (typed receiver)",
      "Dog.java:5 eat -> Dog.java Animal.eat (inherited)",
      "Dog.java:5 make -> Dog.java Dog.make (typed receiver)",
      "Dog.java:5 bark -> Dog.java Dog.bark (typed receiver)",
      "Dog.java:5 Dog -> Dog.java Dog.Dog (own method)",
      "Dog.java:6 make -> Dog.java Dog.make (typed receiver)",
      "Dog.java:6 Dog -> Dog.java Dog.Dog (own method)",
      "Dog.java:6 bark -> Dog.java Dog.bark (typed receiver)",
    ]));
  it("resolves inherited methods in C#, also on the result of a task", () =>
    checkCalls(CLASS_BELOW.csharp, [
      "Dog.cs:4 Dog -> Dog.cs Dog.Dog (own method)",
      "Dog.cs:4 Bark -> Dog.cs Dog.Bark (typed receiver)",
      "Dog.cs:5 Eat -> Dog.cs Animal.Eat (inherited)",
      "Dog.cs:5 Make -> Dog.cs Dog.Make (typed receiver)",
      "Dog.cs:5 Bark -> Dog.cs Dog.Bark (typed receiver)",
    ]));
  it("resolves inherited methods in PHP", () =>
    checkCalls(CLASS_BELOW.php, [
      "Dog.php:4 eat -> Dog.php Animal.eat (inherited)",
      "Dog.php:4 bark -> Dog.php Dog.bark (own method)",
    ]));
});

describe("Lua", () => {
  it("Functions of required tables, of the own table and of the file resolve", () =>
    checkCalls(
      `//- shop/pool.lua
local Pool = {}
Pool.__index = Pool

local function connect(url)
  return url
end

function Pool.new(url)
  local self = setmetatable({}, Pool)
  self.socket = connect(url)
  return self
end

function Pool:close()
  self:drain()
  connect(nil)
end

Pool.drain = function(self)
  print("drained")
end

return Pool
//- shop/init.lua
local pool = require("shop.pool")
local text = require "text.format"
local function start()
  for i = 1, 3 do
    pool.new("a" .. i)
  end
  text.trim("x")
end
start()
return { start = start }
`,
      [
        "shop/init.lua:5 new -> shop/pool.lua Pool.new (member of a module)",
        "shop/init.lua:9 start -> shop/init.lua start (same file)",
        "shop/pool.lua:10 connect -> shop/pool.lua connect (same file)",
        "shop/pool.lua:15 drain -> shop/pool.lua Pool.drain (own method)",
        "shop/pool.lua:16 connect -> shop/pool.lua connect (same file)",
      ],
    ));
});

describe("ambiguous syntax", () => {
  it("TypeScript: parentheses do not change a value", () =>
    checkCalls(
      `//- a.ts
class Shop { run() {} }
class Other { run() {} }
const shop = new Shop();
(shop).run();
`,
      ["a.ts:3 Shop -> a.ts Shop (same file)", "a.ts:4 run -> a.ts Shop.run (typed receiver)"],
    ));
  it("JavaScript: properties of `exports` have their assigned values", () =>
    checkCalls(
      `//- a.js
const { open, close } = require("./pool");
open();
close();
//- pool.js
function open() {}
function shut() {}
module.exports = { open, close: shut };
`,
      [
        "a.js:2 open -> pool.js open (imported name)",
        "a.js:3 close -> pool.js shut (imported name)",
      ],
    ));
  it("JavaScript: `cls` is an ordinary name", () =>
    checkCalls(
      `//- a.js
class Foo { run() {} }
class Bar { run() {} }
function go() { const cls = new Foo(); cls.run(); }
class Other { run() {} go() { const cls = new Bar(); cls.run(); } }
`,
      [
        "a.js:3 Foo -> a.js Foo (same file)",
        "a.js:3 run -> a.js Foo.run (typed receiver)",
        "a.js:4 Bar -> a.js Bar (same file)",
        "a.js:4 run -> a.js Bar.run (typed receiver)",
      ],
    ));
  it("Python: `type[User]` is the class `User`", () =>
    checkCalls(
      `//- a.py
class User:
    def save(self): pass
class Other:
    def save(self): pass
def make(kind: type[User]):
    kind().save()
`,
      ["a.py:6 save -> a.py User.save (typed receiver)"],
    ));
  it("Python: a property has the type of its result, a method does not", () =>
    checkCalls(
      `//- a.py
class Conn:
    def query(self): pass
class Other:
    def query(self): pass
class Pool:
    @property
    def conn(self) -> Conn: pass
    def other(self) -> Conn: pass
def run(pool: Pool):
    pool.conn.query()
    pool.other().query()
`,
      [
        "a.py:10 query -> a.py Conn.query (typed receiver)",
        "a.py:11 query -> a.py Conn.query (typed receiver)",
        "a.py:11 other -> a.py Pool.other (typed receiver)",
      ],
    ));
  it("Python: `Box[int]` is `Box`", () =>
    checkCalls(
      `//- a.py
class Box:
    def open(self): pass
class Other:
    def open(self): pass
Box[int]().open()
`,
      ["a.py:5 open -> a.py Box.open (typed receiver)"],
    ));
});
