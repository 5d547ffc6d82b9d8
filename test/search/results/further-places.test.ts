/** The further places of a hit's file. */

import { describe, expect, it } from "vitest";
import type { ChunkFacts } from "../../../server/contracts/lanes.ts";
import type { Ranked, RankedHit } from "../../../server/search/ranking.ts";
import {
  chunksBehind,
  toFurtherPlaces,
  withoutListed,
} from "../../../server/search/results/further-places.ts";
import { chunkOf, lanesOf, rankedOf } from "../support.ts";

/** The chunks in this order, each as `path start`, with a function, or as `path start name:type`, or `path start - scope`. */
async function ranked(...texts: readonly string[]): Promise<Ranked[]> {
  const chunks = texts.map((text) => {
    const [path = "", start = "0", defined = `at${start}:function`, hierarchy] = text.split(" ");
    const scope = hierarchy === undefined ? {} : { hierarchy };
    return chunkOf(path, text, defined.replace("-", ""), { start: Number(start), ...scope });
  });
  const lanes = lanesOf(...chunks);
  const facts = await lanes.facts(chunks.map((_, i) => i));
  return rankedOf(facts, (chunk) => 1 / (1 + chunk));
}

async function listed(limit: number, ...texts: readonly string[]): Promise<RankedHit[]> {
  const hits = await ranked(...texts);
  const behind = chunksBehind(hits, limit);
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

/** The places of the first hit, as they are shown: `line name`. */
function placesOf([hit]: readonly RankedHit[]): string[] {
  const shownIn = (facts: ChunkFacts) => facts.symbols[0];
  const [own] = hit?.facts.symbols ?? [];
  const named = own === undefined ? {} : { symbol: own };
  return toFurtherPlaces(hit?.places ?? [], named, shownIn).map(
    ({ lines, symbol, hierarchy: around }) => `${lines.start} ${symbol?.name ?? around}`,
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
    expect(placesOf(await listed(1, ...texts))).toEqual(["10 at10", "20 at20", "30 at30"]);
    expect(placesOf(await listed(6, ...texts))).toEqual(["60 at60", "70 at70", "80 at80"]);
  });

  it("name each definition once, by its best chunk, and never the definition of the hit", async () => {
    const ending = ["a.ts 40 - run", "a.ts 60 - stop"];
    const hits = await listed(1, "a.ts 30 run:function", ...ending, "a.ts 50 stop:function");
    expect(placesOf(hits)).toEqual(["60 stop"]);
  });

  it("name definitions of the same name that begin at different lines", async () => {
    const hits = await listed(1, "a.ts 10 add:method", "a.ts 20 add:method", "a.ts 30 add:method");
    expect(placesOf(hits)).toEqual(["20 add", "30 add"]);
  });
});
