/** Packs random results for budgets, formats and strategies of all kinds: read golden/packing.txt. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { packContext } from "../../server/context/context.ts";
import type { ContextSources } from "../../server/context/sources.ts";
import { CONTEXT_FORMATS, CONTEXT_STRATEGIES } from "../../server/contracts/context-request.ts";
import type { CodeSymbol, Hit, Lines } from "../../server/contracts/model.ts";
import { type Random, random } from "../support/random.ts";

const PATHS = ["src/pool.ts", "src/shop.ts", "test/pool.test.ts", "docs/pool.md", "lib/a/b.py"];
const FILE_LENGTH = 120;
const TYPES = ["function", "class", "method", "interface"] as const;
const QUESTIONS = [
  "how is the pool opened",
  "where is `Pool.m3` called and why does it fail",
  "explain src/shop.ts and what uses m7",
  "ok",
  "Error: boom\n    at m5 (src/pool.ts:12:3)\n    at main (src/shop.ts:40:1)",
];

/** Definitions one behind the other, some of them in a class. */
function definitionsOf(chance: Random): CodeSymbol[] {
  const found: CodeSymbol[] = [];
  for (let start = chance.int(5); start < FILE_LENGTH - 20; ) {
    const end = start + chance.int(18);
    const lines = { start, end };
    const name = `${chance.chance(0.4) ? "Pool." : ""}m${found.length}`;
    found.push({ name, type: chance.pick(TYPES), signature: `${name}()`, lines, nameLine: start });
    start = end + 1 + chance.int(4);
  }
  return [
    {
      name: "Pool",
      type: "class",
      signature: "class Pool",
      lines: { start: 0, end: 99 },
      nameLine: 0,
    },
    ...found,
  ];
}

function hitOf(chance: Random, definitions: ReadonlyMap<string, readonly CodeSymbol[]>): Hit {
  const path = chance.pick(PATHS);
  const start = chance.int(FILE_LENGTH - 20);
  const lines: Lines = { start, end: start + chance.int(15) };
  const around = definitions
    .get(path)
    ?.findLast((one) => one.lines.start <= start && one.lines.end >= start);
  return {
    index: "app",
    root: "/app",
    path,
    lines,
    contextRange: around?.lines ?? lines,
    score: chance.int(100) / 100,
    relevance: chance.pick(["strong", "strong", "weak", "chance"] as const),
    matchType: chance.pick(["semantic", "keyword", "both"] as const),
    languageId: path.endsWith(".py") ? "python" : "typescript",
    ...(around === undefined || chance.chance(0.3) ? {} : { symbol: around }),
  };
}

function sourcesOf(chance: Random): ContextSources {
  const definitions = new Map(PATHS.map((path) => [path, definitionsOf(chance)]));
  const hits = Array.from({ length: chance.int(12) }, () => hitOf(chance, definitions));
  const width = new Map(PATHS.map((path) => [path, 1 + chance.int(12)]));
  const neighbors = Array.from({ length: chance.int(4) }, () => ({
    root: "/app",
    path: chance.pick(PATHS),
    line: chance.int(FILE_LENGTH),
  }));
  return {
    search: async ({ paths }) => ({
      hits: paths ? hits.filter(({ path }) => paths.includes(path)) : hits,
      warnings: [],
    }),
    readLines: async (_root, path, { start, end }) =>
      Array.from(
        { length: Math.max(0, Math.min(end + 1, FILE_LENGTH) - start) },
        (_, i) => `${"word ".repeat(width.get(path) ?? 1)}${start + i}`,
      ),
    definitions: async (_root, path) => definitions.get(path) ?? [],
    neighbors: async function* () {
      yield* neighbors;
    },
  };
}

it("packs as before", async () => {
  const said: string[] = [];
  for (let seed = 1; seed <= 40; seed++) {
    const chance = random(seed);
    const sources = sourcesOf(chance);
    const request = {
      query: chance.pick(QUESTIONS),
      tokenBudget: chance.pick([100, 200, 400, 800, 1600, 4000]),
      strategy: chance.pick(CONTEXT_STRATEGIES),
      format: chance.pick(CONTEXT_FORMATS),
      ...(chance.chance(0.2) ? { auto: true } : {}),
    };
    const { text, items, confidence, ...rest } = await packContext(sources, request);
    const shown = items.map(
      ({ path, lines, level, score }) =>
        `  ${path}:${lines.start}-${lines.end} ${level} ${score.toFixed(3)}`,
    );
    said.push(
      `${seed} ${JSON.stringify(request)}`,
      JSON.stringify({ ...rest, confidence: confidence.toFixed(3) }),
      ...shown,
    );
    if (seed <= 8 && text.length < 2_000) said.push(text);
    said.push(`  ${text.length} characters in ${text.split("\n").length} lines`);
  }
  await expect(`${said.join("\n")}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "golden/packing.txt"),
  );
});
