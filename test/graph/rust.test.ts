/** Calls in Rust that go through macros, traits and modules that import each other. */

import { describe, it } from "vitest";
import { checkCalls } from "../support/graph.ts";

describe("Rust's macros, traits and circles", () => {
  it("knows the functions that a macro of the file makes of a name", () =>
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

  it("follows what a value becomes by Deref and by await", () =>
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

  it("takes the trait before a derive macro of its name, in whatever circle of modules it is asked for", () =>
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
});
