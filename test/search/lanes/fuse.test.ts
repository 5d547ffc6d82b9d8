/** Fusion: what several lanes agree on comes first. */

import { describe, expect, it } from "vitest";
import type { LaneName } from "../../../server/contracts/model.ts";
import { fuse, matchTypeOf, withLaneDetails } from "../../../server/search/lanes/fuse.ts";
import { chunkOf, factsOf } from "../support.ts";

const facts = factsOf(...Array.from("0123456789", (name) => chunkOf(name, "")));

const fuseLanes = (answers: Partial<Record<LaneName, string>>) =>
  fuse(
    Object.entries(answers).map(([lane, ids]) => ({
      lane: lane as LaneName,
      candidates: Array.from(ids, (id) => ({ chunk: Number(id), score: 0.5 })),
    })),
    "word",
    facts,
  );

/** Each lane is a string of one-digit chunks, best first. */
function check(answers: Partial<Record<LaneName, string>>, expected: string): void {
  expect(
    fuseLanes(answers)
      .map(({ chunk }) => chunk)
      .join(""),
  ).toBe(expected);
}

it("keeps the order of a single lane", () => check({ vector: "312" }, "312"));
it("prefers chunks that two lanes found", () => check({ vector: "123", keyword: "42" }, "2143"));
it("breaks ties by path, so that a ranking never flickers", () =>
  check({ vector: "2", keyword: "1" }, "12"));
it("takes the least likely candidate of the vector lane for unlike: a cosine has no zero of its own", () => {
  const cosines = [0.9, 0.89, 0.1].map((score, chunk) => ({ chunk, score }));
  const [first, second, last] = fuse([{ lane: "vector", candidates: cosines }], "word", facts);
  // Half by rank, half by the share of the way from the last to the first.
  expect(last?.score).toBeCloseTo((0.5 * 0.5) / 63, 6);
  expect(second?.score).toBeCloseTo(0.25 / 62 + (0.25 * 0.79) / 0.8 / 61, 6);
  expect(first?.score).toBeCloseTo(0.5 / 61, 6);
});
it("ranks a list by `order`, and records the scores", () => {
  const candidates = [0.1, 0.9].map((score, chunk) => ({ chunk, score, order: 1 - chunk }));
  const [first, second] = fuse([{ lane: "vector", candidates }], "word", facts);
  expect([first?.chunk, first?.evidence["vector"]]).toEqual([0, 0.1]);
  expect(first?.score).toBeCloseTo(0.5 / 61, 6);
  expect(second?.score).toBeCloseTo(0.25 / 62, 6);
});
it("has nothing from nothing", () => check({}, ""));
it("skips chunks that were removed after the lanes answered", () => {
  const shrunk = factsOf(chunkOf("a", ""), chunkOf("b", ""));
  shrunk.delete(0);
  const candidates = [0, 1].map((chunk) => ({ chunk, score: 1 }));
  expect(fuse([{ lane: "keyword", candidates }], "sentence", shrunk)).toHaveLength(1);
});

it("records the lanes and ranks of a hit", () => {
  const [first] = fuseLanes({ vector: "12", keyword: "1" });
  const detailed = first === undefined ? undefined : withLaneDetails(first);
  expect(detailed?.reasons.map(({ name, detail }) => `${name} ${detail}`)).toEqual([
    "vector rank 1, 0.500",
    "keyword rank 1, 0.500",
  ]);
  expect(first?.ranks).toEqual({ vector: 1, keyword: 1 });
});

describe("match type", () => {
  it.each([
    [{ vector: 1 }, "semantic"],
    [{ keyword: 1 }, "keyword"],
    [{ symbol: 1 }, "keyword"],
    [{ vector: 1, symbol: 1 }, "both"],
    [{ vector: 1, keyword: 1 }, "both"],
  ])("of %j is %s", (evidence, expected) => expect(matchTypeOf(evidence)).toBe(expected));
});
