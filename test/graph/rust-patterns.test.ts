/** Calls in Rust on what patterns bind, and on what is made with its fields. */

import { expect, it } from "vitest";
import { callsIn, graphOf } from "../support/graph.ts";

const TYPES = `//- Cargo.toml
[package]
name = "m"
//- src/types.rs
pub struct Pool { pub lid: Lid, pub size: u32 }
pub struct Lid;
impl Pool { pub fn open(&self) {} }
impl Lid { pub fn open(&self) {} }
pub enum Wrapped { Some(Pool), Other }
//- src/lib.rs
mod types;
use types::{Lid, Pool, Wrapped};
`;

/** Of the calls of `open` in a body, what they lead to; candidates are none. */
async function check(body: string, expected: string): Promise<void> {
  const calls = callsIn(await graphOf(`${TYPES}${body}\n`));
  const opened = calls.flatMap(
    (call) => /^src\/lib\.rs.* (\w+)\.open \(typed/.exec(call)?.[1] ?? [],
  );
  expect(opened.join(" ")).toBe(expected);
}

it("knows what is made with its fields", async () => {
  await check("fn run(lid: Lid) { let pool = Pool { lid, size: 1 }; pool.open(); }", "Pool");
  await check("fn run(lid: Lid) { Pool { lid, size: 1 }.open(); }", "Pool");
});

it("takes out what an option or a result holds", async () => {
  await check("fn run(o: Option<Pool>) { if let Some(p) = o { p.open(); } }", "Pool");
  await check("fn run(o: Option<Pool>) { let Some(ref p) = o else { return }; p.open(); }", "Pool");
  await check(
    "fn run(o: Result<Pool, ()>) { match o { Ok(p) => p.open(), Err(_) => {} } }",
    "Pool",
  );
  await check(
    "fn run(o: Option<(Lid, Pool)>) { while let Some((_, p)) = o { p.open(); } }",
    "Pool",
  );
  await check(
    "fn run(o: std::task::Poll<Option<Pool>>) { match o { Poll::Ready(Some(p)) => p.open(), _ => {} } }",
    "Pool",
  );
});

it("does not take an error or a variant of another enumeration for the value", async () => {
  await check("fn run(o: Result<Pool, Lid>) { if let Err(e) = o { e.open(); } }", "");
  await check("fn run(o: Wrapped) { if let Wrapped::Some(p) = o { p.open(); } }", "");
});

it("reads the names of tuples and fields", async () => {
  await check(
    "fn run(pair: (Pool, Lid)) { let (a, mut b) = pair; b.open(); a.open(); }",
    "Lid Pool",
  );
  await check("fn run(p: Pool) { let Pool { lid, .. } = p; lid.open(); }", "Lid");
  await check(
    "fn run(p: Option<Pool>) { if let Some(all @ Pool { lid: l, size: _ }) = p { l.open(); all.open(); } }",
    "Lid Pool",
  );
  await check("fn run() { let (a, _): (Pool, u8) = made(); a.open(); }", "Pool");
});

it("knows a name that hides the one that it is taken from", async () => {
  await check("fn run(p: Option<Pool>) {\n if let Some(p) = p {\n p.open();\n }\n}", "Pool");
  await check(
    "fn run(p: Option<Pool>) {\n match p {\n Some(p) => {\n p.open();\n }\n None => {}\n }\n}",
    "Pool",
  );
});
