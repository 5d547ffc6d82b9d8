/** Generated and vendored files by the linguist attributes of .gitattributes. */

import { parseAttributes } from "./git-attributes.ts";
import type { IgnorePattern } from "./ignore-patterns.ts";

const ATTRIBUTE = /(?:^|\s)([-!]?)linguist-(?:generated|vendored)(?:=(\S+))?(?=\s|$)/g;

/** The last matching line decides. Paths are relative to the folder of the file. */
export function compileAttributes(
  lines: readonly string[],
): (path: string) => IgnorePattern | undefined {
  const parsed = parseAttributes(lines, (attributes) => statesIn(attributes).length > 0)
    .map(({ number, text, attributes, matches }) => {
      const isNegated = !statesIn(attributes).includes(true);
      return { pattern: { line: number, text, isNegated }, matches };
    })
    .toReversed();
  return (path) => parsed.find(({ matches }) => matches(path))?.pattern;
}

function statesIn(attributes: string): boolean[] {
  return [...attributes.matchAll(ATTRIBUTE)].map(
    ([, sign, value = "true"]) => sign === "" && value !== "false",
  );
}
