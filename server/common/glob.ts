/** Matches glob patterns as git does. The time is linear in pattern and text, because patterns are not trusted. */

import { isAscii } from "./ascii.ts";
import { baseNameOf } from "./relative-path.ts";

/** One element of a parsed pattern. Characters are bytes, as in git. */
type Token =
  | { readonly kind: "byte"; readonly byte: string }
  | { readonly kind: "set"; readonly has: (byte: string) => boolean }
  /** A wildcard for any number of bytes; it stays within one folder in a path pattern. */
  | { readonly kind: "run"; readonly crossesFolders: boolean }
  /** `**` followed by a slash: any number of whole folders. */
  | { readonly kind: "folders" }
  /** Matches nothing: a bracket that is not closed. */
  | { readonly kind: "nothing" };

interface GlobOptions {
  /** Whether `*` stops at slashes, while `**` crosses them. */
  readonly isPath: boolean;
}

export type GlobMatcher = (text: string) => boolean;

/** Compiles the pattern of a .gitignore line, without `!` and without slashes at its ends. */
export function compileGlob(pattern: string, { isPath }: GlobOptions): GlobMatcher {
  const matches = compileFolded(foldText(pattern), isPath);
  return (text) => matches(foldText(text));
}

/** Converts patterns and texts to the compared form: one character per byte of UTF-8, as in git. */
export function foldText(text: string, ignoresCase = false): string {
  const folded = ignoresCase ? text.replaceAll(/[A-Z]+/g, (some) => some.toLowerCase()) : text;
  return isAscii(folded) ? folded : Buffer.from(folded, "utf8").toString("latin1");
}

/** Like `compileGlob`, for a folded pattern and folded texts. To match one text with many patterns, fold it once. */
export function compileFolded(pattern: string, isPath: boolean): GlobMatcher {
  const { prefix, suffix } = literalEnds(pattern);
  if (prefix === pattern) return (text) => text === pattern;
  if (!isPath && !/[?[\\]/.test(pattern)) return matchLiterals(pattern.split(/\*+/));
  // As in git, the text before the first wildcard is compared separately, and `**` may follow it directly.
  const tokens = tokensOf(pattern.slice(prefix.length), isPath);
  return (text) =>
    text.startsWith(prefix) &&
    text.endsWith(suffix) &&
    simulate(tokens, text.slice(prefix.length), isPath);
}

/**
 * Matches literals in order with anything between them, when slashes are ordinary. The leftmost match of each is best.
 */
function matchLiterals(literals: readonly string[]): GlobMatcher {
  const [first = "", last = ""] = [literals[0], literals.at(-1)];
  const between = literals.slice(1, -1);
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const literal of between) {
      const found = text.indexOf(literal, at);
      if (found < 0) return false;
      at = found + literal.length;
    }
    return at + last.length <= text.length;
  };
}

/** The literal prefix and suffix of every matching text. */
export function literalEnds(pattern: string): { prefix: string; suffix: string } {
  const wildcard = pattern.search(/[*?[\\]/);
  if (wildcard < 0) return { prefix: pattern, suffix: pattern };
  // The slash of `**/` may match nothing.
  const last = Math.max(...["*", "?", "[", "]", "\\"].map((one) => pattern.lastIndexOf(one)));
  const suffix = pattern.slice(last + 1).replace(/^\//, "");
  return { prefix: pattern.slice(0, wildcard), suffix };
}

/** The maximum number of alternatives that braces may expand to. */
export const MAX_ALTERNATIVES = 100;

/** The maximum length of a pattern, and of wildcards in it. Real patterns are far shorter. */
const MAX_LENGTH = 1_000;
const MAX_WILDCARDS = 10;

/** Whether matching a path against the pattern is cheap. */
export function isCheapGlob(pattern: string): boolean {
  const wildcards = pattern.match(/\*+/g)?.length ?? 0;
  if (pattern.length > MAX_LENGTH || wildcards > MAX_WILDCARDS) return false;
  return expandBraces(pattern, MAX_ALTERNATIVES) !== undefined;
}

/**
 * Compiles several patterns into one that matches any of them. A pattern without a slash matches a file name in any
 * folder. A pattern whose braces expand to too many alternatives matches nothing.
 */
export function compilePathGlobs(patterns: readonly string[]): GlobMatcher {
  const globs = patterns
    .flatMap((pattern) => expandBraces(pattern, MAX_ALTERNATIVES) ?? [])
    .map((pattern) => {
      const isPath = pattern.includes("/");
      const matches = compileGlob(pattern.replace(/^\//, ""), { isPath });
      return isPath ? matches : (path: string) => matches(baseNameOf(path));
    });
  return (path) => globs.some((matches) => matches(path));
}

/** Expands `{a,b}` and `{a,b{c,d}}` into one pattern per alternative. Undefined if there are more than `most`. */
export function expandBraces(pattern: string, most: number): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const braces = firstBraces(next);
    if (braces === undefined) done.push(next);
    else {
      const [before, choices, after] = braces;
      for (const choice of choices.toReversed()) open.push(before + choice + after);
    }
    if (done.length + open.length > most) return undefined;
  }
  return done;
}

/** The first pair of braces that contains a comma, with the text before and after it. */
function firstBraces(pattern: string): [string, string[], string] | undefined {
  let depth = 0;
  let from = 0;
  let cuts: number[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at];
    if (letter === "\\") at++;
    else if (letter === "{") {
      if (depth === 0) [from, cuts] = [at, [at]];
      depth++;
    } else if (letter === "," && depth === 1) cuts.push(at);
    else if (letter === "}" && depth > 0) {
      depth--;
      if (depth > 0 || cuts.length < 2) continue;
      cuts.push(at);
      const choices = cuts.slice(1).map((cut, i) => pattern.slice((cuts[i] ?? 0) + 1, cut));
      return [pattern.slice(0, from), choices, pattern.slice(at + 1)];
    }
  }
  return undefined;
}

function tokensOf(pattern: string, isPath: boolean): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const byte = pattern[at] ?? "";
    if (byte === "*") {
      const end = at + (/^\*+/.exec(pattern.slice(at))?.[0].length ?? 1);
      const isWhole = at === 0 || pattern[at - 1] === "/";
      const next = pattern[end] === "\\" ? pattern[end + 1] : pattern[end];
      const spans = end - at > 1 && isWhole && (end === pattern.length || next === "/");
      if (isPath && spans && pattern[end] === "/") {
        tokens.push({ kind: "folders" });
        at = end;
      } else {
        tokens.push({ kind: "run", crossesFolders: !isPath || spans });
        at = end - 1;
      }
    } else if (byte === "?") tokens.push({ kind: "set", has: (other) => !isPath || other !== "/" });
    else if (byte === "[") {
      const set = setAt(pattern, at);
      if (set === undefined) return [{ kind: "nothing" }];
      tokens.push({ kind: "set", has: (other) => set.has(other) && !(isPath && other === "/") });
      at = set.end;
    } else if (byte === "\\") {
      const escaped = pattern[++at];
      if (escaped === undefined) return [{ kind: "nothing" }];
      tokens.push({ kind: "byte", byte: escaped });
    } else tokens.push({ kind: "byte", byte });
  }
  return tokens;
}

const CLASSES: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    alnum: /[A-Za-z0-9]/,
    alpha: /[A-Za-z]/,
    blank: /[ \t]/,
    // oxlint-disable-next-line no-control-regex
    cntrl: /[\0-\x1f\x7f]/,
    digit: /[0-9]/,
    graph: /[!-~]/,
    lower: /[a-z]/,
    print: /[ -~]/,
    punct: /[!-/:-@[-`{-~]/,
    space: /[ \t-\r]/,
    upper: /[A-Z]/,
    xdigit: /[A-Fa-f0-9]/,
  }),
);

interface ByteSet {
  readonly has: (byte: string) => boolean;
  /** The position of the closing bracket. */
  readonly end: number;
}

/** Parses `[a-z]`, `[!a]`, `[]x]`, `[[:alpha:]_]`. Undefined if no bracket closes it. */
function setAt(pattern: string, from: number): ByteSet | undefined {
  const parts: ((byte: string) => boolean)[] = [];
  let at = from + 1;
  const isNegated = pattern[at] === "!" || pattern[at] === "^";
  if (isNegated) at++;
  for (let isFirst = true; ; isFirst = false) {
    const name = /^\[:([^\]]*?):\]/.exec(pattern.slice(at, at + 16));
    if (pattern[at] === undefined) return undefined;
    if (pattern[at] === "]" && !isFirst) break;
    if (name !== null) {
      const known = CLASSES.get(name[1] ?? "");
      if (known === undefined) return undefined;
      parts.push((byte) => known.test(byte));
      at += name[0].length;
      continue;
    }
    const low = letterAt(pattern, at);
    if (low === undefined) return undefined;
    at = low.next;
    const isRange = pattern[at] === "-" && pattern[at + 1] !== "]" && at + 1 < pattern.length;
    const high = isRange ? letterAt(pattern, at + 1) : low;
    if (high === undefined) return undefined;
    at = high.next;
    parts.push((byte) => low.letter <= byte && byte <= high.letter);
  }
  return { has: (byte) => parts.some((part) => part(byte)) !== isNegated, end: at };
}

function letterAt(pattern: string, at: number): { letter: string; next: number } | undefined {
  const isEscaped = pattern[at] === "\\";
  const letter = pattern[isEscaped ? at + 1 : at];
  return letter === undefined ? undefined : { letter, next: at + (isEscaped ? 2 : 1) };
}

/** Simulates the nondeterministic automaton of the pattern, byte by byte, with each state at most once per step. */
function simulate(tokens: readonly Token[], text: string, isPath: boolean): boolean {
  const size = tokens.length + 1;
  /** The step that last reached each state, so that a state is added once per step. */
  const reached = new Int32Array(size).fill(-1);
  let states: number[] = [];
  /** Adds a state and its successors that consume no byte. */
  const reach = (list: number[], state: number, step: number, isFolderStart: boolean) => {
    for (let next = state; reached[next] !== step; next++) {
      reached[next] = step;
      list.push(next);
      const kind = tokens[next]?.kind;
      if (kind !== "run" && !(kind === "folders" && isFolderStart)) return;
    }
  };
  reach(states, 0, 0, true);
  for (let at = 0; at < text.length && states.length > 0; at++) {
    const byte = text[at] ?? "";
    const following: number[] = [];
    for (const state of states) {
      const token = tokens[state];
      if (token === undefined) continue;
      if (token.kind === "run") {
        if (token.crossesFolders || !isPath || byte !== "/") reach(following, state, at + 1, false);
      } else if (token.kind === "folders") {
        reach(following, state, at + 1, byte === "/");
      } else if (
        token.kind === "byte" ? token.byte === byte : token.kind === "set" && token.has(byte)
      ) {
        reach(following, state + 1, at + 1, true);
      }
    }
    states = following;
  }
  return states.includes(tokens.length);
}
