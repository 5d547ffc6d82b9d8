/** Prefilters the lines of a chunk for terms of a query, without tokenizing each line. */

import { isAscii } from "../../common/ascii.ts";
import { getOrCreate } from "../../common/get-or-create.ts";
import { prefixesOf } from "../query/stem.ts";

/** By line: the ascending columns where a word with a term may begin; undefined if it may begin anywhere in the line. */
type PlacesIn = (line: number) => readonly number[] | undefined;
export type FindPlaces = (lines: readonly string[]) => PlacesIn;

const NOWHERE: readonly number[] = [];

/**
 * A word has a term only if both share a prefix, and most words do not: searching the text of a chunk for a few prefixes
 * takes a tenth of the time of comparing its words.
 */
export function placesFinder(terms: Iterable<string>): FindPlaces {
  const wanted = [...terms];
  // Other scripts have letters whose lower case is of another length, or another letter's.
  const prefixes = wanted.every(isAscii) ? wanted.flatMap(prefixesOf) : undefined;
  return (lines) => {
    const text = prefixes === undefined ? "" : lines.join("\n");
    if (prefixes === undefined || !isAscii(text)) return () => undefined;
    const found = placesOf(prefixes, text.toLowerCase(), lines);
    return (line) => found.get(line) ?? NOWHERE;
  };
}

/** By line. */
function placesOf(
  prefixes: readonly string[],
  text: string,
  lines: readonly string[],
): ReadonlyMap<number, readonly number[]> {
  const all: number[] = [];
  for (const prefix of prefixes) {
    for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) all.push(at);
  }
  all.sort((a, b) => a - b);
  const places = new Map<number, number[]>();
  let [line, start, end] = [0, 0, lines[0]?.length ?? 0];
  for (const at of all) {
    while (at > end) {
      start = end + 1;
      end = start + (lines[++line]?.length ?? Infinity);
    }
    getOrCreate(places, line, () => []).push(at - start);
  }
  return places;
}
