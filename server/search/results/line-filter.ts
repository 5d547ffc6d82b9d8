/** Tells which lines of a chunk may have one of the terms of a query, without taking each line apart. */

import { isAscii } from "../../common/ascii.ts";
import { prefixesOf } from "../query/stem.ts";

/** Whether one of some lines may have a term, by its number among them. */
export type LineFilter = (lines: readonly string[]) => (line: number) => boolean;

/**
 * A word has a term only where it begins like it, and most lines have nothing that does: to look for a few beginnings in
 * the text of a whole chunk takes a tenth of the time of comparing its words.
 */
export function lineFilterOf(terms: Iterable<string>): LineFilter {
  const wanted = [...terms];
  // Other scripts have letters whose lower case is of another length, or another letter's.
  const prefixes = wanted.every(isAscii) ? wanted.flatMap(prefixesOf) : undefined;
  return (lines) => {
    const text = prefixes === undefined ? "" : lines.join("\n");
    if (prefixes === undefined || !isAscii(text)) return () => true;
    const found = linesWith(prefixes, text.toLowerCase(), lines);
    return (line) => found[line] === 1;
  };
}

/** 1 for each line of the text that has one of the prefixes. */
function linesWith(
  prefixes: readonly string[],
  text: string,
  lines: readonly string[],
): Uint8Array {
  const found = new Uint8Array(lines.length);
  for (const prefix of prefixes) {
    let [line, end] = [0, lines[0]?.length ?? 0];
    for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, end)) {
      while (end < at) end += 1 + (lines[++line]?.length ?? Infinity);
      found[line] = 1;
    }
  }
  return found;
}
