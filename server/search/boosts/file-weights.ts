/** The weights of the boost `file-order`, written by `npm run fit-places`. */

import type { FileFeature } from "./file-features.ts";

export const FILE_WEIGHTS = {
  vectorRank: 0.97,
  keywordRank: 0.39,
  cosine: 0.5,
  keyword: 0.038,
  hasFunction: 0.58,
  hasType: -0.14,
  hasVariable: 0.058,
  hasNone: 0.27,
  isFirst: 0.059,
  definitions: -0.14,
  wordsInNames: 0.091,
  wordsInScopes: 0.51,
  relatedInNames: 0.82,
  lines: 0.25,
  meanCosine: 0.45,
  bestVectorRank: 2.5,
  bestKeywordRank: 3,
  byVector: 0.00084,
  byKeyword: -0.019,
  second: 0.13,
  wordsInFile: 0.67,
} as const satisfies Record<FileFeature, number>;
