/** Parses .gitattributes files into patterns and attributes. */

import { compileGlob, type GlobMatcher, isCheapGlob } from "../../common/glob.ts";
import { baseNameOf } from "../../common/relative-path.ts";

export const ATTRIBUTES_FILE = ".gitattributes";

interface AttributeLine {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
  readonly attributes: string;
  /** Takes a path relative to the folder of the file. */
  readonly matches: GlobMatcher;
}

const LINE = /^\s*(?:"((?:[^"\\]|\\.)+)"|([^\s"#]\S*))\s+(\S.*)$/s;

/** The lines with wanted attributes. Skips patterns that are costly to match, because the file is untrusted. */
export function parseAttributes(
  lines: readonly string[],
  isWanted: (attributes: string) => boolean,
): AttributeLine[] {
  return lines.flatMap((line, i) => parseLine(line, i + 1, isWanted) ?? []);
}

function parseLine(
  line: string,
  number: number,
  isWanted: (attributes: string) => boolean,
): AttributeLine | undefined {
  const [, quoted, plain, attributes = ""] = LINE.exec(line) ?? [];
  const glob = quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "";
  // In .gitattributes, a pattern with a trailing slash matches nothing.
  if (!isWanted(attributes) || glob.endsWith("/") || !isCheapGlob(glob)) return undefined;
  const isPath = glob.includes("/");
  const matchesGlob = compileGlob(glob.replace(/^\//, ""), { isPath });
  const matches: GlobMatcher = (path) => matchesGlob(isPath ? path : baseNameOf(path));
  return { number, text: line.trim(), attributes, matches };
}
