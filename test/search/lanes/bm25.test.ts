/** The inverted index against the formula over a plain list of chunks, while chunks come and go by chance. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { DamagedArrays } from "../../../server/common/packed/packed-arrays.ts";
import { termScore } from "../../../server/common/ranking/bm25-formula.ts";
import { type Scored, TopK } from "../../../server/common/ranking/top-k.ts";
import { runToEnd } from "../../../server/common/slices.ts";
import { Bm25, type WordStatistics, weighTerms } from "../../../server/search/lanes/bm25.ts";
import { countTerms, type Field, lengthOf } from "../../../server/search/lanes/fields.ts";
import { termsOf } from "../../../server/search/query/stem.ts";
import { forAllRandom, type Random, random } from "../../support/random.ts";

const WORDS = "pool pools open opened opening get_user user cart carts tax a z query queries".split(
  " ",
);
const [K1, B] = [1.5, 0.75];
const EVERY = 10_000;

function fieldsBy(chance: Random): Field[] {
  const words = (most: number) =>
    Array.from({ length: chance.int(most + 1) }, () => chance.pick(WORDS));
  // Now and then a word that occurs more often than a posting can say.
  const text = chance.chance(0.05) ? Array.from({ length: 80 }, () => "tax") : words(12);
  return [
    { terms: text, weight: 1 },
    { terms: words(2), weight: 1 },
    { terms: words(2), weight: 0.5 },
  ];
}

type Chunks = ReadonlyMap<number, readonly Field[]>;

function statisticsOf(chunks: Chunks): WordStatistics {
  const lengths = [...chunks.values()].map(lengthOf);
  const counts = [...chunks.values()].map(countTerms);
  return {
    idfOf: (term) => {
      const frequency = counts.filter((own) => own.has(term)).length;
      return Math.log(1 + (chunks.size - frequency + 0.5) / (frequency + 0.5));
    },
    averageLength: () =>
      lengths.length === 0 ? 1 : lengths.reduce((sum, one) => sum + one, 0) / lengths.length,
  };
}

/** The share of the best attainable score, by slot. */
function expected(chunks: Chunks, words: readonly string[], known: WordStatistics) {
  const terms = termsOf(words);
  const weights = terms.map((term) => known.idfOf(term));
  const attainable = weights.reduce((sum, weight) => sum + weight, 0);
  const found = new Map<number, number>();
  for (const [slot, fields] of chunks) {
    const counts = countTerms(fields);
    const room = K1 * (1 - B + (B * lengthOf(fields)) / known.averageLength());
    let score = 0;
    terms.forEach((term, i) => {
      const occurrences = (counts.get(term) ?? 0) / 4;
      score += ((weights[i] ?? 0) * occurrences) / (room + occurrences);
    });
    if (score > 0) found.set(slot, score / attainable);
  }
  return found;
}

function searched(
  bm25: Bm25,
  words: readonly string[],
  isAllowed?: (slot: number) => boolean,
): Map<number, number> {
  const best = new TopK(EVERY, (a, b) => a - b);
  runToEnd(bm25.search(words, isAllowed, best));
  return new Map(best.best().map(({ item, score }) => [item, score]));
}

function check(found: ReadonlyMap<number, number>, wanted: ReadonlyMap<number, number>): void {
  expect([...found.keys()].toSorted((a, b) => a - b)).toEqual(
    [...wanted.keys()].toSorted((a, b) => a - b),
  );
  for (const [slot, score] of wanted)
    expect(Math.abs((found.get(slot) ?? NaN) - score)).toBeLessThan(1e-10);
}

it.each([1, 2, 3])("scores equal the formula as chunks come and go, seed %i", (seed) =>
  forAllRandom({ seed, numRuns: 1 }, (chance) => {
    let bm25 = new Bm25();
    let chunks = new Map<number, readonly Field[]>();
    // From the second seed on above the numbers of chunks and terms that there is room for at first.
    let next = seed === 1 ? 0 : 1_000 + chance.int(60);
    if (seed > 1) {
      const many = [{ terms: Array.from({ length: 1_100 }, (_, i) => `word${i}`), weight: 1 }];
      bm25.add(next, many);
      chunks.set(next++, many);
    }
    for (let step = 0; step < 40; step++) {
      const fields = fieldsBy(chance);
      bm25.add(next, fields);
      chunks.set(next, fields);
      next++;
      if (chance.chance(0.3)) {
        const gone = chance.pick([...chunks.keys()]);
        bm25.remove(gone);
        chunks.delete(gone);
      }
      if (chance.chance(0.1)) {
        const newSlots = new Int32Array(next).fill(-1);
        const kept = [...chunks].map(([slot, own], i) => {
          newSlots[slot] = i;
          return [i, own] as const;
        });
        bm25.compact(newSlots, kept.length, runToEnd(bm25.renumbered(newSlots)));
        chunks = new Map(kept);
        next = kept.length;
      }
      const known = statisticsOf(chunks);
      const words = Array.from({ length: 1 + chance.int(6) }, () =>
        chance.pick([...WORDS, "none"]),
      );
      check(searched(bm25, words), expected(chunks, words, known));
      expect(bm25.averageLength()).toBeCloseTo(known.averageLength(), 10);
      const [term = ""] = termsOf([chance.pick(WORDS)]);
      expect(bm25.idfOf(term)).toBeCloseTo(known.idfOf(term), 10);
      if (step % 20 === 19) {
        bm25 = runToEnd(Bm25.unpack(runToEnd(bm25.pack(next)), next));
        check(searched(bm25, words), expected(chunks, words, known));
      }
    }
    const odd = (slot: number) => slot % 2 === 1;
    const all = searched(bm25, WORDS);
    check(searched(bm25, WORDS, odd), new Map([...all].filter(([slot]) => odd(slot))));
  }),
);

it("finds the chunks that contain all terms", () =>
  forAllRandom({ seed: 1, numRuns: 4 }, (chance) => {
    const bm25 = new Bm25();
    const chunks = new Map<number, Set<string>>();
    // Enough postings for several steps.
    for (let slot = 0; slot < 6_000; slot++) {
      if (chance.chance(0.1)) continue;
      // Each word is rarer than the one before.
      const terms = WORDS.filter((_, i) => chance.chance(1 / (i + 1)));
      bm25.add(slot, [{ terms, weight: 1 }]);
      chunks.set(slot, new Set(terms));
    }
    for (const slot of chunks.keys()) {
      if (!chance.chance(0.2)) continue;
      bm25.remove(slot);
      chunks.delete(slot);
    }
    for (let round = 0; round < 50; round++) {
      const wanted = [
        ...new Set(Array.from({ length: 1 + chance.int(4) }, () => chance.pick(WORDS))),
      ];
      const isAllowed = chance.chance(0.5) ? (slot: number) => slot % 3 !== 0 : undefined;
      const limit = chance.chance(0.3) ? 20 : EVERY;
      const all = [...chunks]
        .filter(
          ([slot, own]) => isAllowed?.(slot) !== false && wanted.every((term) => own.has(term)),
        )
        .map(([slot]) => slot);
      expect(runToEnd(bm25.containing(wanted, isAllowed, limit))).toEqual(all.slice(0, limit));
    }
    expect(runToEnd(bm25.containing(["open", "absent"], undefined, EVERY))).toEqual([]);
    expect(runToEnd(bm25.containing([], undefined, EVERY))).toEqual([]);
  }));

it("finds chunks that contain terms also if chunks are added between two steps", () => {
  const bm25 = new Bm25();
  const both = [{ terms: ["open", "pool"], weight: 1 }];
  for (let slot = 0; slot < 50_000; slot++) bm25.add(slot, both);
  const steps = bm25.containing(["open", "pool"], undefined, 100_000);
  expect(steps.next().done).toBe(false);
  for (let slot = 50_000; slot < 60_000; slot++) bm25.add(slot, both);
  expect(runToEnd(steps).slice(0, 50_000)).toEqual(
    Array.from({ length: 50_000 }, (_, slot) => slot),
  );
});

it("has an average length before there is anything, and finds nothing then", () => {
  const bm25 = new Bm25();
  expect(bm25.averageLength()).toBe(1);
  expect(searched(bm25, ["pool"])).toEqual(new Map());
});

it("takes words to be as rare, and chunks as long, as in the background", () => {
  const chance = random(9);
  const chunks = new Map(Array.from({ length: 9 }, (_, slot) => [slot, fieldsBy(chance)]));
  const background: WordStatistics = { idfOf: (term) => term.length / 3, averageLength: () => 4 };
  const bm25 = new Bm25(background);
  for (const [slot, fields] of chunks) bm25.add(slot, fields);
  check(searched(bm25, ["pool", "tax"]), expected(chunks, ["pool", "tax"], background));
});

it("is not made from arrays that lack a term, or have a length that none can be", () => {
  const bm25 = new Bm25();
  bm25.add(0, [{ terms: ["pool"], weight: 1 }]);
  const arrays = runToEnd(bm25.pack(1));
  const empty = runToEnd(new Bm25().pack(1));
  const mixed = new Map(
    [...arrays].map(([name, one]) => [
      name,
      name.startsWith("terms") ? (empty.get(name) ?? one) : one,
    ]),
  );
  expect(() => runToEnd(Bm25.unpack(mixed, 1))).toThrow(DamagedArrays);
  const negative = new Map([...arrays, ["lengths", Int32Array.of(-1)] as const]);
  expect(() => runToEnd(Bm25.unpack(negative, 1))).toThrow(DamagedArrays);
});

/** The best of all chunks that have a term: every score is summed up in the order of the query, then all are sorted. */
function exhaustively(
  bm25: Bm25,
  chunks: Chunks,
  { words, related, isAllowed, limit }: Asked,
): Scored[] {
  const { weights, own } = weighTerms(words, related);
  const attainable = [...own].reduce((sum, [term, weight]) => sum + weight * bm25.idfOf(term), 0);
  const found: Scored[] = [];
  for (const [chunk, fields] of chunks) {
    const counts = countTerms(fields);
    let score = 0;
    for (const [term, weight] of weights) {
      const occurrences = (counts.get(term) ?? 0) / 4;
      if (occurrences === 0) continue;
      score += termScore(
        weight * bm25.idfOf(term),
        occurrences,
        lengthOf(fields),
        bm25.averageLength(),
      );
    }
    if (score > 0 && isAllowed?.(chunk) !== false)
      found.push({ item: chunk, score: Math.min(1, score / attainable) });
  }
  return found.toSorted((a, b) => b.score - a.score || b.item - a.item).slice(0, limit);
}

interface Asked {
  readonly words: readonly string[];
  readonly related: readonly string[];
  readonly isAllowed: ((slot: number) => boolean) | undefined;
  readonly limit: number;
}

const someWords = (most: number) => fc.array(fc.constantFrom(...WORDS), { maxLength: most });
const someChunks = fc.array(fc.record({ text: someWords(12), name: someWords(2) }), {
  maxLength: 80,
});
const asked: fc.Arbitrary<Asked> = fc.record({
  words: someWords(6),
  related: someWords(4),
  isAllowed: fc.option(
    fc.integer({ min: 1, max: 4 }).map((n) => (slot: number) => slot % n === 0),
    { nil: undefined },
  ),
  limit: fc.constantFrom(0, 1, 2, 5, 20, 500),
});

it("offers the best with the same numbers as if every chunk were scored and sorted", () => {
  const compare = (
    made: readonly { text: string[]; name: string[] }[],
    changes: readonly { readonly gone: number; readonly questions: readonly Asked[] }[],
  ) => {
    const bm25 = new Bm25();
    const chunks = new Map<number, readonly Field[]>();
    for (const [slot, { text, name }] of made.entries()) {
      const fields = [
        { terms: termsOf(text), weight: 1 },
        { terms: termsOf(name), weight: 0.5 },
      ];
      bm25.add(slot, fields);
      chunks.set(slot, fields);
    }
    for (const { gone, questions } of changes) {
      if (chunks.delete(gone)) bm25.remove(gone);
      for (const question of questions) {
        const best = new TopK(question.limit, (a, b) => b - a);
        runToEnd(bm25.search(question.words, question.isAllowed, best, question.related));
        expect(best.best()).toEqual(exhaustively(bm25, chunks, question));
      }
    }
  };
  const change = fc.record({ gone: fc.nat(80), questions: fc.array(asked, { maxLength: 3 }) });
  const changes = fc.array(change, { maxLength: 5 });
  fc.assert(fc.property(someChunks, changes, compare), { seed: 1, numRuns: 300 });
});
