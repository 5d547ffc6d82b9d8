/** A hit as one line in a picker. */

import { expect, it } from "vitest";
import { symbolOf } from "../../server/lsp/symbol-of.ts";
import type { Hit } from "../../server/model.ts";
import { hit, METHOD } from "./support.ts";

/** `kind name in container`, and the line. */
function check(changes: Partial<Hit>, expected: string): void {
  const { name, kind, containerName, location } = symbolOf(hit(changes), "/project/src/users.py");
  expect(`${kind} ${name} in ${containerName} :${location.range.start.line}`).toBe(expected);
}
const named = (name: string): Partial<Hit> => ({
  symbol: { ...METHOD, name },
  matchType: "keyword",
});

it("shows a definition by its name", () => check(named("load"), "6 load in (by words) :5"));
it("puts what it stands in beside it", () =>
  check(named("A.B.load"), "6 load in A.B (by words) :5"));
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
it("leads to the lines found where the name lies outside of them", () =>
  check({ ...named("load"), lines: { start: 20, end: 30 } }, "6 load in (by words) :20"));
