/** Counts the matches of a text, and cuts the lines that show them. */

import { wholeCharacter } from "../../common/text.ts";
import type { FoundPlace, PartLength } from "../../contracts/scanner.ts";
import type { Match, Matcher } from "./matcher.ts";

/** Longer lines are shown around the match: minified code and data. */
const MAX_SHOWN = 400;
/** Of a cut line, this much is shown before the match. */
const BEFORE = 100;

/** Lines between two looks at the clock. */
const LINES_AT_ONCE = 256;

/** The number of matches in a text whose lines end with a line feed; undefined if the time is up before its end. */
export function countMatches(
  text: string,
  matcher: Matcher,
  isTimeUp: () => boolean,
): number | undefined {
  let count = 0;
  for (const [line, content] of linesOf(text).entries()) {
    if (line % LINES_AT_ONCE === 0 && isTimeUp()) return undefined;
    count += matcher.countIn(content);
  }
  return count;
}

/** The number of all matches, and the places of those from `from` on, `to` excluded. */
export function listMatches(
  text: string,
  matcher: Matcher,
  { from, to }: { readonly from: number; readonly to: number },
): { readonly matches: number; readonly places: readonly FoundPlace[] } {
  const places: FoundPlace[] = [];
  let matches = 0;
  for (const [line, content] of linesOf(text).entries()) {
    const measure = measurer(content);
    for (const match of matcher.matchesIn(content)) {
      if (matches >= from && matches < to) places.push(placeOf(line, content, match, measure));
      matches++;
    }
  }
  return { matches, places };
}

/** A line feed ends a line: nothing behind the last one is a line. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function placeOf(
  line: number,
  content: string,
  { column, length }: Match,
  measure: (column: number) => PartLength,
): FoundPlace {
  if (content.length <= MAX_SHOWN) return { line, column, length, text: content };
  const latest = content.length - MAX_SHOWN;
  const start = wholeCharacter(content, Math.max(0, Math.min(column - BEFORE, latest)));
  const end = wholeCharacter(content, start + MAX_SHOWN);
  const before = start === 0 ? {} : { before: measure(start) };
  return { line, column, length, text: content.slice(start, end), ...before };
}

/** Measures the beginnings of a line, each from the last one on: a line of a megabyte may have thousands of matches. */
function measurer(content: string): (column: number) => PartLength {
  let last: PartLength = { units: 0, bytes: 0, characters: 0 };
  return (column) => {
    const part = content.slice(last.units, column);
    let characters = 0;
    for (let at = 0; at < part.length; at++) if (!isLow(part.charCodeAt(at))) characters++;
    last = {
      units: column,
      bytes: last.bytes + Buffer.byteLength(part),
      characters: last.characters + characters,
    };
    return last;
  };
}

/** The second half of a surrogate pair. */
function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
