/** Arguments of Rust macros: text that is not code, unterminated text and hostile text. */

import { expect, it } from "vitest";
import { itemsInTokens } from "../../../server/languages/facts/macro-tokens.ts";

function callsIn(text: string): string[] {
  return itemsInTokens(text, { start: 0, end: text.length }, true)
    .filter(({ kind }) => kind === "call")
    .map(({ start, end }) => text.slice(start, end));
}

it.each([
  ['open(pool), "close(it)", b"shut()", \'(\'', ["open"]],
  ['open(r#"a "shut()" b"#), close()', ["open", "close"]],
  ["open(), // close()\n shut() /* fold() */ + bend()", ["open", "shut", "bend"]],
  ["#[cfg(test)] open()", ["open"]],
  ['open(), "never closed, close()', ["open"]],
  ["open(), /* never closed, close()", ["open"]],
  ["open(close(shut(", ["open", "close", "shut"]],
  ["open::<Vec<u8>>(1), 'a: loop {}", ["open"]],
])("The calls of %s are found", (text, calls) => {
  expect(callsIn(text)).toEqual(calls);
});

// Quadratic time would take ten times the limit.
it.each([
  ["attributes without an end", `${"#[".repeat(60_000)}\n${"]".repeat(60_000)}`, 0],
  ["calls in calls", "a.b(".repeat(45_000), 45_000],
  ["parts of a closure", "|a".repeat(60_000), 0],
  ["types of a call", "a::<".repeat(45_000), 0],
])(
  "reads %s",
  (_, text, calls) => {
    for (let again = 0; again < 10; again++) expect(callsIn(text)).toHaveLength(calls);
  },
  40_000,
);
