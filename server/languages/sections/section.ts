/** A named part of markup or configuration, and how it becomes a definition like those of code. */

import { type Found, signatureOf } from "../scopes.ts";

/** Lines are zero-based, both ends included. */
export interface Section {
  readonly name: string;
  /** What the format calls such a block: heading, job, service. */
  readonly type: string;
  readonly first: number;
  readonly last: number;
}

/** Comments in any of the formats. What follows them decides to what they belong. */
export const COMMENT = /^\s*(?:#|\/\/|<!--|;)/;

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** A section begins with the comments directly above it, at its own indentation. */
export function toFound(
  sections: readonly Section[],
  lines: readonly string[],
  starts: readonly number[],
  text: string,
): Found[] {
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

/** In prose a line that begins with # is a heading of its own. */
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
