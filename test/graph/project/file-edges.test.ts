/** Random changes of file edges, compared with a plain table of occurrences. */

import { expect, it } from "vitest";
import {
  type EdgeOccurrence,
  FileEdges,
  surest,
} from "../../../server/graph/project/file-edges.ts";
import { forAllRandom, type Random } from "../../support/random.ts";

const FILES = 14;
const TYPES = ["import", "call", "reference"] as const;

function occurrencesBy(chance: Random): EdgeOccurrence[] {
  return Array.from({ length: chance.int(9) }, () => ({
    to: chance.int(FILES),
    type: chance.pick(TYPES),
    line: chance.int(100),
    ...(chance.chance(0.1) ? { isRenamed: true } : {}),
    ...(chance.chance(0.7) ? { confidence: chance.int(101) / 100 } : {}),
  }));
}

function expected(occurrences: readonly EdgeOccurrence[], file: number) {
  const own = occurrences.filter(({ to }) => to === file);
  const sure = own.flatMap(({ confidence }) => confidence ?? []);
  return {
    weight: own.length,
    types: new Set(own.map(({ type }) => type)),
    line: Math.min(...own.map(({ line }) => line)),
    isRenamed: own.some(({ isRenamed }) => isRenamed === true),
    confidence: sure.length === 0 ? undefined : Math.max(...sure),
  };
}

it("Edges equal a plain table after random changes", () =>
  forAllRandom({ seed: 1, numRuns: 6 }, (chance) => {
    // The order of dependents differs from the order of their numbers.
    const edges = new FileEdges((a, b) => b - a);
    const named = new Map<number, readonly EdgeOccurrence[]>();
    for (let step = 0; step < 50; step++) {
      const changed = chance.int(FILES);
      const occurrences = chance.chance(0.2) ? [] : occurrencesBy(chance);
      named.set(changed, occurrences);
      edges.replace(changed, occurrences);
      if (chance.chance(0.1)) edges.trim();
      for (let file = 0; file < FILES; file++) {
        const own = named.get(file) ?? [];
        const targets = [...new Set(own.map(({ to }) => to))].filter((to) => to !== file);
        expect([...edges.from(file)]).toEqual(
          targets.map((to) => [to, { file: to, ...expected(own, to) }]),
        );
        const sources = [...named.keys()]
          .filter((one) => one !== file && named.get(one)?.some(({ to }) => to === file) === true)
          .toSorted((a, b) => b - a);
        expect([...edges.to(file)]).toEqual(
          sources.map((one) => [one, { file: one, ...expected(named.get(one) ?? [], file) }]),
        );
      }
    }
    expect(edges.compare(1, 2)).toBe(1);
  }));

it("`surest` returns the higher confidence", () => {
  expect(surest(undefined, undefined)).toBeUndefined();
  expect([surest(0, undefined), surest(undefined, 0), surest(0.2, 0.1)]).toEqual([0, 0, 0.2]);
});
