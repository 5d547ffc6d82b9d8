/** C definitions in a Go file: in the cgo preamble, the comment directly before `import "C"`. */

import { lineAt, lineStartsOf } from "../../common/text.ts";
import { outline } from "../outline.ts";
import type { FoundDefinition } from "../scopes.ts";

const IMPORT = /^import[ \t]+"C"/m;
const LINE_COMMENT = /^\/\//;
/** The comment markers around a line of code. */
const MARKS = /^\/\/ ?|^\/\*|\*\/$/g;

/** Empty without a preamble. */
export function cgoDefinitions(text: string, starts: readonly number[]): FoundDefinition[] {
  const end = IMPORT.exec(text)?.index;
  if (end === undefined) return [];
  const lines = starts.map((start, i) => text.slice(start, starts[i + 1]).trimEnd());
  const first = firstLine(lines, lineAt(starts, end) - 1);
  if (first === undefined) return [];
  const code = lines
    .slice(0, lineAt(starts, end))
    .map((line, i) => (i < first ? "" : line.replaceAll(MARKS, "")))
    .join("\n");
  const ownStarts = lineStartsOf(code);
  const index = (offset: number) => starts[lineAt(ownStarts, offset)] ?? 0;
  return outline(code, ownStarts, "c").map((found) => ({
    ...found,
    start: index(found.start),
    nodeStart: index(found.nodeStart),
    end: index(found.end) + (lines[lineAt(ownStarts, found.end)]?.length ?? 0),
  }));
}

/** The offset of the comment that ends on a line. */
function firstLine(lines: readonly string[], last: number): number | undefined {
  if (lines[last]?.endsWith("*/") === true)
    return lines.findLastIndex((line, i) => i <= last && line.includes("/*"));
  let first = last + 1;
  while (LINE_COMMENT.test(lines[first - 1] ?? "")) first--;
  return first > last ? undefined : first;
}
