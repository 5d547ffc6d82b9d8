/** Which lines of a hit are shown, and which words in them stand out. */

import { wordsOf, wordsOfToken } from "../common/words.ts";
import type { Hit } from "../contracts/model.ts";
import type { Colors } from "./command-context.ts";
import { printable } from "./terminal-text.ts";

/** A run of letters, digits and underscores, as words.ts sees identifiers. */
const TOKEN = /[\p{L}\p{N}\p{M}_$]+/gu;

/** Words of questions that say nothing about the code. */
const COMMON = new Set(
  "the and for are how what where when which who why does with from that this into all its".split(
    " ",
  ),
);

/** Shorter words are in too many lines, and shorter stems mean too many things. */
const MIN_WORD_LENGTH = 3;
const MIN_STEM_LENGTH = 4;

/** What differs between "opens", "opened" and "opening". */
const ENDING = /(?:ings?|e[drs]|ers|s)$/;

export interface SnippetLine {
  /** As editors count, from 1. */
  readonly number: number;
  readonly text: string;
}

/** Says whether a word of the code is one that was asked for: the same, or with another ending. */
export type IsAsked = (word: string) => boolean;

export function askedWords(query: string): IsAsked {
  const asked = new Set(
    wordsOf(query)
      .filter((word) => word.length >= MIN_WORD_LENGTH && !COMMON.has(word))
      .map(stemOf),
  );
  return (other) => asked.has(stemOf(other));
}

/** The word without its ending, where enough remains. */
function stemOf(word: string): string {
  const stem = word.replace(ENDING, "");
  return stem.length >= MIN_STEM_LENGTH ? stem : word;
}

/** Where to jump: to the best line, else to the name that is defined there, else to the first line. */
export function lineOf({ bestLine, symbol, lines }: Hit): number {
  const line = bestLine?.line ?? symbol?.nameLine;
  const isInside = line !== undefined && line >= lines.start && line <= lines.end;
  return isInside ? line : lines.start;
}

/** The `most` neighboring lines of the hit's text that say most about the question. */
export function snippetOf(hit: Hit, isAsked: IsAsked, most: number): readonly SnippetLine[] {
  const all = (hit.text ?? "").split("\n");
  const found = all.map((line) => new Set(wordsOf(line).filter(isAsked)));
  let [start, best] = [0, -1];
  for (const from of startsOf(hit, all.length, most)) {
    const words = new Set(found.slice(from, from + most).flatMap((each) => [...each]));
    if (words.size > best) [start, best] = [from, words.size];
  }
  const lines = all
    .slice(start, start + most)
    .map((text, i) => ({ number: hit.contextRange.start + start + i + 1, text }));
  return withoutBlankEnds(lines);
}

/** Where a snippet may start, the best places first: anywhere, but with the line to jump to where one is known. */
function startsOf(hit: Hit, length: number, most: number): number[] {
  const last = Math.max(0, length - most);
  const named = lineOf(hit) - hit.contextRange.start;
  const isKnown = hit.bestLine !== undefined || hit.symbol !== undefined;
  if (!isKnown || named < 0 || named >= length) return upTo(last);
  return upTo(Math.min(named, last))
    .filter((start) => named < start + most)
    .toReversed();
}

function upTo(last: number): number[] {
  return Array.from({ length: last + 1 }, (_, start) => start);
}

function withoutBlankEnds(lines: readonly SnippetLine[]): readonly SnippetLine[] {
  const isFilled = ({ text }: SnippetLine) => text.trim() !== "";
  return lines.slice(lines.findIndex(isFilled), lines.findLastIndex(isFilled) + 1);
}

export function renderSnippet(
  lines: readonly SnippetLine[],
  isAsked: IsAsked,
  colors: Colors,
): string[] {
  const width = String(lines.at(-1)?.number ?? 0).length;
  return lines.map(({ number, text }) => {
    const marked = printable(text).replaceAll(TOKEN, (token) =>
      wordsOfToken(token).some(isAsked) ? colors.bold(token) : token,
    );
    return `  ${colors.dim(String(number).padStart(width))}  ${marked}`.trimEnd();
  });
}
