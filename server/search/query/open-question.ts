/** Decides which queries describe code without naming it, and counts their words. */

import { tokensOf } from "../../common/words.ts";
import type { Query } from "./query.ts";
import { termsOf } from "./stem.ts";

/** Whether the query is a sentence that names no definition, no file and no text, which would ask for that place. */
export function isOpenQuestion({ kind, identifiers, paths, quoted }: Query): boolean {
  return kind === "sentence" && identifiers.length + paths.length + quoted.length === 0;
}

/** The distinct terms of the question, without stop words. */
export function questionTerms({ words }: Query): string[] {
  return [...new Set(termsOf(words))];
}

/** The number of words with stop words: a question in a whole sentence has more of them than a topic. */
export function countWords({ text }: Pick<Query, "text">): number {
  return tokensOf(text).length;
}

/** By a number of words: 0 up to `none`, 1 from `full` on, and linear between. */
export function lengthShare(words: number, none: number, full: number): number {
  return Math.min(1, Math.max(0, words - none) / (full - none));
}
