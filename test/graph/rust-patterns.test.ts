/** Rust calls on pattern bindings and on struct literals. */

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

/** The targets of the calls of `open` in a body; without candidates. */
async function check(body: string, expected: string): Promise<void> {
  const calls = callsIn(await graphOf(`${TYPES}${body}\n`));
  const opened = calls.flatMap(
    (call) => /^src\/lib\.rs.* (\w+)\.open \(typed/.exec(call)?.[1] ?? [],
  );
  expect(opened.join(" ")).toBe(expected);
}

it("A struct literal has the type of its struct", async () => {
  await check("fn run(lid: Lid) { let pool = Pool { lid, size: 1 }; pool.open(); }", "Pool");
  await check("fn run(lid: Lid) { Pool { lid, size: 1 }.open(); }", "Pool");
});

it("Patterns unwrap the value of an option or a result", async () => {
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

it("Patterns of errors and of other enums do not bind the wrapped value", async () => {
  await check("fn run(o: Result<Pool, Lid>) { if let Err(e) = o { e.open(); } }", "");
  await check("fn run(o: Wrapped) { if let Wrapped::Some(p) = o { p.open(); } }", "");
});

it("Patterns bind the elements of tuples and the fields of structs", async () => {
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

it("A pattern can shadow the variable that it matches", async () => {
  await check("fn run(p: Option<Pool>) {\n if let Some(p) = p {\n p.open();\n }\n}", "Pool");
  await check(
    "fn run(p: Option<Pool>) {\n match p {\n Some(p) => {\n p.open();\n }\n None => {}\n }\n}",
    "Pool",
  );
});
