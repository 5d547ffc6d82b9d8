/** Compares the text of a chunk with what is looked for word for word. */

import { eachToken } from "../../common/words.ts";
import { type Message, MIN_RUN } from "./literals.ts";

/** Where a text stands in lines. */
export interface TextPlace {
  /** From 0, within the lines. */
  readonly line: number;
  readonly column: number;
  /** In characters, on its first line. */
  readonly length: number;
  /** Whether a program prints it: it begins within a string. */
  readonly isInString: boolean;
}

/** The best place of a literal. */
export interface LiteralPlace extends TextPlace {
  readonly isSameCase: boolean;
  /** Whether it is not a part of a longer name with hyphens, as `my-button` is of `my-button-face`. */
  readonly isAlone: boolean;
}

const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** A literal as a pattern: whole words at both ends, any white space where it has some. */
export function literalPattern(text: string): RegExp {
  const words = text.trim().split(/\s+/u).map(escaped);
  const [first = "", last = ""] = [Array.from(text.trim())[0], Array.from(text.trim()).at(-1)];
  const before = WORD.test(first) ? String.raw`(?<![\p{L}\p{N}\p{M}_])` : "";
  const after = WORD.test(last) ? String.raw`(?![\p{L}\p{N}\p{M}_])` : "";
  return new RegExp(before + words.join(String.raw`\s+`) + after, "giu");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** The first place in the literal's own letter case that is no part of a longer name; else the first that is nearly so. */
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

/** Whether a hyphen and a letter go on before or behind a part of a text. */
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

/** Whether a string is open at the end of a part of a line. An apostrophe within a word opens none. */
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

/** A message as numbers, for comparing it with many texts. */
export interface WeighedMessage extends Message {
  /** What each token says about the place, at least 0. */
  readonly weights: readonly number[];
}

export interface MessagePlace extends TextPlace {
  /** The share of the message that stands there, by weight: 0 to 1. */
  readonly share: number;
  /** The most tokens in a row. */
  readonly run: number;
}

/** Tokens of the message that the text may lack between two that it has: values that were filled in. */
const MAX_SKIPPED_IN_MESSAGE = 6;
/** Tokens of the text that the message may lack: placeholders, and the code between two parts of a string. */
const MAX_SKIPPED_IN_TEXT = 6;
/** What a skip costs, as a share of the heaviest token: a run is better than the same tokens scattered. */
const SKIP = 0.1;

/** A chunk of longer lines is data; a megabyte would take a tenth of a second. */
const MAX_TEXT_LENGTH = 20_000;
/** From this share on, a message may have a value between any two of its tokens. */
const WHOLE_SHARE = 0.85;

/** The end of an alignment at one token of the text. */
interface Cell {
  readonly score: number;
  readonly matched: number;
  readonly run: number;
  readonly longest: number;
  /** The token of the text at which its longest run begins. */
  readonly start: number;
  /** Tokens that it has in common with the message. */
  readonly count: number;
}

/**
 * Where a message stands in its order: at least MIN_RUN of its tokens in a row, or nearly all of them; undefined where it
 * stands nowhere. A local alignment over tokens (Smith and Waterman 1981) with bounded gaps.
 */
export function findMessage(
  lines: readonly string[],
  { tokens, isValue, weights }: WeighedMessage,
): MessagePlace | undefined {
  const whole = lines.join("\n").slice(0, MAX_TEXT_LENGTH);
  const places = new Map<string, number[]>();
  tokens.forEach((token, i) => {
    const own = places.get(token);
    if (own === undefined) places.set(token, [i]);
    else own.push(i);
  });
  const starts: number[] = [];
  const expected = expectedOf({ isValue, weights });
  const most = WHOLE_SHARE * expected;
  const skip = SKIP * Math.max(...weights, 0);
  /** Of the last tokens of the text: the cells of each, by token of the message. */
  const recent: ReadonlyMap<number, Cell>[] = [];
  let best: Cell | undefined;
  eachToken(whole, (start, end) => {
    const number = starts.push(start) - 1;
    const at = places.get(whole.slice(start, end).toLowerCase());
    const cells = new Map<number, Cell>();
    for (const i of at ?? []) {
      const weight = weights[i] as number;
      let cell: Cell = {
        score: weight,
        matched: weight,
        run: 1,
        longest: 1,
        start: number,
        count: 1,
      };
      for (let back = 1; back <= MAX_SKIPPED_IN_TEXT + 1 && back <= recent.length; back++) {
        for (const [j, before] of recent[recent.length - back] as ReadonlyMap<number, Cell>) {
          const skipped = i - j - 1;
          if (skipped < 0 || skipped > MAX_SKIPPED_IN_MESSAGE) continue;
          const isNext = skipped === 0 && back === 1;
          const cost = isNext ? 0 : skip * (1 + 0.2 * (skipped + back));
          const score = before.score + weight - cost;
          if (score <= cell.score) continue;
          const run = isNext ? before.run + 1 : 1;
          const isLongest = run > before.longest;
          cell = {
            score,
            matched: before.matched + weight,
            run,
            longest: isLongest ? run : before.longest,
            start: isLongest ? number - run + 1 : before.start,
            count: before.count + 1,
          };
        }
      }
      cells.set(i, cell);
      const isEnough = cell.longest >= MIN_RUN || (cell.count >= MIN_RUN && cell.matched >= most);
      if (isEnough && cell.score > (best?.score ?? 0)) best = cell;
    }
    recent.push(cells);
    if (recent.length > MAX_SKIPPED_IN_TEXT + 1) recent.shift();
  });
  if (best === undefined) return undefined;
  const { matched, start, longest } = best as Cell;
  const place = placeAt(whole, starts[start] as number, 1);
  return { ...place, share: Math.min(1, matched / expected), run: longest };
}

/** The weight of all that is no value. */
export function expectedOf({
  isValue,
  weights,
}: Pick<WeighedMessage, "isValue" | "weights">): number {
  const sum = weights.reduce((all, weight, i) => (isValue[i] === true ? all : all + weight), 0);
  return sum > 0 ? sum : weights.reduce((all, weight) => all + weight, 0) || 1;
}
