/** Ranks a chunk that contains a quoted phrase above one that only has its words. */

import { type Boost, highest, rescored } from "../ranking.ts";

/**
 * A quoted phrase is meant word for word: more than every boost for words, less than the definition of a name. Scaled by
 * the share of the query that is quoted.
 */
const PHRASE = 2;

export const phrase: Boost = {
  name: "phrase",
  apply: (hits, { phraseMatches }) => {
    if (phraseMatches.size === 0) return hits;
    const unit = PHRASE * highest(hits);
    return hits.map((hit) => {
      const phrases = phraseMatches.get(hit.chunk);
      if (phrases === undefined) return hit;
      return rescored(hit, hit.score + unit * phrases.share, "phrase", phrases.text);
    });
  },
};
