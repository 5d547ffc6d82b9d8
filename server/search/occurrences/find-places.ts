/** Lists the places of matches, with the lines that show them. */

import { linesOf, wholeCharacter } from "../../common/text.ts";
import type { FoundPlace, PartLength } from "../../contracts/scanner.ts";
import type { Match, Matcher } from "./matcher.ts";

/** Longer lines are shown around the match: minified code and data. */
const MAX_SHOWN = 400;
/** A cut line shows this many characters before the match. */
const BEFORE = 100;

/** The places of the matches from `from` on, `to` excluded. */
export function listMatches(
  text: string,
  matcher: Matcher,
  { from, to }: { readonly from: number; readonly to: number },
): readonly FoundPlace[] {
  const places: FoundPlace[] = [];
  let matches = 0;
  for (const [line, content] of linesOf(text).entries()) {
    if (matches >= to) break;
    const inLine = matcher.count(`${content}\n`, () => false) ?? 0;
    if (inLine > 0 && matches + inLine > from) {
      const measure = measurer(content);
      let own = matches;
      for (const match of matcher.matchesIn(content)) {
        if (own >= to) break;
        if (own >= from) places.push(placeOf(line, content, match, measure));
        own++;
      }
    }
    matches += inLine;
  }
  return places;
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
