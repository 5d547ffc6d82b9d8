/** Quoted phrases in the text of hits: whole phrases only, whatever the case and the white space. */

import { expect, it } from "vitest";
import type { ReadLines } from "../../../server/search/context.ts";
import { findPhrases } from "../../../server/search/query/phrases.ts";
import { parseQuery } from "../../../server/search/query/query.ts";
import type { Ranked } from "../../../server/search/ranking.ts";
import { chunkOf, factsOf } from "../support.ts";

const TEXTS = ["Connection\n  refused by peer", "refused connection", "connection", undefined];

const hits = [...factsOf(...TEXTS.map((_, i) => chunkOf(String(i), "x")))].map(
  ([chunk, facts]): Ranked => ({ chunk, facts, score: 1, evidence: {}, ranks: {}, reasons: [] }),
);

const lookingBy = (readLines: ReadLines) => ({ root: "/root", readLines, pause: async () => {} });

async function check(query: string, expected: Record<number, number>): Promise<void> {
  const parsed = parseQuery(query, () => undefined);
  const said = await findPhrases(
    parsed,
    hits,
    lookingBy(async (_, path) => TEXTS[Number(path)]?.split("\n")),
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

it("looks once through a line that is hundreds of chunks", async () => {
  const query = parseQuery('"refused by peer"', () => undefined);
  const [first] = hits;
  if (first === undefined) throw new Error("there are hits");
  const many = Array.from({ length: 300 }, (_, chunk): Ranked => ({ ...first, chunk }));
  const reads: string[] = [];
  const said = await findPhrases(
    query,
    many,
    lookingBy(async (_, path, { start, end }) => {
      reads.push(`${path}:${start}-${end}`);
      return ["Refused by peer"];
    }),
  );
  expect([...said.keys()]).toEqual(many.map(({ chunk }) => chunk));
  const { path, lines } = first.facts;
  expect(reads).toEqual([`${path}:${lines.start}-${lines.end}`]);
  const places = [path, "other"].flatMap((each) =>
    [0, 1].flatMap((start) => [2, 3].map((end) => [each, { start, end }] as const)),
  );
  const apart = places.map(([each, at], chunk): Ranked => {
    return { ...first, chunk, facts: { ...first.facts, path: each, lines: at } };
  });
  const found = await findPhrases(
    query,
    apart,
    lookingBy(async (_, each, { start, end }) =>
      each === "other" && start === 1 && end === 2 ? ["refused by peer"] : [],
    ),
  );
  expect([...found.keys()]).toEqual([6]);
});

it("stops where a pause rejects, as of a search that was taken back", async () => {
  const [first] = hits;
  if (first === undefined) throw new Error("no hit");
  const many = Array.from({ length: 100 }, (_, chunk): Ranked => {
    return { ...first, chunk, facts: { ...first.facts, path: String(chunk) } };
  });
  const read: string[] = [];
  const looking = {
    ...lookingBy(async (_, path) => {
      read.push(path);
      return [];
    }),
    pause: async () => {
      if (read.length > 0) throw new Error("taken back");
    },
  };
  const query = parseQuery('"connection refused"', () => undefined);
  await expect(findPhrases(query, many, looking)).rejects.toThrow("taken back");
  expect(read.length).toBeLessThan(many.length / 2);
});
