/** Chooses the lines of a hit to show, and highlights query words in them. */

import { wordsOf, wordsOfToken } from "../common/words.ts";
import type { Hit } from "../contracts/model.ts";
import type { Colors } from "./command-context.ts";
import { printable } from "./terminal-text.ts";

/** A run of letters, digits and underscores, the identifiers of words.ts. */
const TOKEN = /[\p{L}\p{N}\p{M}_$]+/gu;

/** Stop words of questions. */
const COMMON = new Set(
  "the and for are how what where when which who why does with from that this into all its".split(
    " ",
  ),
);

/** Shorter words and stems match too many lines. */
const MIN_WORD_LENGTH = 3;
const MIN_STEM_LENGTH = 4;

/** The suffixes of "opens", "opened" and "opening". */
const ENDING = /(?:ings?|e[drs]|ers|s)$/;

interface SnippetLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** Whether a word of the code has the same stem as a query word. */
type IsQueryWord = (word: string) => boolean;

export function queryWordTest(query: string): IsQueryWord {
  const stems = new Set(
    wordsOf(query)
      .filter((word) => word.length >= MIN_WORD_LENGTH && !COMMON.has(word))
      .map(stemOf),
  );
  return (other) => stems.has(stemOf(other));
}

/** The word without its suffix, if enough letters remain. */
function stemOf(word: string): string {
  const stem = word.replace(ENDING, "");
  return stem.length >= MIN_STEM_LENGTH ? stem : word;
}

/** The line to jump to: the best line, else the line of the defined name, else the first line. */
export function lineOf({ bestLine, symbol, lines }: Hit): number {
  const line = bestLine?.line ?? symbol?.nameLine;
  const isInside = line !== undefined && line >= lines.start && line <= lines.end;
  return isInside ? line : lines.start;
}

/** The window of at most `most` lines with the most distinct query words. */
export function snippetOf(
  hit: Hit,
  isQueryWord: IsQueryWord,
  most: number,
): readonly SnippetLine[] {
  const all = (hit.text ?? "").split("\n");
  const found = all.map((line) => new Set(wordsOf(line).filter(isQueryWord)));
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

/** Possible first lines of the window, preferred ones first. The window contains the line to jump to, if known. */
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
  isQueryWord: IsQueryWord,
  colors: Colors,
): string[] {
  const width = String(lines.at(-1)?.number ?? 0).length;
  return lines.map(({ number, text }) => {
    const marked = printable(text).replaceAll(TOKEN, (token) =>
      wordsOfToken(token).some(isQueryWord) ? colors.bold(token) : token,
    );
    return `  ${colors.dim(String(number).padStart(width))}  ${marked}`.trimEnd();
  });
}
