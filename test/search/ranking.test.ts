/** The numbers of files in a list of hits. */

import { expect, it } from "vitest";
import { numberFiles, type Ranked } from "../../server/search/ranking.ts";
import { forAllRandom, type Random } from "../support/random.ts";
import { chunkOf, factsOf, rankedOf } from "./support.ts";

const PATHS = ["a.ts", "b.ts", "c/a.ts", "d.ts"];

const hitsBy = (chance: Random): Ranked[] =>
  rankedOf(
    factsOf(...Array.from({ length: chance.int(30) }, () => chunkOf(chance.pick(PATHS), ""))),
  );

const distinct = (values: Iterable<unknown>) => new Set(values).size;

it("gives two hits one number if they are in one file, in a list that grows, too", () =>
  forAllRandom({ seed: 3, numRuns: 100 }, (chance) => {
    const first = hitsBy(chance);
    numberFiles(first);
    const before = first.map(({ file }) => file);
    const all = [...hitsBy(chance), ...first, ...hitsBy(chance)];
    const count = numberFiles(all);
    expect(first.map(({ file }) => file)).toEqual(before);
    expect(count).toBe(distinct(all.map(({ facts }) => facts.path)));
    expect(distinct(all.map(({ file }) => file))).toBe(count);
    expect(distinct(all.map(({ file, facts }) => `${file} ${facts.path}`))).toBe(count);
    expect(Math.max(-1, ...all.map(({ file }) => file))).toBe(count - 1);
  }));
