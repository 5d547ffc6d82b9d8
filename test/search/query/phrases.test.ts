/** Quoted phrases in the text of hits: whole phrases only, whatever the case and the white space. */

import { expect, it } from "vitest";
import { findPhrases } from "../../../server/search/query/phrases.ts";
import { parseQuery } from "../../../server/search/query/query.ts";
import type { Ranked } from "../../../server/search/ranking.ts";
import { chunkOf, factsOf } from "../support.ts";

const TEXTS = ["Connection\n  refused by peer", "refused connection", "connection", undefined];

const hits = [...factsOf(...TEXTS.map((_, i) => chunkOf(String(i), "x")))].map(
  ([chunk, facts]): Ranked => ({ chunk, facts, score: 1, evidence: {}, ranks: {}, reasons: [] }),
);

async function check(query: string, expected: Record<number, number>): Promise<void> {
  const parsed = parseQuery(query, () => undefined);
  const said = await findPhrases(parsed, hits, "/root", async (_, path) =>
    TEXTS[Number(path)]?.split("\n"),
  );
  expect(Object.fromEntries([...said].map(([chunk, { share }]) => [chunk, share]))).toEqual(
    expected,
  );
}

it("finds them across lines and cases", () => check('"connection refused"', { 0: 1 }));
it("counts the share of the query that is quoted", () =>
  check('who is "refused by peer"', {
    0: "refused by peer".length / "who is refused by peer".length,
  }));
it("takes one quoted word for a word", () => check('"connection"', {}));
it("has nothing to find without quotes", () => check("connection refused", {}));
