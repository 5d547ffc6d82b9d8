/** What .gitattributes says of generated and vendored files, in the words that code hosts know from linguist. */

import picomatch from "picomatch";
import { isSafeGlob } from "../../common/globs.ts";
import type { IgnorePattern } from "./ignore-patterns.ts";

export const ATTRIBUTES_FILE = ".gitattributes";

const LINE = /^\s*(?:"((?:[^"\\]|\\.)+)"|([^\s"#]\S*))\s+(.+)$/;
const ATTRIBUTE = /(?:^|\s)([-!]?)linguist-(?:generated|vendored)(?:=(\S+))?(?=\s|$)/g;

/** The last line that says something of the path wins, which is relative to where the lines stand. */
export function compileAttributes(
  lines: readonly string[],
): (path: string) => IgnorePattern | undefined {
  const said = lines.flatMap((line, i) => lineOf(line, i + 1) ?? []).toReversed();
  return (path) => said.find(({ fits }) => fits(path))?.pattern;
}

function lineOf(
  line: string,
  number: number,
): { readonly pattern: IgnorePattern; readonly fits: (path: string) => boolean } | undefined {
  const [, quoted, plain, attributes = ""] = LINE.exec(line) ?? [];
  const glob = quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "";
  const states = [...attributes.matchAll(ATTRIBUTE)].map(
    ([, sign, value = "true"]) => sign === "" && value !== "false",
  );
  // In this file, a folder's name with a slash stands for nothing.
  if (states.length === 0 || glob.endsWith("/") || !isSafeGlob(glob)) return undefined;
  const isNegated = !states.includes(true);
  const bare = glob.replace(/^\//, "");
  const fits = picomatch(bare, {
    dot: true,
    basename: !glob.includes("/"),
    nobrace: true,
    noextglob: true,
    nonegate: true,
  });
  return { pattern: { line: number, text: line.trim(), isNegated }, fits };
}
