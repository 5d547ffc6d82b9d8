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

const column = (name: PlaceFeature): Column => {
  const at = PLACE_FEATURES.indexOf(name);
  return (place) => place[at] ?? 0;
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
  valueOf: Column,
): readonly number[] {
  const best = bestOf(places, valueOf);
  const [first = 0, second = 0] = falling(places, shareOf);
  const cosines = falling(places, cosineOf).slice(0, MEAN_OF);
  const features = BEST_COLUMNS.map((of) => of(best));
  features.push(
    cosines.reduce((sum, cosine) => sum + cosine, 0) / MEAN_OF,
    highest(places, vectorRankOf),
    highest(places, keywordRankOf),
    Math.log(1 + places.filter((place) => vectorRankOf(place) > 0).length),
    Math.log(1 + places.filter((place) => keywordRankOf(place) > 0).length),
    first === 0 ? 0 : second / first,
    wordsInFile,
  );
  return features;
}

type Column = (place: readonly number[]) => number;

function bestOf(places: readonly (readonly number[])[], valueOf: Column): readonly number[] {
  let best = places[0] ?? [];
  let value = valueOf(best);
  for (let i = 1; i < places.length; i++) {
    const place = places[i] as readonly number[];
    const own = valueOf(place);
    if (own > value) [best, value] = [place, own];
  }
  return best;
}

function highest(places: readonly (readonly number[])[], of: Column): number {
  return places.reduce((most, place) => Math.max(most, of(place)), 0);
}

function falling(places: readonly (readonly number[])[], of: Column): readonly number[] {
  const values = places.map(of);
  return values.length < 2 ? values : values.toSorted((a, b) => b - a);
}

/** The logarithm of the file's score, as a share of the best of the list. */
export function logShareOf(places: readonly (readonly number[])[]): number {
  return Math.log(Math.max(Number.EPSILON, ...places.map(shareOf)));
}
