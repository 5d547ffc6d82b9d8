/** The weights of the boost `place-in-file`, written by `npm run fit-places`. */

import type { PlaceFeature } from "./place-features.ts";

export const PLACE_WEIGHTS = {
  share: 0.77,
  vectorRank: 9.4,
  keywordRank: 4.9,
  cosine: 2.3,
  keyword: 0.82,
  hasFunction: 1.7,
  hasType: -0.75,
  hasVariable: -0.68,
  hasNone: 0.77,
  isFirst: -0.76,
  definitions: -0.5,
  wordsInNames: 1.5,
  wordsInScopes: 3,
  relatedInNames: 2,
  lines: 1.2,
} as const satisfies Record<PlaceFeature, number>;
