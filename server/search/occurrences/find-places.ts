/** Counts the matches of a text, and cuts the lines that show them. */

import { wholeCharacter } from "../../common/text.ts";
import type { FoundPlace } from "../../contracts/scanner.ts";
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
  for (const [line, content] of text.split("\n").entries()) {
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
  for (const [line, content] of text.split("\n").entries()) {
    for (const match of matcher.matchesIn(content)) {
      if (matches >= from && matches < to) places.push(placeOf(line, content, match));
      matches++;
    }
  }
  return { matches, places };
}

function placeOf(line: number, content: string, { column, length }: Match): FoundPlace {
  if (content.length <= MAX_SHOWN) return { line, column, length, text: content, textColumn: 0 };
  const latest = content.length - MAX_SHOWN;
  const textColumn = wholeCharacter(content, Math.max(0, Math.min(column - BEFORE, latest)));
  const end = wholeCharacter(content, textColumn + MAX_SHOWN);
  return { line, column, length, text: content.slice(textColumn, end), textColumn };
}
