/** A hit as one line in a picker. */

import { expect, it } from "vitest";
import type { Hit } from "../../server/contracts/model.ts";
import { placeFirst, symbolOf } from "../../server/lsp/symbol-of.ts";
import { hit, METHOD } from "./test-client.ts";

/** `kind name in container`, and the line. */
function check(changes: Partial<Hit>, expected: string): void {
  const { name, kind, containerName, location } = symbolOf(
    hit(changes),
    "/project/src/users.py",
    "utf-16",
  );
  expect(`${kind} ${name} in ${containerName} :${location.range.start.line}`).toBe(expected);
}
const named = (name: string): Partial<Hit> => ({
  symbol: { ...METHOD, name },
  matchType: "keyword",
});

it("shows a definition by its name", () => check(named("load"), "6 load in (by words) :5"));
it("puts what it is in beside it", () => check(named("A.B.load"), "6 load in A.B (by words) :5"));
it("knows two kinds of dots", () => check(named("ns::A::load"), "6 load in ns::A (by words) :5"));
it("keeps pickers from taking it apart", () =>
  check(named("A::operator[]"), "6 operator() in A (by words) :5"));
it("stays on one line", () => check(named("a\n b"), "6 a b in (by words) :5"));
it("shows a piece of code by the scope around it", () =>
  check({ hierarchy: "A.load", matchType: "semantic" }, "2 load in A (by meaning) :4"));
it("shows other pieces by file and line", () =>
  check({ matchType: "both" }, "2 users:5 in (by meaning and words) :4"));
it("shows prose as a namespace", () =>
  check({ languageId: "markdown" }, "3 users:5 in (by meaning and words) :4"));
it("shows a heading below the one above it, dots and all", () =>
  check(
    { ...named("Notes > Changes > Version 0.1"), languageId: "markdown" },
    "3 Version 0.1 in Changes (by words) :5",
  ));
it("leads to the lines found where the name is outside of them", () =>
  check({ ...named("load"), lines: { start: 20, end: 30 } }, "6 load in (by words) :20"));

it("shows a piece of code without a name by its best line, and leads there", () => {
  const bestLine = { line: 7, column: 4, lead: "    ", text: "retries = 3", highlights: [] };
  const symbol = symbolOf(hit({ bestLine }), "/project/src/users.py", "utf-16");
  expect(symbol.name).toBe("retries = 3");
  expect(symbol.location.range).toEqual({
    start: { line: 7, character: 4 },
    end: { line: 7, character: 15 },
  });
});

it.each([
  ["a/b/users.py", "A.B.load", "load in a/b/users.py:6 A.B"],
  ["server/lsp/client/users.py", "load", "load in client/users.py:6"],
  ["a/the_longest_of_all_names.py", "load", "load in the_longest_of_all_names.py:6"],
  ["a.py", "SecureCookieSessionInterface", "SecureCookieSessionInte… in a.py:6"],
])(
  "puts the place first, and short, where pickers cut what comes last: %s %s",
  (path, name, expected) => {
    const found = hit({ ...named(name), path });
    const symbol = placeFirst(symbolOf(found, "/project/users.py", "utf-16"), found);
    expect(`${symbol.name} in ${symbol.containerName}`).toBe(expected);
  },
);
