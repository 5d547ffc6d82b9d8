/** What the keyword lane counts of a chunk: its fields, each with the weight of a word in it. */

import { wordsOf, wordsOfPath } from "../../common/words.ts";
import { MAX_COUNT, STEPS } from "../../contracts/file-terms.ts";
import type { StoredChunk } from "../../contracts/stored-chunk.ts";
import { stemOf } from "../paths.ts";
import { termsOf } from "../query/stem.ts";
import { toName } from "./symbol-index.ts";

/** Extra occurrences for words that say what a chunk is about, on top of the one that they have in its text or path. */
const FIELD_WEIGHTS = {
  symbols: 1,
  hierarchy: 0.5,
  stem: 1,
} as const;

/** Words with the weight of their field. */
export interface Field {
  readonly words: readonly string[];
  readonly weight: number;
}

/** The chunk's own words first, with those of its path: they make its length. */
export function fieldsOf(
  chunk: Pick<StoredChunk, "path" | "text" | "symbols" | "hierarchy">,
  pathWords: readonly string[] = wordsOfPath(chunk.path),
): Field[] {
  const words = wordsOf(chunk.text);
  for (const word of pathWords) words.push(word);
  const names = chunk.symbols.map(({ name }) => toName(name).last);
  return [
    { words, weight: 1 },
    { words: wordsOf(names.join(" ")), weight: FIELD_WEIGHTS.symbols },
    { words: wordsOf(chunk.hierarchy ?? ""), weight: FIELD_WEIGHTS.hierarchy },
    { words: wordsOf(stemOf(chunk.path)), weight: FIELD_WEIGHTS.stem },
  ];
}

/** In words, of the first field. */
export function lengthOf(fields: readonly Field[]): number {
  return Math.max(1, fields[0]?.words.length ?? 0);
}

/** The occurrences of each term over all fields, in quarters. */
export function countTerms(fields: readonly Field[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { words, weight } of fields) {
    for (const term of termsOf(words)) counts.set(term, (counts.get(term) ?? 0) + weight * STEPS);
  }
  for (const [term, count] of counts) counts.set(term, quantize(count));
  return counts;
}

export function quantize(quarters: number): number {
  return Math.min(MAX_COUNT, Math.round(quarters));
}
