/** Puts what says a quoted phrase word for word before what only has its words. */

import { type Boost, highest, rescored } from "../ranking.ts";

/** Who puts a phrase in quotes means it as it stands: more than every boost for words, less than the definition of a name. Scaled by the share of the query that is quoted. */
const SAID = 2;

export const phrase: Boost = {
  name: "phrase",
  apply: (hits, { said }) => {
    if (said.size === 0) return hits;
    const unit = SAID * highest(hits);
    return hits.map((hit) => {
      const phrases = said.get(hit.chunk);
      if (phrases === undefined) return hit;
      return rescored(hit, hit.score + unit * phrases.share, "phrase", phrases.text);
    });
  },
};
