/** The further places of a hit's file. */

import { describe, expect, it } from "vitest";
import type { Ranked, RankedHit } from "../../../server/search/ranking.ts";
import { chunksBehind, withoutListed } from "../../../server/search/results/further-places.ts";
import { chunkOf, lanesOf } from "../support.ts";

/** The chunks in this order, each as `path start`, with a function, or as `path start name:type`, or `path start -`. */
async function ranked(...texts: readonly string[]): Promise<Ranked[]> {
  const chunks = texts.map((text) => {
    const [path = "", start = "0", none] = text.split(" ");
    const symbols = none === undefined ? `at${start}:function` : none.replace("-", "");
    return chunkOf(path, text, symbols, { start: Number(start) });
  });
  const lanes = lanesOf(...chunks);
  const facts = await lanes.facts(chunks.map((_, i) => i));
  return [...facts].map(
    ([chunk, each]): Ranked => ({
      chunk,
      facts: each,
      score: 1 / (1 + chunk),
      evidence: {},
      ranks: {},
      reasons: [],
    }),
  );
}

async function listed(limit: number, ...texts: readonly string[]): Promise<RankedHit[]> {
  const hits = await ranked(...texts);
  const behind = chunksBehind(hits);
  return withoutListed(
    hits.slice(0, limit).map((hit) => ({
      ...hit,
      index: "i",
      root: "/r",
      share: 1,
      probability: 1,
      isChance: false,
      symbols: [],
      otherSymbols: [],
      places: behind.get(hit.chunk) ?? [],
    })),
  );
}

const startsOf = (hits: readonly RankedHit[]) =>
  hits.map(({ places }) => places.map(({ span }) => span.start));

describe("further places", () => {
  it("are the chunks of the file that rank behind the hit, best first, and belong to its first hit", async () => {
    const hits = await listed(2, "a.ts 50", "b.ts 0", "a.ts 90", "a.ts 10");
    expect(startsOf(hits)).toEqual([[90, 10], []]);
  });

  it("exclude the hits of the list", async () => {
    const hits = await listed(3, "a.ts 50", "b.ts 0", "a.ts 90", "a.ts 10", "b.ts 7");
    expect(startsOf(hits)).toEqual([[10], [7], []]);
  });

  it("exclude chunks without a scope and a definition, such as the head of a file", async () => {
    const heads = ["a.ts 0 -", "a.ts 5 logger:variable"];
    expect(startsOf(await listed(1, "a.ts 50", ...heads, "a.ts 90"))).toEqual([[90]]);
  });

  it("are three of a file at most, also behind many hits of the same file", async () => {
    const texts = Array.from({ length: 40 }, (_, i) => `a.ts ${i * 10}`);
    expect(startsOf(await listed(1, ...texts))).toEqual([[10, 20, 30]]);
    const [first = []] = startsOf(await listed(6, ...texts));
    expect(first).toEqual([60, 70, 80]);
  });
});
