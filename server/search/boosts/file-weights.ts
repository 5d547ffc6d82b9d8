/** The weights of the boost `file-order`, written by `npm run fit-places`. */

import type { FileFeature } from "./file-features.ts";

export const FILE_WEIGHTS = {
  vectorRank: 2.1,
  keywordRank: 0.3,
  cosine: 0.25,
  keyword: 0.19,
  hasFunction: 0.6,
  hasType: -0.1,
  hasVariable: -0.043,
  hasNone: 0.12,
  isFirst: -0.062,
  definitions: -0.23,
  wordsInNames: 0.27,
  wordsInScopes: 0.41,
  relatedInNames: 1.3,
  lines: 0.31,
  meanCosine: 1.4,
  bestVectorRank: 2.7,
  bestKeywordRank: 2.6,
  byVector: -0.034,
  byKeyword: -0.0081,
  second: -0.089,
  wordsInFile: 0.63,
} as const satisfies Record<FileFeature, number>;
