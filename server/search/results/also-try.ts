/** Suggests words for the next search: words of the best hits' names that the query does not have. */

import { identifierPartsOf } from "../../common/words.ts";
import { lastPartOf } from "../lanes/symbol-names.ts";
import { stemOf } from "../paths.ts";
import type { Query } from "../query/query.ts";
import { stem, termsOf } from "../query/stem.ts";
import { STOP_WORDS } from "../query/stop-words.ts";
import type { RankedHit } from "../ranking.ts";

const MAX_WORDS = 6;
/** Only the first hits are likely to be right. */
const MAX_HITS = 5;
/** Shorter words are abbreviations without meaning of their own. */
const MIN_LENGTH = 3;

/** Rare words of high-ranked names first. `rarityOf` takes a stem. */
export function wordsToTry(
  hits: readonly RankedHit[],
  query: Query,
  rarityOf: (term: string) => number,
): string[] {
  const own = new Set(termsOf(query.words));
  const words = new Map<string, { readonly word: string; weight: number }>();
  for (const [rank, { facts, symbols }] of hits.slice(0, MAX_HITS).entries()) {
    const names = [...symbols.slice(0, 1).map(({ name }) => lastPartOf(name)), stemOf(facts.path)];
    for (const word of new Set(names.flatMap(identifierPartsOf))) {
      const key = stem(word);
      if (word.length < MIN_LENGTH || STOP_WORDS.has(word) || own.has(key)) continue;
      const weight = rarityOf(key) / (rank + 1);
      const known = words.get(key);
      if (known === undefined) words.set(key, { word, weight });
      else known.weight += weight;
    }
  }
  const byWeight = [...words.values()].toSorted((a, b) => b.weight - a.weight);
  return byWeight.slice(0, MAX_WORDS).map(({ word }) => word);
}
