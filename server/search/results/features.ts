/** The names of the features of the score model. */

/** Features of the list, equal for all of its hits. */
export const LIST_FEATURES = [
  "bestVector",
  "bestKeyword",
  "bestSymbol",
  "firstAgrees",
  "agreement",
  "logTerms",
  "isName",
  "isWord",
  "isError",
] as const;
export type ListFeature = (typeof LIST_FEATURES)[number];

/** Features by name, for display by `analyze` and for calibration. */
export type Features = Readonly<Record<FeatureName, number>>;
export type FeatureName = (typeof FEATURE_NAMES)[number];

/** In the order of the coefficients in score-model.ts. */
export const FEATURE_NAMES = [
  "logRank",
  "share",
  "margin",
  "leads",
  "vector",
  "vectorRank",
  "keyword",
  "keywordRank",
  "symbol",
  "lanes",
  "definition",
  "phrase",
  "path",
  "fileHits",
  ...LIST_FEATURES,
] as const;
