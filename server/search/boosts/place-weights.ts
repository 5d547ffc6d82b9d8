/** The weights of the boost `place-in-file`, written by `npm run fit-places`. */

import type { PlaceFeature } from "./place-features.ts";

export const PLACE_WEIGHTS = {
  share: 1.8,
  vectorRank: 15,
  keywordRank: 5.4,
  cosine: 2.3,
  keyword: 0.37,
  hasFunction: 1.8,
  hasType: -0.77,
  hasVariable: -0.47,
  hasNone: 0.63,
  isFirst: -0.42,
  definitions: -0.36,
  wordsInNames: 2.1,
  wordsInScopes: 3.2,
  relatedInNames: 2.4,
  lines: 0.85,
} as const satisfies Record<PlaceFeature, number>;
