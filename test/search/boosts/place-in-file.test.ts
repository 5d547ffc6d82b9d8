/** The order of the chunks within each file for a question. */

import { describe, expect, it } from "vitest";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { placeInFile } from "../../../server/search/boosts/place-in-file.ts";
import { parseQuery } from "../../../server/search/query/query.ts";
import { termsOf } from "../../../server/search/query/stem.ts";
import { type Ranked, sortByScore } from "../../../server/search/ranking.ts";
import { chunkOf, factsOf, rankedOf } from "../support.ts";

const QUESTION = "where are idle sessions removed after some time";

/** With falling scores and cosines. */
const hitsOf = (chunks: readonly StoredChunk[]) =>
  rankedOf(factsOf(...chunks), (chunk) => 1 - chunk / 100).map((hit) => ({
    ...hit,
    evidence: { vector: 0.5 - hit.chunk / 100 },
  }));

function apply(text: string, chunks: readonly StoredChunk[]): readonly Ranked[] {
  const hits = hitsOf(chunks);
  const query = parseQuery(text, () => undefined);
  const ordered = placeInFile.apply(hits, {
    query,
    filter: undefined,
    filesMatchingIdentifier: new Map(),
    filesMatchingPath: new Map(),
    fileWords: new Map(),
    wordRarities: new Map(termsOf(query.words).map((word) => [word, 1])),
    relatedRarities: new Map([["reap", 1]]),
  });
  return sortByScore(ordered);
}

const startsOf = (hits: readonly Ranked[]) => hits.map(({ facts }) => facts.span.start);

const HEAD_AND_FUNCTION = [
  chunkOf("broker.ts", "", "Broker:class", { start: 0 }),
  chunkOf("broker.ts", "", "Broker.dropIdle:method", { start: 40 }),
];

describe("place-in-file", () => {
  it("puts the function before the head of its class", () => {
    expect(startsOf(apply(QUESTION, HEAD_AND_FUNCTION))).toEqual([40, 0]);
  });

  it("puts the function first that is named with words of the question or of the thesaurus", () => {
    const named = (name: string) =>
      startsOf(
        apply(QUESTION, [
          chunkOf("broker.ts", "", "connect:function", { start: 40 }),
          chunkOf("broker.ts", "", `${name}:function`, { start: 80 }),
        ]),
      );
    expect(named("removeSessions")).toEqual([80, 40]);
    expect(named("reapThem")).toEqual([80, 40]);
    expect(named("send")).toEqual([40, 80]);
  });

  it("leaves each file the scores that it had", () => {
    const chunks = [
      ...HEAD_AND_FUNCTION,
      chunkOf("other.ts", "", "open:function", { start: 40 }),
      chunkOf("broker.ts", "", "Broker.idleSessions:method", { start: 80 }),
    ];
    const scoresOf = (hits: readonly Ranked[]) =>
      hits.map(({ facts, score }) => `${facts.path} ${score}`).toSorted();
    const before = hitsOf(chunks);
    const after = apply(QUESTION, chunks);
    expect(scoresOf(after)).toEqual(scoresOf(before));
    expect(after.map(({ facts }) => facts.path)).toEqual(before.map(({ facts }) => facts.path));
  });

  it("keeps the evidence and ranks of the chunk that had the score before", () => {
    const [first] = apply(QUESTION, HEAD_AND_FUNCTION);
    expect(first?.facts.span.start).toBe(40);
    expect(first?.evidence).toEqual({ vector: 0.49 });
    expect(first?.standsFor).toEqual({ evidence: { vector: 0.5 }, ranks: {} });
  });

  it("says which place of the file a chunk was given", () => {
    const [first] = apply(QUESTION, HEAD_AND_FUNCTION);
    expect(first?.reasons.at(-1)).toMatchObject({
      name: "place-in-file",
      detail: "place 1 of 2 in the file",
    });
  });

  it.each([
    ["a name", "Broker"],
    ["a question with a name", "where does dropIdle remove sessions"],
    ["a question with a file", "where does src/broker.ts remove sessions"],
    ["a question with a quoted text", 'where is "idle sessions" printed'],
  ])("changes nothing for %s", (_, text) => {
    expect(startsOf(apply(text, HEAD_AND_FUNCTION))).toEqual([0, 40]);
  });
});
