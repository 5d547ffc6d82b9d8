/** Rust calls through macros, traits, and cyclic modules. */

import { describe, expect, it } from "vitest";
import { checkCalls, graphOf, importsIn } from "../support/graph.ts";

describe("Rust", () => {
  it("Functions that a macro of the file generates resolve", () =>
    checkCalls(
      `//- Cargo.toml
[package]
name = "m"
//- src/lib.rs
mod routing;
use routing::{get, post, late};
fn run() { get(1).end(); post(2); late(3); }
//- src/routing.rs
macro_rules! handler {
    ($name:ident, GET) => { handler!(#[doc = "of a read"] $name, GET_ONLY); };
    ($(#[$meta:meta])* $name:ident, $method:ident) => {
        $(#[$meta])*
        pub fn $name<T>(of: T) -> Route
        where T: Sized,
        { Route }
    };
}
macro_rules! value { ($name:ident) => { const $name: u8 = 1; }; }
handler!(get, GET);
handler!(#[inline] post, POST);
value!(late);
pub struct Route;
impl Route { pub fn end(&self) {} }
`,
      [
        "src/lib.rs:3 end -> src/routing.rs Route.end (typed receiver)",
        "src/lib.rs:3 get -> src/routing.rs get (imported name)",
        "src/lib.rs:3 post -> src/routing.rs post (imported name)",
        "src/routing.rs:11 handler -> src/routing.rs handler (same file)",
        "src/routing.rs:12 handler -> src/routing.rs handler (same file)",
        "src/routing.rs:13 value -> src/routing.rs value (same file)",
      ],
    ));

  it("Members resolve through `Deref` and `.await`", () =>
    checkCalls(
      `//- Cargo.toml
[package]
name = "m"
//- src/lib.rs
pub struct Sent;
pub struct Answer;
pub struct Guard;
impl Answer { pub async fn text(self) -> String { todo() } }
impl std::future::IntoFuture for Sent { type Output = Answer; }
impl Deref for Guard { type Target = Answer; }
fn send() -> Sent { Sent }
fn guard() -> Guard { Guard }
async fn run() { let a = send().await; a.text().await; guard().text(); }
`,
      [
        "src/lib.rs:9 send -> src/lib.rs send (same file)",
        "src/lib.rs:9 text -> src/lib.rs Answer.text (typed receiver)",
        "src/lib.rs:9 text -> src/lib.rs Answer.text (typed receiver)",
        "src/lib.rs:9 guard -> src/lib.rs guard (same file)",
      ],
    ));

  it("A trait wins over a derive macro of its name, in any cycle of modules", () =>
    checkCalls(
      `//- core/Cargo.toml
[package]
name = "core_crate"
//- core/src/lib.rs
pub mod read;
//- core/src/read.rs
pub struct Read;
impl Read { pub fn open() {} }
//- derive/Cargo.toml
[package]
name = "derive_crate"
//- derive/src/lib.rs
mod parts;
use parts::Read;
//- derive/src/parts.rs
pub struct Read;
//- app/Cargo.toml
[package]
name = "app"
//- app/src/lib.rs
mod a;
mod b;
pub use core_crate::read::Read;
pub use derive_crate::Read;
use a::*;
use b::*;
//- app/src/a.rs
use super::*;
fn first() { Read::open(); second(); }
pub fn third() {}
//- app/src/b.rs
use super::*;
pub fn second() { Read::open(); third(); }
`,
      [
        "app/src/a.rs:2 open -> core/src/read.rs Read.open (member of a type)",
        "app/src/a.rs:2 second -> app/src/b.rs second (imported name)",
        "app/src/b.rs:2 open -> core/src/read.rs Read.open (member of a type)",
        "app/src/b.rs:2 third -> app/src/a.rs third (imported name)",
      ],
    ));

  it("Calls, closures and variables in arguments of macros resolve", () =>
    checkCalls(
      `//- Cargo.toml
[package]
name = "m"
//- src/lib.rs
pub struct Pool { size: u8 }
impl Pool {
    pub fn open(name: &str) -> Pool { Pool { size: 1 } }
    pub fn size(&self) -> u8 { self.size }
}
fn check(x: u8) -> bool { true }
fn name() {}
fn not_called() {}
#[test]
fn run() {
    assert!(check(Pool::open("not_called(").size()), "at {}", name());
    assert_eq!(r#"not_called("#, '"', vec![check(1), /* not_called() */ check(2)]);
    with!(name, |pool: Pool, mut other| {
        let own: Pool = find(); // not_called()
        let made = Pool::open("x");
        pool.size() + own.size() + made.size() + parse::<u8>(name());
    });
    select! { size = Pool::open("y").size() => check(size), fn not_called() {} }
    quote! { not_called() };
    vec![Pool::open("z")].size();
}
item!(first, |pool: Pool| { let own = Pool::open("a"); own.size() });
item!(second, |own: Other| own.size());
item!({ with(|pool: Pool| 1); let late = Pool::open("b"); });
fn after() { late.size(); assert!(wrap!(Pool::open("c")).size() > 0); }
`,
      [
        "src/lib.rs:11 check -> src/lib.rs check (same file)",
        "src/lib.rs:11 open -> src/lib.rs Pool.open (member of a type)",
        "src/lib.rs:11 size -> src/lib.rs Pool.size (typed receiver)",
        "src/lib.rs:11 name -> src/lib.rs name (same file)",
        "src/lib.rs:12 check -> src/lib.rs check (same file)",
        "src/lib.rs:12 check -> src/lib.rs check (same file)",
        "src/lib.rs:15 open -> src/lib.rs Pool.open (member of a type)",
        "src/lib.rs:16 size -> src/lib.rs Pool.size (typed receiver)",
        "src/lib.rs:16 size -> src/lib.rs Pool.size (typed receiver)",
        "src/lib.rs:16 size -> src/lib.rs Pool.size (typed receiver)",
        "src/lib.rs:16 name -> src/lib.rs name (same file)",
        "src/lib.rs:18 open -> src/lib.rs Pool.open (member of a type)",
        "src/lib.rs:18 size -> src/lib.rs Pool.size (typed receiver)",
        "src/lib.rs:18 check -> src/lib.rs check (same file)",
        "src/lib.rs:20 open -> src/lib.rs Pool.open (member of a type)",
        "src/lib.rs:22 open -> src/lib.rs Pool.open (member of a type)",
        "src/lib.rs:22 size -> src/lib.rs Pool.size (typed receiver)",
        "src/lib.rs:24 open -> src/lib.rs Pool.open (member of a type)",
        "src/lib.rs:25 open -> src/lib.rs Pool.open (member of a type)",
      ],
    ));

  it("Macros resolve by name in their package, and by path from the crate root; standard macros do not", () =>
    checkCalls(
      `//- a/Cargo.toml
[package]
name = "a"
//- a/src/lib.rs
#[macro_use]
mod inner;
pub mod user;
//- a/src/inner/mod.rs
mod macros;
//- a/src/inner/macros.rs
#[macro_export]
macro_rules! debug { () => {}; }
macro_rules! writeln { () => {}; }
//- a/src/user.rs
fn run() { debug!(); writeln!(); }
//- a/tests/all.rs
use a::debug;
fn run() { debug!(); a::debug!(); }
//- b/Cargo.toml
[package]
name = "b"
//- b/src/lib.rs
fn run() { debug!(); }
`,
      [
        "a/src/user.rs:1 debug -> a/src/inner/macros.rs debug (imported name)",
        "a/tests/all.rs:2 debug -> a/src/inner/macros.rs debug (imported name)",
        "a/tests/all.rs:2 debug -> a/src/inner/macros.rs debug (member of a module)",
      ],
    ));

  it("Members of the bounds of a type parameter and of derived traits resolve", () =>
    checkCalls(
      `//- Cargo.toml
[package]
name = "m"
//- src/lib.rs
pub trait Visit { fn enter(&self) {} }
pub trait Leave { fn leave(&self) {} }
pub trait Parse { fn parse_all() -> u8 { 1 } }
fn walk<V: Visit + Leave>(v: V) { v.enter(); v.leave(); }
fn fly<V>(v: &V) where V: Visit { v.enter(); V::parse_all(); }
struct Walker<V>(V);
impl<V: Visit> Walker<V> { fn go(&self, v: V) { v.enter(); } }
#[derive(Debug, Parse)]
#[other]
struct Options { all: u8 }
fn main() { Options::parse_all(); }
`,
      [
        "src/lib.rs:4 enter -> src/lib.rs Visit.enter (typed receiver)",
        "src/lib.rs:4 leave -> src/lib.rs Leave.leave (typed receiver)",
        "src/lib.rs:5 enter -> src/lib.rs Visit.enter (typed receiver)",
        "src/lib.rs:7 enter -> src/lib.rs Visit.enter (typed receiver)",
        "src/lib.rs:11 parse_all -> src/lib.rs Parse.parse_all (member of a type)",
      ],
    ));

  it("A method and a field of one name are distinct, and aliases of external types keep their arguments", () =>
    checkCalls(
      `//- Cargo.toml
[package]
name = "m"
//- src/lib.rs
pub type Result<T> = std::result::Result<T, Error>;
pub struct Client { name: String }
impl Client {
    pub fn connect() -> Result<Client> { todo() }
    pub fn name(self, name: &str) -> Self { self }
    pub fn end(self) {}
}
fn run() { let client = Client::connect().unwrap(); client.name("a").end(); }
`,
      [
        "src/lib.rs:8 connect -> src/lib.rs Client.connect (member of a type)",
        "src/lib.rs:8 end -> src/lib.rs Client.end (typed receiver)",
        "src/lib.rs:8 name -> src/lib.rs Client.name (typed receiver)",
      ],
    ));

  it("A function and a module of one name are distinct", async () => {
    const literal = `//- Cargo.toml
[package]
name = "m"
//- src/lib.rs
pub mod layer;
use crate::layer::{self, get, post};
fn run() { layer::get(1); get(2); layer::get::get(3); layer::get::late(4); post(5); layer::put(6); }
//- src/layer/mod.rs
pub use self::get::get;
mod get;
pub mod post;
mod put;
pub use post::post;
pub fn put(n: u8) { put::inner(n); get(n); }
//- src/layer/get.rs
pub fn get(n: u8) {}
pub fn late(n: u8) {}
//- src/layer/post.rs
pub fn post(n: u8) {}
//- src/layer/put.rs
pub fn inner(n: u8) {}
//- tests/all.rs
use m::layer::put;
`;
    await checkCalls(literal, [
      "src/layer/mod.rs:6 inner -> src/layer/put.rs inner (member of a module)",
      "src/layer/mod.rs:6 get -> src/layer/get.rs get (imported name)",
      "src/lib.rs:3 get -> src/layer/get.rs get (member of a module)",
      "src/lib.rs:3 get -> src/layer/get.rs get (imported name)",
      "src/lib.rs:3 get -> src/layer/get.rs get (member of a module)",
      "src/lib.rs:3 late -> src/layer/get.rs late (member of a module)",
      "src/lib.rs:3 post -> src/layer/post.rs post (imported name)",
      "src/lib.rs:3 put -> src/layer/mod.rs put (member of a module)",
    ]);
    const imports = importsIn(await graphOf(literal));
    expect(imports).not.toContain("tests/all.rs -> src/layer/put.rs");
  });

  it("Paths from the own module and qualified paths (`<T as Trait>`) resolve", () =>
    checkCalls(
      `//- src/lib.rs
pub fn run(d: Depot) { self::step_two(); crate::step_three(); <Depot as Getter>::fetch(&d); <Depot>::open(); }
fn step_two() {}
fn step_three() {}
pub struct Depot;
impl Depot { fn open() {} }
pub trait Getter { fn fetch(&self); }
impl Getter for Depot { fn fetch(&self) {} }
mod inner { pub fn go() { self::step_two(); } fn step_two() {} }
`,
      [
        "src/lib.rs:1 step_two -> src/lib.rs step_two (same file)",
        "src/lib.rs:1 step_three -> src/lib.rs step_three (member of a module)",
        "src/lib.rs:1 fetch -> src/lib.rs Depot.fetch (member of a type)",
        "src/lib.rs:1 open -> src/lib.rs Depot.open (member of a type)",
        "src/lib.rs:8 step_two -> src/lib.rs inner.step_two (same file)",
      ],
    ));
});
