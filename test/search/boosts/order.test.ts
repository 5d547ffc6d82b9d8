/** Boosts are given an unsorted list, unless they say that they read its order. */

import { expect, it } from "vitest";
import { BOOSTS } from "../../../server/search/boosts/boosts.ts";
import { parseQuery } from "../../../server/search/query/query.ts";
import type { Question, Ranked } from "../../../server/search/ranking.ts";
import { forAllRandom, type Random } from "../../support/random.ts";
import { chunkOf, factsOf, rankedOf } from "../support.ts";

const PATHS = ["src/reader.rs", "src/v1/reader.rs", "src/v2/reader.rs", "test/reader.rs"];
const NAMES = ["JsonReader", "tests::test_skip", "skip_value", "tests"];

const question: Question = {
  query: parseQuery("how does the json reader call skip_value", () => undefined),
  filter: undefined,
  filesMatchingIdentifier: new Map(),
  filesMatchingPath: new Map(),
  fileWords: new Map([["src/reader.rs", 0.5]]),
  wordRarities: new Map([["reader", 1]]),
  relatedRarities: new Map(),
};

function hitsBy(chance: Random): Ranked[] {
  const chunks = Array.from({ length: 40 }, (_, start) =>
    chunkOf(chance.pick(PATHS), "text", chance.pick(NAMES), { start }),
  );
  return rankedOf(factsOf(...chunks), () => chance.int(1_000_000) / 999_983).toSorted(
    (a, b) => b.score - a.score,
  );
}

const scoresOf = (hits: readonly Ranked[]) =>
  new Map(hits.map(({ chunk, score }) => [chunk, score]));

const shuffled = (hits: readonly Ranked[], chance: Random) =>
  hits
    .map((hit) => ({ hit: { ...hit, reasons: [] }, at: chance.int(1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ hit }) => hit);

it.each(BOOSTS.filter(({ readsOrder }) => readsOrder !== true))(
  "$name gives the same scores for any order of the hits",
  ({ apply }) =>
    forAllRandom({ seed: 7, numRuns: 50 }, (chance) => {
      const hits = hitsBy(chance);
      const other = shuffled(hits, chance);
      expect(scoresOf(apply(other, question))).toEqual(scoresOf(apply(hits, question)));
    }),
);
