/** The boost for files that contain the words of a question in several chunks. */

import { describe, expect, it } from "vitest";
import type { ChunkFacts, Filter } from "../../../server/contracts/lanes.ts";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { fileWords, readFileWords } from "../../../server/search/boosts/file-words.ts";
import { parseQuery } from "../../../server/search/query/query.ts";
import { sortByScore } from "../../../server/search/ranking.ts";
import { chunkOf, lanesOf, rankedOf } from "../support.ts";

const QUESTION = "where are expired sessions of idle clients removed from the broker registry";

/** One file with every word in three chunks; one chunk that has most of them; further files. */
const CHUNKS = [
  chunkOf("src/reaper.ts", "expired sessions", "", { start: 0 }),
  chunkOf("src/reaper.ts", "idle clients removed", "", { start: 10 }),
  chunkOf("src/reaper.ts", "broker registry", "", { start: 20 }),
  chunkOf("src/other.ts", "sessions idle clients removed"),
  chunkOf("src/third.ts", "nothing in common"),
];

async function boosted(text: string, chunks: readonly StoredChunk[], filter?: Filter) {
  const lanes = lanesOf(...chunks);
  const query = parseQuery(text, () => undefined);
  const ids = await lanes.chunksOf([...new Set(chunks.map(({ path }) => path))]);
  const scoreOf = (_: number, { path }: ChunkFacts) => (path === "src/other.ts" ? 1.05 : 1);
  const hits = rankedOf(await lanes.facts(ids), scoreOf);
  const shares = await readFileWords(hits, query, filter, lanes, async () => {});
  const after = fileWords.apply(hits, {
    query,
    filter,
    filesMatchingIdentifier: new Map(),
    filesMatchingPath: new Map(),
    fileWords: shares,
    wordRarities: new Map(),
    relatedRarities: new Map(),
  });
  return { shares, hits: sortByScore(after) };
}

describe("file-words", () => {
  it("puts a file with all words in several chunks above a chunk with most of them", async () => {
    const { shares, hits } = await boosted(QUESTION, CHUNKS);
    expect(hits[0]?.facts.path).toBe("src/reaper.ts");
    expect(shares.get("src/reaper.ts")).toBeCloseTo(1);
    expect(shares.get("src/other.ts")).toBeLessThan(0.7);
    expect(hits[0]?.reasons).toEqual([
      expect.objectContaining({ name: "file-words", detail: "100 % of the words" }),
    ]);
  });

  it("reads no file without a word of the question", async () => {
    const { shares } = await boosted(QUESTION, CHUNKS);
    expect(shares.has("src/third.ts")).toBe(false);
  });

  it.each(["idle clients", "SessionReaper", "src/reaper.ts", 'Error: cannot open "a"'])(
    "changes nothing for %s, which is a name, a path, a message or two words",
    async (text) => {
      const { shares, hits } = await boosted(text, CHUNKS);
      expect(shares.size).toBe(0);
      expect(hits[0]?.facts.path).toBe("src/other.ts");
    },
  );

  it("gains less for a shorter question", async () => {
    const gainOf = async (text: string) =>
      (await boosted(text, CHUNKS)).hits.find(({ facts }) => facts.path === "src/reaper.ts")
        ?.reasons[0]?.contribution ?? 0;
    expect(await gainOf("expired sessions of idle clients")).toBeLessThan(await gainOf(QUESTION));
  });
});
