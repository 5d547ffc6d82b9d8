/** The definitions that the names in a bug report mean, and the evidence of each for the place. */

import { describe, expect, it } from "vitest";
import type { Filter } from "../../../server/contracts/lanes.ts";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { resolveMentions, strengthOfMentions } from "../../../server/search/lanes/mentions.ts";
import type { MentionedName } from "../../../server/search/report/report-names.ts";
import { chunkOf, lanesOf } from "../support.ts";

/** Names are written `name`, `scope.name` or `name?` for a word that may be no name, each with a weight of 1 unless said. */
function named(text: string, weight = 1): MentionedName {
  const [name = "", scope] = text.replace("?", "").split(".").toReversed();
  return { name, weight, isWord: text.endsWith("?"), ...(scope === undefined ? {} : { scope }) };
}

/** The mentioned definitions, as `path symbol` with the weight in hundredths. */
async function meant(
  names: readonly MentionedName[],
  chunks: readonly StoredChunk[],
  filter?: Filter,
): Promise<Record<string, number>> {
  const lanes = lanesOf(...chunks);
  const mentions = await resolveMentions(names, filter, lanes);
  const facts = await lanes.facts([...mentions.keys()]);
  const entries = [...mentions].flatMap(([chunk, own]) =>
    own.map(({ symbol, weight }): [string, number] => [
      `${facts.get(chunk)?.path} ${symbol}`,
      Math.round(weight * 100),
    ]),
  );
  return Object.fromEntries(entries);
}

describe("which definitions a name means", () => {
  it("is the only definition with that name", async () =>
    expect(
      await meant([named("apply_load")], [chunkOf("a.py", "", "apply_load remove_load")]),
    ).toEqual({ "a.py apply_load": 100 }));

  it("have lower weights the more there are", async () => {
    const four = ["a", "b", "c", "d"].map((name) => chunkOf(`${name}.py`, "", "load"));
    expect(await meant([named("load")], four.slice(0, 2))).toEqual({
      "a.py load": 50,
      "b.py load": 50,
    });
    expect(Object.values(await meant([named("load")], four))).toEqual([33, 33, 33, 33]);
  });

  it("is the definitions in its scope, if there are any", async () => {
    const chunks = [chunkOf("a.py", "", "Beam.load"), chunkOf("b.py", "", "Shelf.load load")];
    expect(await meant([named("Beam.load", 0.5)], chunks)).toEqual({ "a.py Beam.load": 75 });
    expect(Object.keys(await meant([named("Lamp.load")], chunks))).toHaveLength(3);
  });

  it("is exact about letters where it can be", async () => {
    const chunks = [chunkOf("a.py", "", "Tuple:class"), chunkOf("b.py", "", "tuple")];
    expect(await meant([named("tuple")], chunks)).toEqual({ "b.py tuple": 100 });
    expect(await meant([named("tuple")], chunks.slice(0, 1))).toEqual({ "a.py Tuple": 30 });
    expect(await meant([named("tuple?")], [chunkOf("a.py", "", "Tuple")])).toEqual({
      "a.py Tuple": 60,
    });
    expect(await meant([named("get_user")], [chunkOf("a.ts", "", "getUser")])).toEqual({
      "a.ts getUser": 30,
    });
  });

  it("is for a word of prose the class too, which prose writes without a capital letter", async () => {
    const others = [chunkOf("b.py", "", "identity"), chunkOf("c.py", "", "identity")];
    const chunks = [chunkOf("a.py", "", "Identity:class"), ...others];
    const two = { "b.py identity": 50, "c.py identity": 50 };
    expect(await meant([named("identity?")], chunks)).toEqual({ "a.py Identity": 100, ...two });
    expect(await meant([named("identity")], chunks)).toEqual(two);
    const alike = [chunkOf("a.py", "", "_identity:class"), ...others];
    expect(await meant([named("identity?")], alike)).toEqual({ "a.py _identity": 30, ...two });
  });

  it("is none that only begins or ends so", async () =>
    expect(await meant([named("load")], [chunkOf("a.py", "", "reload load_all")])).toEqual({}));

  it("is the product's, not that of tests or documents", async () =>
    expect(
      await meant(
        [named("load")],
        [
          chunkOf("test_a.py", "", "load"),
          chunkOf("a.md", "", "load"),
          chunkOf("a.py", "", "load"),
        ],
      ),
    ).toEqual({ "a.py load": 100 }));

  it("are limited by the filter", async () => {
    const chunks = [chunkOf("a.py", "", "load"), chunkOf("b.py", "", "load")];
    const filter = { matchesPath: (path: string) => path === "b.py" };
    expect(await meant([named("load")], chunks, filter)).toEqual({ "b.py load": 100 });
  });

  it("is counted once, by its strongest mention", async () =>
    expect(
      await meant(
        [named("load", 0.4), named("Beam.load", 0.6)],
        [chunkOf("a.py", "", "Beam.load")],
      ),
    ).toEqual({ "a.py Beam.load": 90 }));

  it("are at most 300 of a name", async () => {
    const many = Array.from({ length: 400 }, (_, i) => chunkOf(`${1000 + i}.py`, "", "eval"));
    expect(Object.keys(await meant([named("eval")], many))).toHaveLength(300);
  });
});

describe("a class that is mentioned", () => {
  it.each([
    ["Python", "Beam:class", "Beam.__init__"],
    ["JavaScript", "Beam:class", "Beam.constructor"],
    ["Ruby", "Beam:class", "Beam.initialize"],
  ])("also means its constructor: %s", async (_language, type, maker) =>
    expect(
      await meant(
        [named("Beam", 0.5)],
        [
          chunkOf("a.x", "", type),
          chunkOf("a.x", "", `${maker} Beam.load`, { start: 50 }),
          chunkOf("b.x", "", maker.replace("Beam", "Lamp")),
        ],
      ),
    ).toMatchObject({ "a.x Beam": 50, [`a.x ${maker}`]: 30 }),
  );

  it("is named by its constructor in Java and C++", async () =>
    expect(
      await meant([named("Beam")], [chunkOf("a.cc", "", "Beam:class Beam::Beam Beam::load")]),
    ).toEqual({ "a.cc Beam": 50, "a.cc Beam::Beam": 50 }));

  it("means no other method", async () =>
    expect(
      await meant([named("Beam")], [chunkOf("a.py", "", "Beam:class Beam.load Beam.__init__")]),
    ).toEqual({ "a.py Beam": 100, "a.py Beam.__init__": 60 }));

  it("has to be mentioned clearly for that", async () =>
    expect(
      await meant([named("Beam", 0.2)], [chunkOf("a.py", "", "Beam:class Beam.__init__")]),
    ).toEqual({ "a.py Beam": 20 }));
});

describe("several mentions in one place", () => {
  const strength = (...weights: number[]) =>
    strengthOfMentions(weights.map((weight) => ({ symbol: "load", weight })));

  it("support each other, less and less", () => {
    expect(strength()).toBe(0);
    expect(strength(0.4)).toBe(0.4);
    expect(strength(0.4, 0.4)).toBeCloseTo(0.6);
    expect(strength(0.4, 0.4, 0.4)).toBeCloseTo(0.7);
  });
  it("are never more than sure", () => expect(strength(1, 1, 1)).toBe(1));
});
