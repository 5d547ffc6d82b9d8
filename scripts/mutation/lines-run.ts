/** Which lines of a source were run, from the coverage of what the test runner has made of it. */

import { SourceMap } from "node:module";

export interface FunctionCoverage {
  readonly ranges: readonly {
    readonly startOffset: number;
    readonly endOffset: number;
    readonly count: number;
  }[];
}

const MAP = /\/\/# sourceMappingURL=data:application\/json;[^,]*base64,(\S+)/g;
/**
 * Where something begins that may be run without what is before it: a line, a branch, an operand. A map has no entry of
 * an "else" or "else if", only of what is after it.
 */
const BEGIN = /(?:^|[?:&|{>]+|\belse\b(?: if \()?)\s*(?:else\b(?: if \()?\s*)?[^\s?:&|{>})\],;]/gm;

/** From 1, ascending. `text` is what was run, with its map in it. */
export function linesRun(text: string, functions: readonly FunctionCoverage[]): number[] {
  const encoded = [...text.matchAll(MAP)].at(-1)?.[1];
  if (encoded === undefined) return [];
  const map = new SourceMap(JSON.parse(Buffer.from(encoded, "base64").toString()));
  const isRun = new Uint8Array(text.length);
  // Functions and their parts come after what they are in.
  for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
    isRun.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  const lines = new Set<number>();
  let [row, begin] = [0, 0];
  for (const { 0: found, index } of text.matchAll(BEGIN)) {
    const at = index + found.length - 1;
    for (
      let end = text.indexOf("\n", begin);
      end >= 0 && end < at;
      end = text.indexOf("\n", begin)
    ) {
      [row, begin] = [row + 1, end + 1];
    }
    if (isRun[at] === 0) continue;
    const entry = map.findEntry(row, at - begin);
    if ("originalLine" in entry) lines.add(entry.originalLine + 1);
  }
  return [...lines].toSorted((a, b) => a - b);
}
