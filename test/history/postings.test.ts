/** The inverted index of commits against the formula over a plain list, before and after its segments are merged. */

import { expect, it } from "vitest";
import { Coverage } from "../../server/history/coverage.ts";
import { Postings } from "../../server/history/postings.ts";
import { forAllRandom } from "../support/random.ts";

const TERMS = 40;
const [K1, B, EXPONENT] = [1.5, 0.75, 1.5];
/** Four segments of the first size, which become one, two more, and some that wait for one; more than there is room for at first. */
const COMMITS = 6 * 256 + 30;
const LOOKED_AT = [1, 7, 255, 256, 300, 1_023, 1_024, 1_025, COMMITS];

interface Entry {
  readonly commit: number;
  readonly terms: ReadonlyMap<number, number>;
  readonly length: number;
}

it("scores equal the formula over a plain list, as commits are added", () =>
  forAllRandom({ seed: 1, numRuns: 1 }, (chance) => {
    const postings = new Postings();
    const entries: Entry[] = [];
    const check = (term: number) => {
      const own = entries.filter(({ terms }) => terms.has(term));
      const rarity = Math.log(1 + (entries.length - own.length + 0.5) / (own.length + 0.5));
      const weight = rarity ** EXPONENT;
      const total = entries.reduce((sum, { length }) => sum + length, 0);
      const average = total / entries.length || 1;
      const size = (entries.at(-1)?.commit ?? 0) + 1;
      const [scores, covered] = [new Float32Array(size).fill(1), new Coverage(size)];
      covered.begin(2);
      const found = postings.find(term);
      expect(found.weight).toBeCloseTo(weight, 10);
      expect(found.lists.reduce((sum, list) => sum + list.length, 0)).toBe(own.length);
      postings.score(found, scores, [covered], 1.2);
      const [wanted, shares] = [new Float32Array(size).fill(1), new Float32Array(size)];
      for (const { commit, terms, length } of own) {
        const occurrences = (terms.get(term) ?? 0) / 4;
        const room = K1 * (1 - B + (B * Math.max(1, Math.min(65_535, length))) / average);
        const share = occurrences / (room + occurrences);
        wanted[commit] = 1 + weight * share;
        shares[commit] = Math.min(1, share * 1.2);
      }
      expect(scores).toEqual(wanted);
      expect(Array.from(shares.keys(), (commit) => Math.fround(covered.of(commit)))).toEqual([
        ...shares,
      ]);
    };
    let commit = 0;
    while (entries.length < COMMITS) {
      const terms = new Map(
        Array.from(
          { length: chance.int(6) },
          () => [chance.int(TERMS), 1 + chance.int(255)] as const,
        ),
      );
      const length = chance.chance(0.01) ? 70_000 : chance.int(50);
      const sorted = [...terms].toSorted(([a], [b]) => a - b);
      postings.add(commit, {
        terms: Int32Array.from(sorted, ([term]) => term),
        counts: Uint8Array.from(sorted, ([, count]) => count),
        length,
      });
      entries.push({ commit, terms, length });
      if (LOOKED_AT.includes(entries.length))
        for (let term = 0; term <= TERMS; term += 8) check(term);
      // A number is left out where a commit could not be read.
      commit += chance.chance(0.02) ? 2 : 1;
    }
    const listed = entries.reduce((sum, { terms }) => sum + terms.size, 0);
    expect(postings.bytes).toBeGreaterThan(4 * listed * 0.95);
    // Three segments have their terms and the beginnings of their lists, the postings, and the lengths with as much room again.
    expect(postings.bytes).toBeLessThan(3 * TERMS * 8 + 12 + 4 * listed + 2 * 2 * COMMITS + 4_096);
  }));

it("a term without commits, and a commit without words, have finite scores", () => {
  const postings = new Postings();
  const scores = new Float32Array(1);
  postings.score(postings.find(1), scores, [], 1);
  expect(scores[0]).toBe(0);
  postings.add(0, { terms: new Int32Array([1]), counts: new Uint8Array([8]), length: 0 });
  postings.score(postings.find(1), scores, [], 1);
  const weight = Math.log(1 + 0.5 / 1.5) ** EXPONENT;
  expect(scores[0]).toBeCloseTo((weight * 2) / (K1 * (1 - B + B) + 2), 5);
});
