/** The evidence of a hit, as numbers. */

import { expect, it } from "vitest";
import type { ChunkFacts } from "../../../server/contracts/lanes.ts";
import { resolveLanguage } from "../../../server/languages/table.ts";
import { parseQuery } from "../../../server/search/query/query.ts";
import { newHit, type Ranked } from "../../../server/search/ranking.ts";
import { featureReader, toFeatures } from "../../../server/search/results/evidence.ts";
import { FEATURE_NAMES } from "../../../server/search/results/features.ts";

const query = parseQuery("retry a failed upload", resolveLanguage);

function hit(path: string, score: number, changes: Partial<Ranked> = {}): Ranked {
  const lines = { start: 0, end: 1 };
  const facts: ChunkFacts = {
    path,
    languageId: "python",
    category: "implementation",
    symbols: [],
    span: { start: 0, end: 9 },
    lines,
    context: lines,
  };
  return { ...newHit(0, facts, {}), score, ...changes };
}

const HITS = [
  hit("a.py", 2, {
    evidence: { vector: 0.5, keyword: 0.25 },
    ranks: { vector: 2, keyword: 4 },
    reasons: [{ name: "path-words", contribution: 1 }],
  }),
  hit("a.py", 1.5, { evidence: { symbol: 0.75 }, reasons: [{ name: "literal", contribution: 1 }] }),
  hit("b.py", 1, { reasons: [{ name: "definition", contribution: -1 }] }),
];

const read = featureReader(HITS, query);

it("gives each feature its name", () => {
  const [first, second, third] = HITS.map((_, at) => toFeatures(read(at)));
  expect(first).toMatchObject({
    logRank: 0,
    share: 1,
    margin: 0.25,
    leads: 1,
    vector: 0.5,
    vectorRank: 0.5,
    keyword: 0.25,
    keywordRank: 0.25,
    symbol: 0,
    lanes: 2,
    definition: 0,
    phrase: 0,
    path: 1,
    fileHits: 2,
    bestVector: 0.5,
    bestKeyword: 0.25,
    bestSymbol: 0.75,
    firstAgrees: 1,
    agreement: 0.1,
    isName: 0,
    isWord: 0,
    isError: 0,
  });
  expect(second).toMatchObject({
    share: 0.75,
    leads: 0,
    vector: 0,
    vectorRank: 0,
    keyword: 0,
    keywordRank: 0,
    symbol: 0.75,
    lanes: 1,
    phrase: 1,
    path: 0,
  });
  expect(third).toMatchObject({ vector: 0, keyword: 0, symbol: 0 });
  expect(third).toMatchObject({ share: 0.5, margin: 0.5, lanes: 0, definition: 0, fileHits: 1 });
});

it("gives the numbers of a hit in the order of the names", () => {
  for (const at of HITS.keys()) {
    const features = toFeatures(read(at));
    expect([...read(at)]).toEqual(FEATURE_NAMES.map((name) => features[name]));
  }
});
