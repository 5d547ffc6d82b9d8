/** How texts are grouped into requests. A text of three letters is one token. */

import { expect, it } from "vitest";
import { batchesOf, windowsOf } from "../../server/embedding/batches.ts";

const textOf = (tokens: number) => "x".repeat(tokens * 3);

/** Each batch as its members; those whose vector is not taken from it are in parentheses. */
function shown(batches: ReturnType<typeof batchesOf>): string {
  return batches
    .map(({ members, kept }) => members.map((i) => (kept.has(i) ? `${i}` : `(${i})`)).join(" "))
    .join(" | ");
}

it.each<[number[], number, number, string]>([
  [[], 10, 10, ""],
  [[1, 1, 1], 10, 10, "0 1 2"],
  [[4, 4, 4, 4], 10, 10, "0 1 | 2 3"],
  [[1, 1, 1, 1, 1], 2, 10, "0 1 | 2 3 | 4"],
  [[1, 99, 1], 10, 10, "0 | 1 | 2"],
])("%j, at most %i texts and %i tokens: %s", (tokens, maxTexts, maxTokens, batches) =>
  expect(shown(batchesOf(tokens.map(textOf), { maxTexts, maxTokens }))).toBe(batches),
);

const window = (paths: string, tokens: readonly number[], maxTokens: number, maxTexts = 100) =>
  shown(windowsOf(tokens.map(textOf), paths.split(""), { maxTexts, maxTokens }));

it("each file is a request of its own", () =>
  expect(window("aabccc", [1, 1, 1, 1, 1, 1], 100)).toBe("0 1 | 2 | 3 4 5"));

it("windows share a quarter, and each vector is taken from the middle of one", () =>
  expect(
    window(
      "a".repeat(12),
      Array.from({ length: 12 }, () => 1),
      8,
    ),
  ).toBe("0 1 2 3 4 5 6 (7) | (6) 7 8 9 10 11"));

it("windows move on where one text is longer than the model takes", () =>
  expect(window("aaa", [1, 99, 1], 8)).toBe("0 | 1 | 2"));

it("windows hold no more texts than a request may", () =>
  expect(window("a".repeat(5), [1, 1, 1, 1, 1], 100, 3)).toBe("0 1 2 | 3 4"));

it("keeps every text exactly once, for texts of any length", () => {
  for (let seed = 1; seed < 200; seed++) {
    const tokens = Array.from(
      { length: (seed * 7) % 40 },
      (_, i) => 1 + ((seed * 31 + i * 17) % 9),
    );
    const paths = tokens.map((_, i) => (i < seed % 13 ? "a" : "b")).join("");
    const kept = windowsOf(tokens.map(textOf), paths.split(""), { maxTexts: 6, maxTokens: 20 })
      .flatMap((batch) => [...batch.kept])
      .toSorted((a, b) => a - b);
    expect(kept).toEqual(tokens.map((_, i) => i));
  }
});

it("windows share at most a quarter of their tokens, for texts of any length", () => {
  for (let seed = 1; seed < 200; seed++) {
    const tokens = Array.from({ length: 30 }, (_, i) => 1 + ((seed * 31 + i * i * 17) % 9));
    const windows = windowsOf(
      tokens.map(textOf),
      tokens.map(() => "a"),
      {
        maxTexts: 100,
        maxTokens: 30,
      },
    );
    const sum = (members: readonly number[]) =>
      members.reduce((all, i) => all + (tokens[i] ?? 0), 0);
    for (const [i, { members }] of windows.slice(1).entries()) {
      const before = windows[i]?.members ?? [];
      const shared = members.filter((member) => before.includes(member));
      expect(sum(shared)).toBeLessThanOrEqual(sum(before) / 4);
    }
    const all = windows.flatMap(({ members }) => members);
    expect(all.length).toBeGreaterThan(tokens.length);
  }
});
