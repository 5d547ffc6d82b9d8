/** A hit as one line in a picker. */

import { expect, it } from "vitest";
import type { Hit } from "../../server/contracts/model.ts";
import { documentSymbolOf, placeFirst } from "../../server/lsp/symbol-of.ts";
import { hit, METHOD } from "./test-client.ts";

/** `kind name in container`, and the line. */
function check(changes: Partial<Hit>, expected: string): void {
  const { name, kind, containerName, location } = documentSymbolOf(
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

it("names a definition", () => check(named("load"), "6 load in (by words) :5"));
it("puts the qualifier into the container name", () =>
  check(named("A.B.load"), "6 load in A.B (by words) :5"));
it("splits names at . and ::", () => check(named("ns::A::load"), "6 load in ns::A (by words) :5"));
it("replaces brackets that pickers split at", () =>
  check(named("A::operator[]"), "6 operator() in A (by words) :5"));
it("gives a variable a kind that pickers do not filter out by default", () =>
  check(
    { symbol: { ...METHOD, name: "LIMIT", type: "variable" }, matchType: "keyword" },
    "8 LIMIT in (by words) :5",
  ));
it("joins lines", () => check(named("a\n b"), "6 a b in (by words) :5"));
it("names a chunk by its enclosing scope", () =>
  check({ hierarchy: "A.load", matchType: "semantic" }, "2 load in A (by meaning) :4"));
it("names other chunks by file and line", () =>
  check({ matchType: "both" }, "2 users:5 in (by meaning and words) :4"));
it("gives prose the kind Namespace", () =>
  check({ languageId: "markdown" }, "3 users:5 in (by meaning and words) :4"));
it("puts the parent heading into the container name", () =>
  check(
    { ...named("Notes > Changes > Version 0.1"), languageId: "markdown" },
    "3 Version 0.1 in Changes (by words) :5",
  ));
it("uses the lines of the hit if the name is outside", () =>
  check({ ...named("load"), lines: { start: 20, end: 30 } }, "6 load in (by words) :20"));

it("names an unnamed chunk by its best line", () => {
  const bestLine = { line: 7, column: 4, lead: "    ", text: "retries = 3", highlights: [] };
  const symbol = documentSymbolOf(hit({ bestLine }), "/project/src/users.py", "utf-16");
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
])("placeFirst shortens place and name: %s %s", (path, name, expected) => {
  const found = hit({ ...named(name), path });
  const symbol = placeFirst(documentSymbolOf(found, "/project/users.py", "utf-16"), found);
  expect(`${symbol.name} in ${symbol.containerName}`).toBe(expected);
});
