/** Finds a text or a regular expression in lines, in time linear in their length. */

import { RE2JS, RE2JSException } from "re2js";
import { escapeRegExp } from "../../common/escape-regexp.ts";
import type { Sought } from "../../contracts/scanner.ts";

export interface Match {
  readonly column: number;
  readonly length: number;
}

export interface Matcher {
  /** False only for a text without a matching line. Lines end with a line feed. */
  mayMatch(text: string): boolean;
  /** The matches of one line that do not overlap. Of empty matches only the first, and only in a line without others. */
  matchesIn(line: string): Iterable<Match>;
  /** The number of these matches. */
  countIn(line: string): number;
}

/** Why a pattern cannot be used, with the remedy. */
export interface InvalidPattern {
  readonly problem: string;
}

export function compileMatcher({ text, kind, ignoreCase }: Sought): Matcher | InvalidPattern {
  if (kind === "pattern") return compilePattern(text, ignoreCase);
  return ignoreCase ? anyCaseMatcher(text) : exactMatcher(text);
}

function exactMatcher(text: string): Matcher {
  return counting({
    mayMatch: (whole) => whole.includes(text),
    *matchesIn(line) {
      for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + text.length))
        yield { column: at, length: text.length };
    },
  });
}

/** Escaped text has nothing to backtrack into, so the engine of V8 is linear and the fastest. */
function anyCaseMatcher(text: string): Matcher {
  const once = new RegExp(escapeRegExp(text), "iu");
  const all = new RegExp(once, "giu");
  return counting({
    mayMatch: (whole) => once.test(whole),
    *matchesIn(line) {
      for (const { 0: found, index } of line.matchAll(all))
        yield { column: index, length: found.length };
    },
  });
}

function counting(finder: Omit<Matcher, "countIn">): Matcher {
  return {
    ...finder,
    countIn: (line) => {
      const matches = finder.matchesIn(line)[Symbol.iterator]();
      let count = 0;
      while (matches.next().done !== true) count++;
      return count;
    },
  };
}

/** Anchors of the whole text, and flags that are switched off, mean another thing in a text than in each of its lines. */
const ONLY_IN_LINES = /\\[Az]|\(\?[a-zA-Z]*-/;

/**
 * RE2 (the port re2js) and not the engine of V8, which takes exponential time for some patterns. On 4,460 files of rails
 * (24 MB, 686,000 lines), patterns without a literal took 0.2 to 0.9 s: `\w+\s*=\s*\w+` 0.3 s, `\b\w{20,}\b` 0.8 s,
 * `([a-z]+)+\d$` 0.3 s. Testing a whole text first leaves few files to be split into lines. A match takes 0.5 to 20 µs, so `.`
 * and `[a-z]*` with their millions of matches take 10 s.
 */
function compilePattern(text: string, ignoreCase: boolean): Matcher | InvalidPattern {
  const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
  try {
    const inLine = RE2JS.compile(text, flags);
    const inText = ONLY_IN_LINES.test(text)
      ? undefined
      : RE2JS.compile(text, flags | RE2JS.MULTILINE);
    return counting({
      mayMatch: (whole) => inText?.test(whole) ?? true,
      matchesIn: (line) => (inLine.test(line) ? patternMatches(inLine, line) : []),
    });
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { problem: `${error.message.replace(/^error parsing regexp: /, "")}; ${REMEDY}` };
  }
}

const REMEDY =
  "the syntax is that of RE2, without look-around and back references; search for a text as it is with exact";

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
