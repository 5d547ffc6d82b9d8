/**
 * Filters inside the lanes: every hit satisfies its filter, and the list is as long as there are chunks that do.
 * @module-tag slow
 */

import { describe, expect, it } from "vitest";
import type { CodeSymbol } from "../../../server/contracts/model.ts";
import type { SearchRequest } from "../../../server/contracts/session.ts";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { search } from "../../../server/search/search.ts";
import { forAllRandom, type Random, random } from "../../support/random.ts";
import { contextOf, embedded, indexOf, lanesOf } from "../support.ts";

const PAIRS = 200;
const WORDS =
  "open close pool socket retry cache token user session file read write parse tree node walk".split(
    " ",
  );
const FOLDERS = ["src/net", "src/store", "lib", "tests", "docs/guide"];

const chance = random(11);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function tree(chunks: number): StoredChunk[] {
  return Array.from({ length: chunks }, (_, i) => {
    const languageId = i % 3 === 0 ? "python" : "typescript";
    const path = `${chance.pick(FOLDERS)}/${chance.pick(WORDS)}_${i >> 2}.${languageId === "python" ? "py" : "ts"}`;
    const text = Array.from({ length: 1 + chance.int(12) }, () => chance.pick(WORDS)).join(" ");
    const symbol = chance.chance(0.2)
      ? ""
      : `${chance.pick(WORDS)}${capital(chance.pick(WORDS))}:${chance.pick(["function", "class", "method"])}`;
    return embedded(path, text, symbol, { start: i * 1000, languageId });
  });
}

/** A request's filters in other words: what a chunk must be. */
function filterBy(one: Random): {
  request: Partial<SearchRequest>;
  holds: (chunk: StoredChunk) => boolean;
} {
  const parts: { request: Partial<SearchRequest>; holds: (chunk: StoredChunk) => boolean }[] = [];
  if (one.chance(0.4)) {
    const language = one.pick(["python", "typescript"]);
    parts.push({
      request: { languages: [language] },
      holds: ({ languageId }) => languageId === language,
    });
  }
  if (one.chance(0.4)) {
    const folder = one.pick(FOLDERS);
    parts.push({
      request: { paths: [`${folder}/**`] },
      holds: ({ path }) => path.startsWith(`${folder}/`),
    });
  }
  const type = one.chance(0.4) ? one.pick(["function", "class", "method"] as const) : undefined;
  const word = one.chance(0.4) ? one.pick(WORDS) : undefined;
  if (type !== undefined || word !== undefined) {
    const fits = ({ name, type: own }: CodeSymbol) =>
      (type === undefined || own === type) && (word === undefined || name.startsWith(word));
    parts.push({
      request: {
        ...(type === undefined ? {} : { symbolTypes: [type] }),
        ...(word === undefined ? {} : { symbolName: `${word}*` }),
      },
      holds: ({ symbols }) => symbols.some(fits),
    });
  }
  return {
    request: Object.assign({}, ...parts.map(({ request }) => request)) as Partial<SearchRequest>,
    holds: (chunk) => parts.every(({ holds }) => holds(chunk)),
  };
}

const keyOf = (path: string, line: number) => `${path}:${line}`;

describe("filters", () => {
  it(`hold for ${PAIRS} random questions, and lose nothing`, async () => {
    const chunks = tree(3000);
    const context = contextOf(indexOf("shop", lanesOf(...chunks)));
    await forAllRandom({ seed: 11, numRuns: PAIRS }, async (one) => {
      const { request, holds } = filterBy(one);
      const query = Array.from({ length: 1 + one.int(4) }, () => one.pick(WORDS)).join(" ");
      const limit = one.pick([1, 10, 50]);
      const { hits } = await search(context, { query, limit, ...request });
      const allowed = new Set(
        chunks.filter(holds).map(({ path, lines }) => keyOf(path, lines.start)),
      );
      const outside = hits.filter(({ path, lines }) => !allowed.has(keyOf(path, lines.start)));
      expect(outside, `${query} ${JSON.stringify(request)}`).toEqual([]);
      expect(hits.length, `${query} ${JSON.stringify(request)}`).toBe(
        Math.min(limit, allowed.size),
      );
    });
  });

  it("filters that leave 20 of 50 thousand chunks still find them", async () => {
    const few = Array.from({ length: 20 }, (_, i) =>
      embedded(`rare/part_${i}.ts`, `${chance.pick(WORDS)} ${chance.pick(WORDS)}`),
    );
    const context = contextOf(indexOf("shop", lanesOf(...tree(50_000), ...few)));
    const { hits } = await search(context, { query: "open the pool", limit: 50, paths: ["rare/"] });
    expect(new Set(hits.map(({ path }) => path))).toEqual(new Set(few.map(({ path }) => path)));
  });
});
