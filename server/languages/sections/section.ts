/** A named section of markup or configuration, and its conversion to a definition. */

import { type FoundDefinition, signatureOf } from "../scopes.ts";

/** Lines are 0-based and inclusive. */
export interface Section {
  readonly name: string;
  /** The block type of the format: heading, job, service. */
  readonly type: string;
  readonly first: number;
  readonly last: number;
}

/** Comments of all formats. The next line decides which section they belong to. */
export const COMMENT = /^\s*(?:#|\/\/|<!--|;)/;

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Extends a section to the comments directly above it at the same indentation. */
export function toFound(
  sections: readonly Section[],
  lines: readonly string[],
  starts: readonly number[],
  text: string,
): FoundDefinition[] {
  return sections.map(({ name, type, first, last }) => {
    const line = lines[first] ?? "";
    return {
      kind: "class",
      name,
      signature: signatureOf(line.trim()),
      start: starts[firstAttached(lines, first, type)] ?? 0,
      nodeStart: (starts[first] ?? 0) + indentOf(line),
      end: (starts[last] ?? 0) + (lines[last] ?? "").trimEnd().length || text.length,
      nameLine: first,
      nodeType: type,
      isScope: true,
    };
  });
}

/** In prose, `#` begins a heading and not a comment. */
function firstAttached(lines: readonly string[], line: number, type: string): number {
  if (type === HEADING) return line;
  const indent = indentOf(lines[line] ?? "");
  let first = line;
  for (let above = lines[first - 1]; above !== undefined; above = lines[first - 1]) {
    if (indentOf(above) !== indent || !COMMENT.test(above)) break;
    first--;
  }
  return first;
}

export const HEADING = "heading";
