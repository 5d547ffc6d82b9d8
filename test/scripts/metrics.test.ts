/** The counting of `npm run evaluate`. */

import { describe, expect, it } from "vitest";
import {
  type Measured,
  type Measures,
  meanOverRepos,
  meansBy,
  measure,
  type Task,
} from "../../scripts/evaluation/metrics.ts";
import { pairedDifference } from "../../scripts/evaluation/table.ts";

const task = (relevant: string, secondary = "", rest: Partial<Task> = {}): Task => ({
  id: "1",
  repo: "r",
  language: "go",
  category: "symbol",
  query: "q",
  benchmark_root: "src",
  relevant: relevant
    .split(" ")
    .filter(Boolean)
    .map((path) => ({ path })),
  secondary: secondary
    .split(" ")
    .filter(Boolean)
    .map((path) => ({ path })),
  ...rest,
});

const measureList = (asked: Task, list: string) =>
  measure(
    asked,
    list
      .split(" ")
      .filter(Boolean)
      .map((path) => ({ path })),
  );

describe("a list", () => {
  const SECOND = 1 / Math.log2(3);
  const BOTH = 1 + SECOND;
  const CASES: [string, string, Partial<Measures>][] = [
    ["a", "a b", { ndcg: 1, recall: 1, mrr: 1, hit1: 1, hit: 1, empty: 0 }],
    ["a", "b a", { ndcg: SECOND, mrr: 0.5, hit1: 0, hit: 1 }],
    ["a", "b c", { ndcg: 0, recall: 0, mrr: 0, hit: 0, empty: 0 }],
    ["a", "", { ndcg: 0, empty: 1 }],
    ["a b", "x a", { ndcg: SECOND / BOTH, recall: 0.5 }],
    ["a", "1 2 3 4 5 6 7 8 9 10 a", { hit: 0 }],
    ["a b", "a a b", { ndcg: (1 + 1 / Math.log2(4)) / BOTH }],
    ["src/x/a.ts", "x/a.ts", { hit1: 1 }],
    ["x/a.ts", "src/x/a.ts", { hit1: 1 }],
    ["x/a.ts", "ya.ts", { hit1: 0 }],
  ];
  it.each(CASES)("a list that wants %j and gets %j is scored", (wanted, list, expected) =>
    expect(measureList(task(wanted), list)).toMatchObject(
      Object.fromEntries(
        Object.entries(expected).map(([name, value]) => [name, expect.closeTo(value)]),
      ),
    ),
  );

  it("wants secondary targets too", () => expect(measureList(task("a", "b"), "a b").ndcg).toBe(1));

  it("wants the labeled lines if a question has some", () => {
    const wanted = task("", "", { relevant: [{ path: "a", startLine: 10, endLine: 20 }] });
    const hit = (startLine: number, endLine: number) =>
      measure(wanted, [{ path: "a", startLine, endLine }]).hit;
    expect([hit(1, 9), hit(1, 10), hit(20, 30), hit(21, 30)]).toEqual([0, 1, 1, 0]);
  });
});

describe("means", () => {
  const measured = [
    ["r", "a"],
    ["r", "a"],
    ["r", "b"],
    ["s", "b"],
  ].map(([repo = "", list = ""]) => {
    const asked = task("a", "", { repo, category: repo });
    return { task: asked, measures: measureList(asked, list) };
  });
  it("count each repository once, however many questions it has", () =>
    expect(meanOverRepos(measured).ndcg).toBeCloseTo((2 / 3 + 0) / 2));
  it("are given for each group by name", () =>
    expect(
      [...meansBy(measured, ({ category }) => category)].map(([name, { count }]) => [name, count]),
    ).toEqual([
      ["r", 3],
      ["s", 1],
    ]));
});

describe("a paired difference", () => {
  const of = (repo: string, ndcg: number): Measured => ({
    task: task("a", "", { repo }),
    measures: { ndcg, recall: 0, mrr: 0, hit1: 0, hit: 0, empty: 0 },
  });
  it("is the mean over repositories, with its standard error", () => {
    const before = [of("a", 0.5), of("a", 0.7), of("b", 0.4)];
    const after = [of("a", 0.6), of("a", 0.8), of("b", 0.7)];
    const { mean, error } = pairedDifference(after, before);
    expect(mean).toBeCloseTo(0.2, 10);
    expect(error).toBeCloseTo(0.1, 10);
  });
});
