/** Reading ASCII lines only around the places of words chooses the same line as reading whole lines. */

import { expect, it } from "vitest";
import { parseQuery } from "../../../server/search/query/query.ts";
import { symbolOf } from "../../../server/search/results/answer.ts";
import { chooseLine, lineQueryOf } from "../../../server/search/results/best-line.ts";
import { forAllRandom, type Random } from "../../support/random.ts";
import { chunkOf, factsOf } from "../support.ts";

const WORDS = "open close door openDoor door_key keys the import x1 $a".split(" ");
const JOINTS = [" ", "(", ".", "", "_", " = ", "-", "2"];

function lineBy(chance: Random): string {
  const words = Array.from({ length: 1 + chance.int(7) }, () => chance.pick(WORDS));
  return words.map((word) => word + chance.pick(JOINTS)).join("");
}

function choose(query: string, lines: readonly string[]) {
  const [facts] = factsOf(chunkOf("src/a.py", lines.join("\n"), "open_door:function")).values();
  if (facts === undefined) throw new Error("no chunk");
  const asked = parseQuery(query, () => undefined);
  const rarity = lineQueryOf(asked, (term) => (term === "the" ? 0.1 : term.length));
  return chooseLine(lines, { facts, symbol: symbolOf(facts, asked) }, rarity);
}

it("is the same with a letter behind each line that is no ASCII", () =>
  forAllRandom({ seed: 1, numRuns: 400 }, (chance) => {
    const lines = Array.from({ length: 1 + chance.int(6) }, () => lineBy(chance));
    const query = Array.from({ length: 1 + chance.int(3) }, () => chance.pick(WORDS)).join(" ");
    const ascii = choose(query, lines);
    const other = choose(
      query,
      lines.map((line) => `${line} é`),
    );
    const place = (choice: typeof ascii) => [
      choice?.best.line,
      choice?.best.column,
      choice?.best.highlights,
      choice?.isMatched,
    ];
    expect(place(ascii), `${query}\n${lines.join("\n")}`).toEqual(place(other));
  }));
