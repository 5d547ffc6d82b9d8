/** The weights of the boost `place-in-file`, written by `npm run fit-places`. */

import type { PlaceFeature } from "./place-features.ts";

export const PLACE_WEIGHTS = {
  share: 0.47,
  vectorRank: 13,
  keywordRank: 6.1,
  cosine: 3.6,
  keyword: 1.1,
  hasFunction: 1.9,
  hasType: -0.84,
  hasVariable: -0.61,
  hasNone: 0.63,
  isFirst: -0.49,
  definitions: -0.49,
  wordsInNames: 2.1,
  wordsInScopes: 3.4,
  relatedInNames: 2.5,
  lines: 0.92,
} as const satisfies Record<PlaceFeature, number>;
