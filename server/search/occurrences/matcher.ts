/** Finds a text or a regular expression in lines, in time linear in their length. */

import { RE2JS, RE2JSException } from "re2js";
import { escapeRegExp } from "../../common/escape-regexp.ts";
import { linesOf } from "../../common/text.ts";
import { trigramsOf } from "../../common/trigram-filter.ts";
import type { Sought } from "../../contracts/scanner.ts";
import { Automaton, TooManyStates } from "./automaton.ts";
import { countInLines } from "./count-in-lines.ts";
import { textFinder } from "./find-text.ts";
import { programOf } from "./program.ts";

export interface Match {
  readonly column: number;
  readonly length: number;
}

export interface Matcher {
  /** Every match has all of these trigrams. Undefined if they are not known. */
  readonly trigrams?: Uint32Array;
  /** The number of matches in the lines of a text, which end with a line feed; undefined if the time is up before the end. */
  count(text: string, isTimeUp: () => boolean): number | undefined;
  /** The matches of one line that do not overlap. Of empty matches only the first, and only in a line without others. */
  matchesIn(line: string): Iterable<Match>;
}

/** Why a pattern cannot be used, with the remedy. */
export interface InvalidPattern {
  readonly problem: string;
}

export function compileMatcher({ text, kind, ignoreCase }: Sought): Matcher | InvalidPattern {
  if (kind === "pattern") return compilePattern(text, ignoreCase);
  return ignoreCase ? anyCaseMatcher(text) : exactMatcher(text);
}

/** A text has no line feed, so it is counted in all lines at once. A megabyte takes a millisecond. */
function exactMatcher(text: string): Matcher {
  const { length } = text;
  const { next } = textFinder(text);
  const trigrams = trigramsOf(text);
  return {
    ...(trigrams.length === 0 ? {} : { trigrams }),
    count: (whole) => {
      let count = 0;
      for (let at = next(whole, 0); at >= 0; at = next(whole, at + length)) count++;
      return count;
    },
    *matchesIn(line) {
      for (let at = next(line, 0); at >= 0; at = next(line, at + length))
        yield { column: at, length };
    },
  };
}

/** Escaped text has nothing to backtrack into, so the engine of V8 is linear and the fastest. */
function anyCaseMatcher(text: string): Matcher {
  const all = new RegExp(escapeRegExp(text), "giu");
  return {
    count: (whole) => {
      let count = 0;
      for (all.lastIndex = 0; all.test(whole); ) count++;
      return count;
    },
    *matchesIn(line) {
      for (const { 0: found, index } of line.matchAll(all))
        yield { column: index, length: found.length };
    },
  };
}

/**
 * RE2 (the port re2js) and not the engine of V8, which takes exponential time for some patterns. re2js takes 0.5 to 20 µs for
 * a match, so an automaton of its program counts them, and re2js is asked for the lines that are listed. On 4,826 files of rails
 * (27 MB) the automaton takes 0.2 to 0.6 s of processor time: `\w+\(\)` 0.2 s, `[a-z]*` 0.4 s, `.` with 23 million matches 0.6 s.
 */
function compilePattern(text: string, ignoreCase: boolean): Matcher | InvalidPattern {
  try {
    const pattern = RE2JS.compile(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    let automaton: Automaton | undefined = new Automaton(programOf(pattern));
    return {
      count: (whole, isTimeUp) => {
        try {
          if (automaton !== undefined) return countInLines(whole, automaton, isTimeUp);
        } catch (error) {
          if (!(error instanceof TooManyStates)) throw error;
          automaton = undefined;
        }
        return countByLine(pattern, whole, isTimeUp);
      },
      matchesIn: (line) => patternMatches(pattern, line),
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { problem: `${error.message.replace(/^error parsing regexp: /, "")}; ${REMEDY}` };
  }
}

const REMEDY =
  "the syntax is that of RE2, without look-around and back references; search for a text as it is with exact (--exact in the terminal)";

function* patternMatches(pattern: RE2JS, line: string): Generator<Match> {
  const matcher = pattern.matcher(line);
  let empty: Match | undefined;
  let hasText = false;
  while (matcher.find()) {
    const column = matcher.start();
    const length = matcher.end() - column;
    if (length === 0) {
      empty ??= { column, length };
      // Every further match of a pattern such as `x*` may be empty, too: they are passed over one by one.
      continue;
    }
    hasText = true;
    yield { column, length };
  }
  if (!hasText && empty !== undefined) yield empty;
}

/** Lines between two looks at the clock. */
const LINES_AT_ONCE = 256;

function countByLine(pattern: RE2JS, text: string, isTimeUp: () => boolean): number | undefined {
  let count = 0;
  for (const [line, content] of linesOf(text).entries()) {
    if (line % LINES_AT_ONCE === 0 && isTimeUp()) return undefined;
    const matches = patternMatches(pattern, content);
    while (matches.next().done !== true) count++;
  }
  return count;
}
