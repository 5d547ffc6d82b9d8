/** Counts the matches of a pattern in the lines of a text, without an object for each line or match. */

import {
  type Automaton,
  DEAD,
  ENDS,
  ENDS_BITS,
  ENDS_MASK,
  isWordCharacter,
  UNKNOWN,
} from "./automaton.ts";

const LINE_FEED = 10;
/** Characters between two looks at the clock: about a millisecond. */
const CHARACTERS_AT_ONCE = 500_000;

/**
 * The number of matches, as `Matcher.matchesIn` defines them. Undefined if the time is up before the end. Throws
 * TooManyStates.
 *
 * A search ends where its match can become no longer, so it may read far beyond its match: `a.*b|a` takes quadratic time in
 * a line of many `a`. The clock is therefore watched within lines, too.
 */
export function countInLines(
  text: string,
  automaton: Automaton,
  isTimeUp: () => boolean,
): number | undefined {
  const search = new Search(text, automaton);
  const { starts } = automaton;
  let [matches, read] = [0, 0];
  for (let lineStart = 0; lineStart < text.length; lineStart = search.last + 1) {
    let inLine = 0;
    let hasEmpty = false;
    let from = lineStart;
    let state = starts.line;
    for (;;) {
      search.run(from, state);
      read += search.last - from + 1;
      if (read > CHARACTERS_AT_ONCE) {
        if (isTimeUp()) return undefined;
        read = 0;
      }
      if (search.ends === ENDS.nothing) break;
      from = search.matchEnd;
      if (search.ends === ENDS.match) inLine++;
      else hasEmpty = true;
      if (unitAt(text, from) === LINE_FEED) {
        search.last = from;
        break;
      }
      if (search.ends === ENDS.emptyMatch) from += widthAt(text, from);
      state = isWordCharacter(text.charCodeAt(from - 1)) ? starts.word : starts.other;
    }
    matches += inLine > 0 ? inLine : Number(hasEmpty);
  }
  return matches;
}

/** Runs the automaton from a place to the end of the leftmost match. */
class Search {
  readonly #text: string;
  readonly #automaton: Automaton;
  /** The last index that was read: the end of the line, if nothing was found. */
  last = -1;
  /** The kind of match that was found. */
  ends: number = ENDS.nothing;
  matchEnd = -1;

  constructor(text: string, automaton: Automaton) {
    this.#text = text;
    this.#automaton = automaton;
  }

  run(from: number, start: number): void {
    const text = this.#text;
    const automaton = this.#automaton;
    const { classes } = automaton;
    let { table, shift } = automaton;
    let ends: number = ENDS.nothing;
    let matchEnd = -1;
    let state = start;
    let at = from;
    for (;;) {
      const unit = unitAt(text, at);
      let width = 1;
      let own = classes[unit] as number;
      if (own === 0 && unit !== LINE_FEED) {
        own = automaton.classify(text.codePointAt(at) as number);
        width = widthAt(text, at);
        ({ table, shift } = automaton);
      }
      let transition = table[(state << shift) | own] as number;
      if (transition === UNKNOWN) {
        transition = automaton.step(state, own);
        ({ table, shift } = automaton);
      }
      if ((transition & ENDS_MASK) !== ENDS.nothing) {
        ends = transition & ENDS_MASK;
        matchEnd = at;
      }
      state = transition >> ENDS_BITS;
      if (state === DEAD) break;
      at += width;
    }
    this.last = at;
    this.ends = ends;
    this.matchEnd = matchEnd;
  }
}

/** A line ends with a line feed or with the text. */
function unitAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : LINE_FEED;
}

/** The number of UTF-16 units of a character. */
function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) as number) > 0xff_ff ? 2 : 1;
}
