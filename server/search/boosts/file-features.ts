/** Computes the features of files that the boost `file-order` compares, from the features of their places. */

import { PLACE_FEATURES, type PlaceFeature } from "./place-features.ts";

/** The best place represents its file; its score is the score of the file, which the weights only change. */
const OF_BEST_PLACE = PLACE_FEATURES.filter((name) => name !== "share");

/** The weights are in file-weights.ts. */
export const FILE_FEATURES = [
  ...OF_BEST_PLACE,
  /** The sum of the three best cosines over three. */
  "meanCosine",
  /** 1 / (rank + 5), by the best rank of any place of the file in the lane. */
  "bestVectorRank",
  "bestKeywordRank",
  /** log(1 + count) of the places that the lane found. */
  "byVector",
  "byKeyword",
  /** The second score as a share of the first. */
  "second",
  /** The share of the question's words that the file contains, by rarity. */
  "wordsInFile",
] as const;
export type FileFeature = (typeof FILE_FEATURES)[number];

const MEAN_OF = 3;

const column = (name: PlaceFeature) => {
  const at = PLACE_FEATURES.indexOf(name);
  return (place: readonly number[]) => place[at] ?? 0;
};
const shareOf = column("share");
const cosineOf = column("cosine");
const vectorRankOf = column("vectorRank");
const keywordRankOf = column("keywordRank");
const BEST_COLUMNS = OF_BEST_PLACE.map(column);

/** Takes the features of the file's places; `valueOf` chooses the best. In the order of FILE_FEATURES. */
export function fileFeaturesOf(
  places: readonly (readonly number[])[],
  wordsInFile: number,
  valueOf: (place: readonly number[]) => number,
): readonly number[] {
  const best = places.reduce((a, b) => (valueOf(b) > valueOf(a) ? b : a), places[0] ?? []);
  const falling = (of: (place: readonly number[]) => number) =>
    places.map(of).toSorted((a, b) => b - a);
  const [vectorRanks, keywordRanks] = [falling(vectorRankOf), falling(keywordRankOf)];
  const [first = 0, second = 0] = falling(shareOf);
  const cosines = falling(cosineOf).slice(0, MEAN_OF);
  const found = (ranks: readonly number[]) => Math.log(1 + ranks.filter((rank) => rank > 0).length);
  return [
    ...BEST_COLUMNS.map((of) => of(best)),
    cosines.reduce((sum, cosine) => sum + cosine, 0) / MEAN_OF,
    vectorRanks[0] ?? 0,
    keywordRanks[0] ?? 0,
    found(vectorRanks),
    found(keywordRanks),
    first === 0 ? 0 : second / first,
    wordsInFile,
  ];
}

/** The logarithm of the file's score, as a share of the best of the list. */
export function logShareOf(places: readonly (readonly number[])[]): number {
  return Math.log(Math.max(Number.EPSILON, ...places.map(shareOf)));
}
