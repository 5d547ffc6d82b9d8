/** Patterns whose choices are inside of each other. */

import { expect, it } from "vitest";
import { compilePathGlobs, expandBraces } from "../../server/common/glob.ts";

it.each([
  ["a{b,c}d", ["abd", "acd"]],
  ["{a,b{c,d}}", ["a", "bc", "bd"]],
  ["{a{b,c},d}e", ["abe", "ace", "de"]],
  ["{{a,b},{c,d}}", ["a", "b", "c", "d"]],
  ["{a}", ["{a}"]],
  ["\\{a,b}", ["\\{a,b}"]],
])("expands %s", (pattern, expected) => {
  expect(expandBraces(pattern, 100)).toEqual(expected);
});

it("matches what one of the inner choices is", () => {
  const matches = compilePathGlobs(["src/{a,lib/{b,c}}/*.ts"]);
  const paths = ["src/a/x.ts", "src/lib/b/x.ts", "src/lib/c/x.ts", "src/b/x.ts", "src/lib/x.ts"];
  expect(paths.filter(matches)).toEqual(["src/a/x.ts", "src/lib/b/x.ts", "src/lib/c/x.ts"]);
});
