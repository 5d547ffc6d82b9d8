/** The features of places, as an analysis returns them for fitting the weights. */

import { describe, expect, it } from "vitest";
import { PLACE_FEATURES, PLACE_PREFIX } from "../../../server/search/boosts/place-features.ts";
import { analyze } from "../../../server/search/search.ts";
import { contextOf, embedded, indexOf, lanesOf } from "../support.ts";

const LANES = lanesOf(
  embedded("src/broker.ts", "idle sessions of the broker", "Broker:class"),
  embedded("src/broker.ts", "removed when idle", "removeSessions:method", {
    start: 40,
    hierarchy: "class Broker",
  }),
  embedded("src/other.ts", "other things", "other:function"),
);
const QUESTION = "where are idle sessions removed after some time";

async function placesOf(query: string, without: readonly string[]) {
  const { hits } = await analyze(contextOf(indexOf("app", LANES)), {
    query,
    without: [...without],
  });
  const features = hits.map(({ path, lines, evidence }) => {
    const own = Object.entries(evidence).filter(([name]) => name.startsWith(PLACE_PREFIX));
    const named = own.map(([name, value]) => [name.slice(PLACE_PREFIX.length), value] as const);
    return [`${path} ${lines.start}`, Object.fromEntries(named)] as const;
  });
  return new Map(features);
}

describe("an analysis", () => {
  it("an analysis without the boost returns the features that it reads, by name", async () => {
    const places = await placesOf(QUESTION, ["place-in-file", "saturation", "literal"]);
    const method = places.get("src/broker.ts 40");
    expect(Object.keys(method ?? {})).toEqual([...PLACE_FEATURES]);
    expect(method).toMatchObject({ hasFunction: 1, hasType: 0, hasNone: 0, isFirst: 0 });
    expect(method?.["wordsInNames"]).toBeGreaterThan(0);
    expect(method?.["lines"]).toBeCloseTo(Math.log(2));
    expect(method?.["definitions"]).toBeCloseTo(Math.log(2));
    const head = places.get("src/broker.ts 0");
    expect(head).toMatchObject({ hasFunction: 0, hasType: 1, isFirst: 1, wordsInScopes: 0 });
    const shares = [...places.values()].map(({ share }) => share ?? 0);
    expect(Math.max(...shares)).toBe(1);
  });

  it.each([
    ["with the boost", QUESTION, []],
    ["of a name", "removeSessions", ["place-in-file"]],
    ["of a question with a name", "where does removeSessions drop them", ["place-in-file"]],
  ])("%s returns none", async (_, query, without) => {
    const places = await placesOf(query, without);
    expect(places.size).toBeGreaterThan(0);
    expect([...places.values()].filter((each) => Object.keys(each).length > 0)).toEqual([]);
  });
});
