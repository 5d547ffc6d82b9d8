/** Glob patterns with nested alternatives, and the fast path for literals and stars. */

import { expect, it } from "vitest";
import { compileGlob, compilePathGlobs, expandBraces } from "../../server/common/glob.ts";

it.each([
  ["a{b,c}d", ["abd", "acd"]],
  ["{a,b{c,d}}", ["a", "bc", "bd"]],
  ["{a{b,c},d}e", ["abe", "ace", "de"]],
  ["{{a,b},{c,d}}", ["a", "b", "c", "d"]],
  ["{a}", ["{a}"]],
  ["\\{a,b}", ["\\{a,b}"]],
])("expandBraces expands %s", (pattern, expected) => {
  expect(expandBraces(pattern, 100)).toEqual(expected);
});

it("compilePathGlobs matches a nested alternative", () => {
  const matches = compilePathGlobs(["src/{a,lib/{b,c}}/*.ts"]);
  const paths = ["src/a/x.ts", "src/lib/b/x.ts", "src/lib/c/x.ts", "src/b/x.ts", "src/lib/x.ts"];
  expect(paths.filter(matches)).toEqual(["src/a/x.ts", "src/lib/b/x.ts", "src/lib/c/x.ts"]);
});

it("The fast path for literals and stars agrees with the automaton", () => {
  const all = (letters: string, most: number): string[] =>
    most === 0
      ? [""]
      : [
          "",
          ...all(letters, most - 1).flatMap((rest) => letters.split("").map((one) => one + rest)),
        ];
  const texts = [...new Set(all("ab", 6))];
  const options = { isPath: false };
  const different = [...new Set(all("ab*", 5))].flatMap((pattern) => {
    const [fast, slow] = [pattern, pattern.replaceAll(/[ab]/g, "[$&]")].map((one) =>
      compileGlob(one, options),
    );
    return texts.filter((text) => fast?.(text) !== slow?.(text)).map((text) => [pattern, text]);
  });
  expect(different).toEqual([]);
});

it.each(["constructor", "toString", "__proto__"])(
  "A class of characters named %s is unknown, and its pattern matches nothing",
  (name) => {
    const matches = compileGlob(`[[:${name}:]]`, { isPath: false });
    expect(["a", ":", "c"].filter((text) => matches?.(text))).toEqual([]);
  },
);
