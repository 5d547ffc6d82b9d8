/** Matches literals and messages in the text of a chunk. */

import { escapeRegExp } from "../../common/escape-regexp.ts";
import { getOrCreate } from "../../common/get-or-create.ts";
import { eachToken } from "../../common/words.ts";
import { type Message, MIN_RUN } from "./literals.ts";

/** The position of a match in lines. */
export interface TextPlace {
  /** 0-based, relative to the first line. */
  readonly line: number;
  readonly column: number;
  /** In characters; ends at the end of the first line. */
  readonly length: number;
  /** Whether the match begins inside a string literal, so that a program may print it. */
  readonly isInString: boolean;
}

/** The best place of a literal. */
export interface LiteralPlace extends TextPlace {
  readonly isSameCase: boolean;
  /** False for a part of a longer hyphenated name, such as `my-button` in `my-button-face`. */
  readonly isAlone: boolean;
}

const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** Compiles a literal to a pattern: word boundaries at both ends, and any white space between words. */
export function literalPattern(text: string): RegExp {
  const words = text.trim().split(/\s+/u).map(escapeRegExp);
  const [first = "", last = ""] = [Array.from(text.trim())[0], Array.from(text.trim()).at(-1)];
  const before = WORD.test(first) ? String.raw`(?<![\p{L}\p{N}\p{M}_])` : "";
  const after = WORD.test(last) ? String.raw`(?![\p{L}\p{N}\p{M}_])` : "";
  return new RegExp(before + words.join(String.raw`\s+`) + after, "giu");
}

/** Returns the first whole-name match in the literal's own letter case, else the first of the next best matches. */
export function findLiteral(
  lines: readonly string[],
  pattern: RegExp,
  text: string,
): LiteralPlace | undefined {
  const whole = lines.join("\n");
  const wanted = text.replaceAll(/\s+/gu, " ");
  const hasHyphen = /\w-\w/.test(text);
  let best: { index: number; length: number; isSameCase: boolean; isAlone: boolean } | undefined;
  let highest = -1;
  for (const { 0: found, index } of whole.matchAll(pattern)) {
    const isSameCase = found.replaceAll(/\s+/gu, " ") === wanted;
    const isAlone = !hasHyphen || !isJoined(whole, index, index + found.length);
    const quality = (isSameCase ? 2 : 0) + (isAlone ? 1 : 0);
    if (quality <= highest) continue;
    highest = quality;
    best = { index, length: found.length, isSameCase, isAlone };
    if (isSameCase && isAlone) break;
  }
  if (best === undefined) return undefined;
  const { index, length, isSameCase, isAlone } = best;
  return { ...placeAt(whole, index, length), isSameCase, isAlone };
}

/** Whether a hyphen and a letter precede or follow this part of a text. */
function isJoined(whole: string, start: number, end: number): boolean {
  const before = whole[start - 1] === "-" && WORD.test(whole[start - 2] ?? "");
  return before || (whole[end] === "-" && WORD.test(whole[end + 1] ?? ""));
}

function placeAt(whole: string, start: number, length: number): TextPlace {
  const lineStart = whole.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = whole.indexOf("\n", start);
  const end = Math.min(start + length, lineEnd < 0 ? whole.length : lineEnd);
  let line = 0;
  for (let at = whole.indexOf("\n"); at >= 0 && at < start; at = whole.indexOf("\n", at + 1))
    line++;
  return {
    line,
    column: start - lineStart,
    length: end - start,
    isInString: isInString(whole.slice(lineStart, start)),
  };
}

/** Whether a string is open at the end of this line prefix. An apostrophe within a word does not open a string. */
function isInString(before: string): boolean {
  let open = "";
  for (let at = 0; at < before.length; at++) {
    const char = before[at] as string;
    if (char === "\\") at++;
    else if (open !== "") open = char === open ? "" : open;
    else if (char === '"' || char === "`") open = char;
    else if (char === "'" && !WORD.test(before[at - 1] ?? "")) open = char;
  }
  return open !== "";
}

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
const MAX_TEXT_LENGTH = 20_000;
/** Minimum share to accept a match without a long run, as a message may have a value between any two tokens. */
const WHOLE_SHARE = 0.85;

/** The end of an alignment at one token of the text. */
interface Cell {
  readonly score: number;
  readonly matched: number;
  /** The number of tokens shared with the message. */
  readonly count: number;
  /** The length of the run that ends here. */
  readonly run: number;
  readonly longest: number;
  /** The index of the token in the text that begins the longest run. */
  readonly start: number;
}

/** The cells of one token of the text, by the index of the equal token in the message. */
type Cells = ReadonlyMap<number, Cell>;

/**
 * Finds a message whose tokens occur in order: at least MIN_RUN consecutive tokens, or nearly all of them. Returns undefined
 * without a match. A local alignment over tokens (Smith and Waterman 1981) with bounded gaps.
 */
export function findMessage(
  lines: readonly string[],
  message: WeighedMessage,
): MessagePlace | undefined {
  const whole = lines.join("\n").slice(0, MAX_TEXT_LENGTH);
  const expected = expectedOf(message);
  const places = placesByToken(message.tokens);
  const skip = SKIP * Math.max(...message.weights, 0);
  const starts: number[] = [];
  const recent: Cells[] = [];
  const cells: Cell[] = [];
  eachToken(whole, (start, end) => {
    const at = places.get(whole.slice(start, end).toLowerCase()) ?? [];
    const number = starts.push(start) - 1;
    const own = new Map(
      at.map((i) => [i, cellAt(i, number, message.weights[i] as number, recent, skip)]),
    );
    cells.push(...own.values());
    recent.push(own);
    if (recent.length > MAX_SKIPPED_IN_TEXT + 1) recent.shift();
  });
  const best = bestOf(cells, WHOLE_SHARE * expected);
  if (best === undefined) return undefined;
  const place = placeAt(whole, starts[best.start] as number, 1);
  return { ...place, share: Math.min(1, best.matched / expected), run: best.longest };
}

function placesByToken(tokens: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [i, token] of tokens.entries()) {
    getOrCreate(places, token, () => []).push(i);
  }
  return places;
}

/** The best alignment that ends with token `i` of the message at token `number` of the text. */
function cellAt(
  i: number,
  number: number,
  weight: number,
  recent: readonly Cells[],
  skip: number,
): Cell {
  let cell: Cell = { score: weight, matched: weight, count: 1, run: 1, longest: 1, start: number };
  for (let back = 1; back <= recent.length; back++) {
    for (const [j, before] of recent[recent.length - back] as Cells) {
      const skipped = i - j - 1;
      if (skipped < 0 || skipped > MAX_SKIPPED_IN_MESSAGE) continue;
      const isNext = skipped === 0 && back === 1;
      const cost = isNext ? 0 : skip * (1 + FURTHER_SKIP * (skipped + back));
      const score = before.score + weight - cost;
      if (score > cell.score) cell = continued(before, { score, weight, isNext, number });
    }
  }
  return cell;
}

interface Step {
  readonly score: number;
  readonly weight: number;
  readonly isNext: boolean;
  readonly number: number;
}

function continued(before: Cell, { score, weight, isNext, number }: Step): Cell {
  const run = isNext ? before.run + 1 : 1;
  const isLongest = run > before.longest;
  return {
    score,
    matched: before.matched + weight,
    count: before.count + 1,
    run,
    longest: isLongest ? run : before.longest,
    start: isLongest ? number - run + 1 : before.start,
  };
}

/** The best alignment with a long enough run or this weight; the first wins a tie. */
function bestOf(cells: readonly Cell[], most: number): Cell | undefined {
  let best: Cell | undefined;
  for (const cell of cells) {
    const isEnough = cell.longest >= MIN_RUN || (cell.count >= MIN_RUN && cell.matched >= most);
    if (isEnough && cell.score > (best?.score ?? 0)) best = cell;
  }
  return best;
}

/** The total weight of the tokens that are not interpolated values. */
export function expectedOf({
  isValue,
  weights,
}: Pick<WeighedMessage, "isValue" | "weights">): number {
  const sum = weights.reduce((all, weight, i) => (isValue[i] === true ? all : all + weight), 0);
  return sum > 0 ? sum : weights.reduce((all, weight) => all + weight, 0) || 1;
}
