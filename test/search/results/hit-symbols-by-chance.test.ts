/** The definitions of hits by chance, of questions and of bug reports: golden/symbols-of-*.txt. */

import { join } from "node:path";
import { expect, it } from "vitest";
import type { CodeSymbol } from "../../../server/contracts/model.ts";
import type { MentionsByChunk } from "../../../server/search/lanes/mentions.ts";
import { parseQuery } from "../../../server/search/query/query.ts";
import { definitionsOf, symbolsOfHits } from "../../../server/search/results/hit-symbols.ts";
import { type Random, random } from "../../support/random.ts";
import { chunkOf, lanesOf } from "../support.ts";

const NAMES = ["open", "close", "retry", "sendBytes", "Pool", "limit", "key_of"];

/** Classes that begin every forty lines, with methods of some lines each, one behind the other. */
function symbolsBy(chance: Random): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  for (let start = 0; start < 120; start += 40) {
    const owner = `${chance.pick(NAMES)}${start}`;
    symbols.push(symbolAt(owner, "class", start, start + 39));
    for (let line = start + 1; line < start + 36; ) {
      const end = line + chance.int(12);
      symbols.push(symbolAt(`${owner}.${chance.pick(NAMES)}`, "method", line, end));
      line = end + 1;
    }
  }
  return symbols;
}

function symbolAt(name: string, type: "class" | "method", start: number, end: number): CodeSymbol {
  return { name, type, signature: name, lines: { start, end }, nameLine: start };
}

it.each([
  ["a question", ""],
  ["a report", `\n\n${"It fails on each machine since the last release. ".repeat(5)}`],
])("are for %s as in the golden file", async (what, rest) => {
  const chance = random(1);
  const said: string[] = [];
  for (let round = 0; round < 20; round++) {
    const words = Array.from({ length: 3 }, () => chance.pick(NAMES)).join(" ");
    const trace = chance.chance(0.4) ? `\n  File "a.py", line 7, in ${chance.pick(NAMES)}\n` : "";
    const query = parseQuery(`${words} breaks${rest}${rest === "" ? "" : trace}`, () => undefined);
    const symbols = symbolsBy(chance);
    const chunks = Array.from({ length: 3 }, (_, i) => {
      const start = chance.int(110);
      const lines = { start, end: start + chance.int(25) };
      const own = symbols.filter(
        ({ nameLine }) => lines.start <= nameLine && nameLine <= lines.end,
      );
      return { ...chunkOf("a.py", "", "", { start: i * 1000 }), lines, symbols: own };
    });
    const lanes = lanesOf(...chunks);
    const facts = await lanes.facts(chunks.map((_, i) => i));
    const hits = [...facts].map(([chunk, each]) => ({ chunk, facts: each }));
    const mentions: MentionsByChunk = new Map(
      chunks.map((each, i) => [
        i,
        each.symbols
          .filter(() => chance.chance(0.3))
          .map(({ name }) => ({ symbol: name, weight: chance.int(100) / 100 })),
      ]),
    );
    const found = symbolsOfHits(hits, query, await definitionsOf(hits, query, lanes), mentions);
    said.push(
      `${words}${trace.trimEnd()}`,
      ...found.map((each, i) => {
        const { start, end } = chunks[i]?.lines ?? { start: 0, end: 0 };
        const [best, others] = [each.symbols, each.otherSymbols].map((all) =>
          all.map(({ name }) => name).join(" "),
        );
        return `  ${start}-${end}: ${best}${others === "" ? "" : ` | ${others}`}`;
      }),
    );
  }
  await expect(`${said.join("\n")}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, `golden/symbols-of-${what.split(" ")[1]}.txt`),
  );
});
