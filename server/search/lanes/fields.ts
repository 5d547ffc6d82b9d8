/** The fields of a chunk that the keyword lane counts, each with the weight of a word in it. */

import { MAX_COUNT, STEPS } from "../../contracts/file-terms.ts";
import type { StoredChunk } from "../../contracts/stored-chunk.ts";
import { stemOf } from "../paths.ts";
import { termsOfText } from "../query/stem.ts";
import { pairTermsOf } from "./pair-terms.ts";
import { lastPartOf } from "./symbol-names.ts";

/** Extra occurrences for descriptive words of a chunk, in addition to their occurrence in its text or path. */
const FIELD_WEIGHTS = {
  symbols: 1,
  hierarchy: 0.5,
  stem: 1,
} as const;

/** The smallest count that is kept: no query ranks by pairs, they only lead to literal text. */
export const PAIR_WEIGHT = 1 / STEPS;

/** Texts with the weight of a word in them. */
export interface TextField {
  readonly texts: readonly string[];
  readonly weight: number;
}

/** The same as terms. */
export interface Field {
  readonly terms: readonly string[];
  readonly weight: number;
}

type Counted = Pick<StoredChunk, "path" | "text" | "symbols" | "hierarchy">;

/** The first field has the words of the chunk and its path; it alone determines the length of the chunk. */
export function textFieldsOf({ path, text, symbols, hierarchy }: Counted): TextField[] {
  const names = symbols.map(({ name }) => lastPartOf(name));
  return [
    { texts: [text, path], weight: 1 },
    { texts: names, weight: FIELD_WEIGHTS.symbols },
    { texts: [hierarchy ?? ""], weight: FIELD_WEIGHTS.hierarchy },
    { texts: [stemOf(path)], weight: FIELD_WEIGHTS.stem },
  ];
}

export function fieldsOf(chunk: Counted): Field[] {
  const fields = textFieldsOf(chunk).map(({ texts, weight }) => ({
    terms: texts.flatMap(termsOfText),
    weight,
  }));
  return [...fields, { terms: pairTermsOf(chunk.text), weight: PAIR_WEIGHT }];
}

/** In terms, of the first field. */
export function lengthOf(fields: readonly Field[]): number {
  return Math.max(1, fields[0]?.terms.length ?? 0);
}

/** The occurrences of each term over all fields, in quarters. */
export function countTerms(fields: readonly Field[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { terms, weight } of fields) {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight * STEPS);
  }
  for (const [term, count] of counts) counts.set(term, quantize(count));
  return counts;
}

export function quantize(quarters: number): number {
  return Math.min(MAX_COUNT, Math.round(quarters));
}
