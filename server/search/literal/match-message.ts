/** Matches running text, such as a printed message, in the text of a chunk: a local alignment over tokens. */

import { isAscii } from "../../common/ascii.ts";
import { getOrCreate } from "../../common/get-or-create.ts";
import { eachToken } from "../../common/words.ts";
import { type Message, MIN_RUN } from "./literals.ts";
import { placeAt, type TextPlace } from "./match-text.ts";

/** A message with the weights of its tokens, for comparison with many texts. */
export interface WeighedMessage extends Message {
  /** The weight of each token as evidence; at least 0. */
  readonly weights: readonly number[];
}

export interface MessagePlace extends TextPlace {
  /** The matched share of the message, by weight: 0 to 1. */
  readonly share: number;
  /** The length of the longest run of consecutive tokens. */
  readonly run: number;
  /** The score of the alignment as a share of the score of the message itself, 0 to 1: `share` less the gaps. */
  readonly closeness: number;
}

/** Maximum gap in the message: interpolated values that the text lacks between two matching tokens. */
const MAX_SKIPPED_IN_MESSAGE = 6;
/** Maximum gap in the text: placeholders, and the code between two parts of a string. */
const MAX_SKIPPED_IN_TEXT = 6;
/** The gap-open penalty, as a share of the heaviest token: a run beats the same tokens scattered. */
const SKIP = 0.1;
/** The gap-extension penalty per token, as a share of SKIP. */
const FURTHER_SKIP = 0.2;

/** A longer chunk is data, and the rest is ignored; a megabyte would take a tenth of a second. */
export const MAX_TEXT_LENGTH = 20_000;
/** Minimum share to accept a match without a long run, as a message may have a value between any two tokens. */
const WHOLE_SHARE = 0.85;

/**
 * Returns a function that finds the message where its tokens occur in order: at least MIN_RUN consecutive tokens, or nearly
 * all of them. It returns undefined without a match. A local alignment over tokens (Smith and Waterman 1981) with bounded gaps.
 */
export function messageFinder(
  message: WeighedMessage,
): (lines: readonly string[]) => MessagePlace | undefined {
  const expected = expectedOf(message);
  const tokens = new MessageTokens(message.tokens);
  const cells = new Cells(message);
  const hasValues = message.isValue.includes(true);
  return (lines) => {
    const whole = lines.join("\n").slice(0, MAX_TEXT_LENGTH);
    const placeholders = hasValues ? placeholdersIn(whole) : [];
    cells.clear();
    tokens.eachIn(whole, placeholders, (places, number) => cells.add(places, number));
    const best = cells.best(WHOLE_SHARE * expected);
    if (best < 0) return undefined;
    const start = startOfToken(whole, placeholders, cells.starts[best] as number);
    const place = placeAt(whole, start, 1);
    const share = Math.min(1, (cells.matched[best] as number) / expected);
    const closeness = Math.min(1, Math.max(0, (cells.scores[best] as number) / expected));
    return { ...place, share, run: cells.longest[best] as number, closeness };
  };
}

/** The start and the end of each placeholder, in order. */
type Placeholders = readonly (readonly [start: number, end: number])[];

/** `{}`, `{name}`, `${name}`, `#{name}`, `%-10s`. */
export const PLACEHOLDER = /[$#%]?\{[^{}"'\n]{0,60}\}|%[-+#.\d]*[hljzt]{0,2}[a-z]/gi;
/** The same, and an expression between two strings: `" + name + "`. */
const FILLED = new RegExp(
  String.raw`${PLACEHOLDER.source}|(["'])\s*[+.]\s[^"'\n]{1,60}\s[+.]\s*\1`,
  "gi",
);

function placeholdersIn(text: string): Placeholders {
  return Array.from(text.matchAll(FILLED), ({ 0: all, index }) => [index, index + all.length]);
}

/** Tokens in a placeholder are numbered in steps of this size, so that one placeholder adds less than 1. */
const IN_PLACEHOLDER = 1 / 64;

/** Visits the tokens with their numbers, counted from 0. The numbers of tokens in placeholders are between two whole ones. */
function eachNumbered(
  text: string,
  placeholders: Placeholders,
  visit: (start: number, end: number, number: number) => void,
): void {
  let number = -1;
  let next = 0;
  eachToken(text, (start, end) => {
    while (next < placeholders.length && (placeholders[next]?.[1] as number) <= start) next++;
    const isInside = start >= (placeholders[next]?.[0] ?? Infinity);
    number = isInside ? number + IN_PLACEHOLDER : Math.floor(number) + 1;
    visit(start, end, number);
  });
}

function startOfToken(text: string, placeholders: Placeholders, wanted: number): number {
  let found = 0;
  eachNumbered(text, placeholders, (start, _, number) => {
    if (number === wanted) found = start;
  });
  return found;
}

const ASCII = 128;
/** Tokens of this many characters and more share a bit. */
const LONGEST = 31;

/** Finds the tokens of a message in texts. Most tokens of a text differ in the first letter or in the length. */
class MessageTokens {
  readonly #places = new Map<string, number[]>();
  /** For each ASCII character: a bit for each length of a token that begins with it in either case. */
  readonly #lengths = new Int32Array(ASCII);

  constructor(tokens: readonly string[]) {
    for (const [i, token] of tokens.entries()) {
      getOrCreate(this.#places, token, () => []).push(i);
      const first = token.slice(0, 1);
      for (const each of [first, first.toUpperCase()]) {
        const code = each.charCodeAt(0);
        if (code < ASCII)
          this.#lengths[code] = (this.#lengths[code] as number) | bitOf(token.length);
      }
    }
  }

  /** Calls `visit` with the places in the message of each token of the text, and the token's number. */
  eachIn(
    text: string,
    placeholders: Placeholders,
    visit: (places: readonly number[], number: number) => void,
  ): void {
    // Outside of ASCII, lower case may have another length.
    const isPlain = isAscii(text);
    eachNumbered(text, placeholders, (start, end, number) => {
      const code = text.charCodeAt(start);
      if (code < ASCII) {
        const lengths = this.#lengths[code] as number;
        if (isPlain ? (lengths & bitOf(end - start)) === 0 : lengths === 0) return;
      }
      const places = this.#places.get(text.slice(start, end).toLowerCase());
      if (places !== undefined) visit(places, number);
    });
  }
}

function bitOf(length: number): number {
  return 1 << Math.min(length, LONGEST);
}

/**
 * The ends of alignments, one for each token of the text and each equal token of the message: by the former, then by the latter.
 * Columns, because a text has hundreds of them and they are compared with their neighbors only.
 */
class Cells {
  readonly #weights: readonly number[];
  readonly #isValue: readonly boolean[];
  readonly #skip: number;
  readonly #numbers: number[] = [];
  readonly #places: number[] = [];
  readonly scores: number[] = [];
  /** The number of tokens shared with the message. */
  readonly #counts: number[] = [];
  /** The length of the run that ends here. */
  readonly #runs: number[] = [];
  /** The number of the token in the text that begins this run. */
  readonly #runStarts: number[] = [];
  readonly matched: number[] = [];
  readonly longest: number[] = [];
  /** The number of the token in the text that begins the longest run. */
  readonly starts: number[] = [];

  constructor({ weights, isValue }: WeighedMessage) {
    this.#weights = weights;
    this.#isValue = isValue;
    this.#skip = SKIP * Math.max(...weights, 0);
  }

  clear(): void {
    this.#numbers.length = 0;
  }

  /** Adds the best alignments that end with a token of the text, whose number is higher than any before. */
  add(places: readonly number[], number: number): void {
    const end = this.#numbers.length;
    for (const place of places) this.#addOne(place, number, end);
  }

  /** The best alignment with a long enough run or this weight; the first wins a tie. -1 without one. */
  best(most: number): number {
    let best = -1;
    let highest = 0;
    for (let at = 0; at < this.#numbers.length; at++) {
      const isWhole =
        (this.#counts[at] as number) >= MIN_RUN && (this.matched[at] as number) >= most;
      if (!isWhole && (this.longest[at] as number) < MIN_RUN) continue;
      const score = this.scores[at] as number;
      if (score <= highest) continue;
      best = at;
      highest = score;
    }
    return best;
  }

  /** `end` is behind the cells of the tokens before. */
  #addOne(place: number, number: number, end: number): void {
    const weight = this.#weights[place] as number;
    let score = weight;
    let before = -1;
    for (let last = end - 1; last >= 0; ) {
      const other = this.#numbers[last] as number;
      const back = number - other;
      if (back > MAX_SKIPPED_IN_TEXT + 1) break;
      let first = last;
      while (first > 0 && this.#numbers[first - 1] === other) first--;
      for (let at = first; at <= last; at++) {
        const skipped = place - (this.#places[at] as number) - 1;
        if (skipped < 0 || skipped > MAX_SKIPPED_IN_MESSAGE) continue;
        const isNext = back <= 1 && this.#areValues(place - skipped, place);
        const cost = isNext ? 0 : this.#skip * (1 + FURTHER_SKIP * (skipped + back));
        const continued = (this.scores[at] as number) + weight - cost;
        if (continued <= score) continue;
        score = continued;
        before = at;
      }
      last = first - 1;
    }
    this.#append(place, number, weight, score, before);
  }

  /** Whether these tokens of the message may be filled in; true for none. */
  #areValues(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (this.#isValue[at] !== true) return false;
    return true;
  }

  #append(place: number, number: number, weight: number, score: number, before: number): void {
    const at = this.#numbers.length;
    this.#numbers[at] = number;
    this.#places[at] = place;
    this.scores[at] = score;
    if (before < 0) {
      this.matched[at] = weight;
      this.#counts[at] = 1;
      this.#runs[at] = 1;
      this.longest[at] = 1;
      this.#runStarts[at] = number;
      this.starts[at] = number;
      return;
    }
    const isNext =
      this.#places[before] === place - 1 && (this.#numbers[before] as number) >= number - 1;
    const run = isNext ? (this.#runs[before] as number) + 1 : 1;
    const isLongest = run > (this.longest[before] as number);
    this.matched[at] = (this.matched[before] as number) + weight;
    this.#counts[at] = (this.#counts[before] as number) + 1;
    this.#runs[at] = run;
    this.longest[at] = isLongest ? run : (this.longest[before] as number);
    const start = run === 1 ? number : (this.#runStarts[before] as number);
    this.#runStarts[at] = start;
    this.starts[at] = isLongest ? start : (this.starts[before] as number);
  }
}

/** The total weight of the tokens that are not interpolated values. */
export function expectedOf({
  isValue,
  weights,
}: Pick<WeighedMessage, "isValue" | "weights">): number {
  const sum = weights.reduce((all, weight, i) => (isValue[i] === true ? all : all + weight), 0);
  return sum > 0 ? sum : weights.reduce((all, weight) => all + weight, 0) || 1;
}
