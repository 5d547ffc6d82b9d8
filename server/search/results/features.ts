/** The names of what the score is computed from. */

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

/** By name, so that an analysis can show them and a calibration can be fitted on them. */
export type Features = Readonly<Record<FeatureName, number>>;
export type FeatureName = (typeof FEATURE_NAMES)[number];

/** The order is that of the coefficients in score-model.ts. */
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
