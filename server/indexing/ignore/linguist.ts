/** What .gitattributes says of generated and vendored files, in the words that code hosts know from linguist. */

import { compileGlob, isCheapGlob, type Matches } from "../../common/glob.ts";
import { baseNameOf } from "../../common/relative-path.ts";
import type { IgnorePattern } from "./ignore-patterns.ts";

export const ATTRIBUTES_FILE = ".gitattributes";

const LINE = /^\s*(?:"((?:[^"\\]|\\.)+)"|([^\s"#]\S*))\s+(\S.*)$/s;
const ATTRIBUTE = /(?:^|\s)([-!]?)linguist-(?:generated|vendored)(?:=(\S+))?(?=\s|$)/g;

/** The last line that matches the path wins, which is relative to the folder of the file. */
export function compileAttributes(
  lines: readonly string[],
): (path: string) => IgnorePattern | undefined {
  const parsed = lines.flatMap((line, i) => parseLine(line, i + 1) ?? []).toReversed();
  return (path) => parsed.find(({ matches }) => matches(path))?.pattern;
}

function parseLine(
  line: string,
  number: number,
): { readonly pattern: IgnorePattern; readonly matches: Matches } | undefined {
  const [, quoted, plain, attributes = ""] = LINE.exec(line) ?? [];
  const glob = quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "";
  const states = [...attributes.matchAll(ATTRIBUTE)].map(
    ([, sign, value = "true"]) => sign === "" && value !== "false",
  );
  // In this file, a folder's name with a slash matches nothing. A line that is costly to match may only make a file found.
  if (states.length === 0 || glob.endsWith("/") || !isCheapGlob(glob)) return undefined;
  const isNegated = !states.includes(true);
  const isPath = glob.includes("/");
  const matchesGlob = compileGlob(glob.replace(/^\//, ""), { isPath });
  const matches: Matches = (path) => matchesGlob(isPath ? path : baseNameOf(path));
  return { pattern: { line: number, text: line.trim(), isNegated }, matches };
}
