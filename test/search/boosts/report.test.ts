/** Each boost for bug reports by itself: the hits that it raises, lowers and does not change. */

import { describe, expect, it } from "vitest";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { definitionWords } from "../../../server/search/boosts/definition-words.ts";
import { reportCategory, reportNames, reportPlaces } from "../../../server/search/boosts/report.ts";
import { saturation } from "../../../server/search/boosts/saturation.ts";
import { parseQuery } from "../../../server/search/query/query.ts";
import { type Boost, type Ranked, sortByScore } from "../../../server/search/ranking.ts";
import { findNamed } from "../../../server/search/report/report-findings.ts";
import { chunkOf, lanesOf, rankedOf } from "../support.ts";

const STORY =
  "It was noticed in the last release and happens each time, as far as anybody has seen until today, on every machine.";

/** Applies a boost for a report to chunks with equal scores; `others` are chunks of the index that no lane brought. */
async function apply(
  boost: Boost,
  text: string,
  chunks: readonly StoredChunk[],
  others: readonly StoredChunk[] = [],
): Promise<readonly Ranked[]> {
  const lanes = lanesOf(...chunks, ...others);
  const facts = await lanes.facts(chunks.map((_, i) => i));
  const hits = rankedOf(facts);
  const query = parseQuery(text, () => undefined);
  if (query.report === undefined) throw new Error("the text is not a report");
  const findings = await findNamed(query.report, undefined, lanes);
  const none = new Map();
  return sortByScore(
    boost.apply(hits, {
      query,
      filter: undefined,
      filesMatchingIdentifier: none,
      filesMatchingPath: none,
      fileWords: none,
      wordRarities: none,
      relatedRarities: none,
      findings,
    }),
  );
}

/** `path score` of each hit, best first. */
const scored = (hits: readonly Ranked[]) =>
  hits.map(({ facts, score }) => `${facts.path} ${score.toFixed(2)}`);

/** A chunk that begins at this line and is ten long. */
const chunkAt = (path: string, start: number, symbols = "") => ({
  ...chunkOf(path, "", symbols, { start }),
  lines: { start, end: start + 9 },
});

describe("report-names", () => {
  it("lifts the definition of a name most, then the rest of its file, and explains both", async () => {
    const hits = await apply(reportNames, `Beam.load is wrong\n\n${STORY}`, [
      chunkOf("a.py", "", "store"),
      chunkOf("beam.py", "", "Beam.load"),
      chunkOf("beam.py", "", "other", { start: 90 }),
    ]);
    expect(scored(hits)).toEqual(["beam.py 1.70", "beam.py 1.42", "a.py 1.00"]);
    expect(hits[0]?.reasons).toEqual([
      { name: "report-names", contribution: expect.closeTo(0.7), detail: "Beam.load" },
    ]);
    expect(hits[1]?.reasons[0]?.detail).toBe("the file's names");
  });

  it("adds definitions that no lane found", async () => {
    const text = `Beam.load is wrong\n\n${STORY}`;
    const hits = await apply(
      reportNames,
      text,
      [chunkOf("a.py", "")],
      [chunkOf("b.py", "", "Beam.load")],
    );
    expect(scored(hits)).toEqual(["a.py 1.00", "b.py 0.70"]);
  });
});

describe("report-places", () => {
  const TRACE = `It fails\n\n${STORY}\n\nTraceback (most recent call last):\n  File "/x/shop/beam.py", line 105, in load\n`;

  it("lifts the file that is named, and most the lines in it", async () =>
    expect(
      scored(
        await apply(reportPlaces, TRACE, [
          chunkAt("shop/store.py", 100),
          chunkAt("shop/beam.py", 300),
          chunkAt("shop/beam.py", 100, "load"),
        ]),
      ),
    ).toEqual(["shop/beam.py 3.10", "shop/beam.py 1.60", "shop/store.py 1.00"]));

  it("lowers the weight if the line or the function has moved", async () => {
    const near = chunkAt("shop/beam.py", 120, "store");
    const moved = chunkAt("shop/beam.py", 500, "load");
    const both = chunkAt("shop/beam.py", 100, "load");
    const gain = async (chunk: StoredChunk) =>
      (await apply(reportPlaces, TRACE, [chunk]))[0]?.score.toFixed(2);
    expect([await gain(both), await gain(near), await gain(moved)]).toEqual([
      "3.10",
      "2.65",
      "2.65",
    ]);
    expect(await gain(chunkAt("shop/beam.py", 126, "store"))).toBe("1.60");
  });

  it("brings the named file where no lane found it", async () => {
    const hits = await apply(
      reportPlaces,
      TRACE,
      [chunkAt("a.py", 0)],
      [chunkAt("shop/beam.py", 100, "load")],
    );
    expect(scored(hits)).toEqual(["shop/beam.py 2.10", "a.py 1.00"]);
  });
});

describe("definition-words", () => {
  it("lifts definitions whose names share rare words with the report", async () => {
    const hits = await apply(definitionWords, `LaTeX printer has wrong sums\n\n${STORY}`, [
      chunkOf("a.py", "", "Tree.walk"),
      chunkOf("b.py", "", "LatexPrinter.print_product"),
      chunkOf("c.py", "", "LatexPrinter.print_sum"),
    ]);
    expect(hits.map(({ facts }) => facts.path)).toEqual(["c.py", "b.py", "a.py"]);
    expect(hits[2]?.score).toBe(1);
    expect(hits[0]?.reasons[0]).toMatchObject({
      name: "definition-words",
      detail: "LatexPrinter.print_sum",
    });
  });

  it("finds the definition around a chunk in its middle", async () => {
    const hits = await apply(definitionWords, `The sum is wrong\n\n${STORY}`, [
      chunkOf("a.py", "", "", { hierarchy: "Printer.product" }),
      chunkOf("b.py", "", "", { hierarchy: "Printer.sum" }),
    ]);
    expect(hits.map(({ facts }) => facts.path)).toEqual(["b.py", "a.py"]);
  });
});

describe("fileCategory of a report", () => {
  const files = [chunkOf("test_a.py", ""), chunkOf("a.md", ""), chunkOf("a.py", "")];

  it("puts tests and documents last, however much they speak of it", async () =>
    expect(
      scored(await apply(reportCategory, `Update the docs of tests\n\n${STORY}`, files)),
    ).toEqual(["a.py 1.00", "a.md 0.10", "test_a.py 0.10"]));
  it("does not lower tests if a test fails", async () =>
    expect(scored(await apply(reportCategory, `Tests fail at night\n\n${STORY}`, files))).toEqual([
      "a.py 1.00",
      "test_a.py 1.00",
      "a.md 0.10",
    ]));
});

describe("saturation in a report", () => {
  /** The numbers of chunks by file, in the order of their scores after it. */
  const placesOf = async (files: readonly string[]) => {
    const hits = await apply(
      saturation,
      `It fails\n\n${STORY}`,
      files.flatMap((path) => [0, 1, 2, 3, 4, 5, 6].map((n) => chunkAt(path, 10 * n))),
    );
    return hits.filter(({ score }) => score > 0.4).map(({ facts }) => facts.path);
  };

  it("leaves further places of a file near the first", async () => {
    const chunks = [0, 1, 2].map((n) => chunkAt("a.py", 10 * n));
    expect(scored(await apply(saturation, `It fails\n\n${STORY}`, chunks))).toEqual([
      "a.py 1.00",
      "a.py 0.95",
      "a.py 0.90",
    ]);
  });

  it("leaves the more places the more likely the file is", async () => {
    const places = await placesOf(["a.py", "b.py", "c.py", "d.py", "e.py"]);
    const counted = [...new Set(places)].map(
      (path) => places.filter((each) => each === path).length,
    );
    expect(counted).toEqual([6, 3, 2, 1, 1]);
  });
});
