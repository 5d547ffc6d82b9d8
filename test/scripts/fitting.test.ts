/** The fitting of `npm run fit-places`. */

import { describe, expect, it } from "vitest";
import { parseTasks } from "../../scripts/evaluation/tasks.ts";
import { toList } from "../../scripts/fitting/ask.ts";
import { commitSubjects } from "../../scripts/fitting/commit-subjects.ts";
import { type Chunk, displayed, type List } from "../../scripts/fitting/list.ts";
import { type Alternative, dot, fitChoices } from "../../scripts/fitting/softmax.ts";
import { crossValidate, outcomeOf, reportOutcomes } from "../../scripts/fitting/validate.ts";
import { type Random, random } from "../support/random.ts";

/** A choice by these weights: each value gets noise of a Gumbel distribution, which makes the choice a softmax. */
function choiceBy(weights: readonly number[], chance: Random): Alternative[] {
  const rows = Array.from({ length: 4 }, () => weights.map(() => chance.share() * 4 - 2));
  const values = rows.map((row) => dot(weights, row) - Math.log(-Math.log(chance.share())));
  const best = values.indexOf(Math.max(...values));
  return rows.map((features, i) => ({ features, isRight: i === best }));
}

describe("the weights of choices", () => {
  const chance = random(3);

  it("are the weights that made the choices", () => {
    const weights = [1.5, -0.7, 0];
    const fitted = fitChoices(Array.from({ length: 3000 }, () => choiceBy(weights, chance)));
    fitted.forEach((weight, i) => {
      expect(Math.abs(weight - (weights[i] ?? 0))).toBeLessThan(0.1);
    });
  });

  it("maximize the likelihood minus the ridge, also with several right alternatives", () => {
    const choices = Array.from({ length: 200 }, () =>
      choiceBy([1, -1], chance).map((each) => ({
        ...each,
        isRight: each.isRight || chance.chance(0.2),
      })),
    ).filter((each) => each.some(({ isRight }) => !isRight));
    const values = choices.flat().map(({ features }) => features);
    const spread = (i: number) => {
      const mean = values.reduce((sum, row) => sum + (row[i] as number), 0) / values.length;
      return Math.sqrt(
        values.reduce((sum, row) => sum + ((row[i] as number) - mean) ** 2, 0) / values.length,
      );
    };
    const likelihood = (weights: readonly number[]) => {
      const massOf = (alternatives: readonly Alternative[]) =>
        alternatives.reduce((sum, { features }) => sum + Math.exp(dot(weights, features)), 0);
      const ridge = weights.reduce((sum, weight, i) => sum + (weight * spread(i)) ** 2, 0);
      const logs = choices.map((each) =>
        Math.log(massOf(each.filter(({ isRight }) => isRight)) / massOf(each)),
      );
      return logs.reduce((sum, each) => sum + each, 0) - (10 * ridge) / 2;
    };
    const [a = 0, b = 0] = fitChoices(choices);
    const best = likelihood([a, b]);
    const near = [
      [a + 0.01, b],
      [a - 0.01, b],
      [a, b + 0.01],
      [a, b - 0.01],
    ];
    expect(near.map(likelihood).filter((each) => each >= best)).toEqual([]);
  });

  it("are 0 for a constant feature, and where each alternative is right", () => {
    const choices = Array.from({ length: 50 }, () => choiceBy([1], chance));
    const constant = choices.map((each) =>
      each.map(({ features, isRight }) => ({ features: [...features, 7], isRight })),
    );
    expect(fitChoices(constant)[1]).toBeCloseTo(0, 10);
    const allRight = choices.map((each) => each.map((one) => ({ ...one, isRight: true })));
    expect(fitChoices(allRight)).toEqual([0]);
  });
});

/** The weights of files count in full for it. */
const LONG = "where does the shop keep the orders of a customer who has not paid yet";

/** Chunks are written `path share value`, with a star for right ones and a plus for others of a right file. */
function listOf(text: string, rest: Partial<List> = {}): List {
  const chunks = text.split(", ").map((each): Chunk => {
    const [path = "", share, value] = each.replace(/[*+]/, "").split(" ");
    const features = [Number(share), Number(value)];
    const isInRightFile = each.includes("*") || each.includes("+");
    return { path, isRight: each.includes("*"), isInRightFile, features, wordsInFile: 0 };
  });
  return { repo: "shop", style: "how", query: LONG, isOpen: true, chunks, ...rest };
}

const valuesOf = (chunks: readonly Chunk[]) => chunks.map(({ features }) => features[1]);
const byValue = (features: readonly number[]) => features[1] ?? 0;

describe("the displayed order", () => {
  const TEXT = "a 1 1, a 0.9 2, b 0.8 3, a 0.7 4";

  it("lowers further chunks of a file", () => {
    expect(valuesOf(displayed(listOf(TEXT)))).toEqual([1, 3, 2, 4]);
  });

  it("gives the scores of a file to its chunks by their value", () => {
    expect(valuesOf(displayed(listOf(TEXT), byValue))).toEqual([4, 3, 2, 1]);
  });

  it("multiplies the scores of a file by the factor of its value, for a long question", () => {
    const byPath = (chunks: readonly Chunk[]) => (chunks[0]?.path === "b" ? 1 : 0);
    const list = listOf("a 1 1, a 0.9 2, b 0.8 3");
    expect(valuesOf(displayed(list, byValue, byPath))).toEqual([3, 2, 1]);
    const short = { ...list, query: "where orders are kept" };
    expect(valuesOf(displayed(short, byValue, byPath))).toEqual([2, 3, 1]);
  });

  it("stays where the boost compares no places", () => {
    const closed = listOf(TEXT, { isOpen: false });
    expect(valuesOf(displayed(closed, byValue))).toEqual([1, 3, 2, 4]);
  });
});

it("A chunk is right if its lines overlap a relevant or a secondary place", () => {
  const [task] = parseTasks(
    "shop",
    "style\tquery\trelevant\tsecondary\nhow\topen it\ta.ts:5-9\tb.ts:1-2\n",
  );
  const chunk = (path: string, startLine: number, endLine: number) => ({
    path,
    startLine,
    endLine,
    features: [1],
    wordsInFile: 0.5,
  });
  const chunks = [
    chunk("a.ts", 1, 4),
    chunk("a.ts", 9, 20),
    chunk("b.ts", 2, 3),
    chunk("c.ts", 5, 9),
  ];
  const asked = { repo: "shop", query: "open it", isOpen: false, chunks };
  if (task === undefined) throw new Error("no task");
  const list = toList(asked, task);
  expect(list.chunks.map(({ isRight }) => isRight)).toEqual([false, true, true, false]);
  const inRightFile = list.chunks.map(({ isInRightFile }) => isInRightFile);
  expect(inRightFile).toEqual([true, true, true, false]);
  expect(list).toMatchObject({ repo: "shop", style: "how", isOpen: false });
});

describe("cross-validation", () => {
  const HIGH = "a 1 1, a 0.9 2*";
  const LOW = "a 1 2, a 0.9 1*";

  it("finds a place by the weights of other repositories", () => {
    const lists = ["ada", "bob", "cid"].flatMap((repo) =>
      Array.from({ length: 40 }, () => listOf(HIGH, { repo })),
    );
    for (const { before, after } of crossValidate(lists))
      expect([before, after]).toEqual([
        [0, 1],
        [1, 1],
      ]);
  });

  it("finds a file by the weights of other repositories", () => {
    // The score is right in three of four lists, the value of a place in all.
    const textOf = (i: number) => (i % 4 === 0 ? "a 1 1, b 0.8 2*" : "a 1 2*, b 0.8 1");
    const lists = ["ada", "bob", "cid"].flatMap((repo) =>
      Array.from({ length: 40 }, (_, i) => listOf(textOf(i), { repo })),
    );
    const outcomes = crossValidate(lists, "files");
    expect(outcomes.filter(({ before }) => before[0] === 1)).toHaveLength(90);
    expect(outcomes.filter(({ after }) => after[0] === 1)).toHaveLength(120);
  });

  it("orders no repository by its own answers", () => {
    // The right chunk has the higher share as often as the lower one, so only the value counts.
    const listsOf = (repo: string, ...texts: readonly string[]) =>
      Array.from({ length: 20 }, () => texts.map((text) => listOf(text, { repo }))).flat();
    const lists = [
      ...listsOf("ada", HIGH, "a 1 2*, a 0.9 1"),
      ...listsOf("bob", LOW, "a 1 1*, a 0.9 2"),
    ];
    const found = crossValidate(lists).map(({ after }) => after[0]);
    expect(found.filter((each) => each === 1)).toEqual([]);
  });

  it("is reported as means with a paired difference, whole and by style", () => {
    const outcomes = [HIGH, LOW, "a 1 3, a 0.9 4*, b 0.1 1"].map((text, i) =>
      outcomeOf(listOf(text, { style: i === 1 ? "terse" : "how" }), [0, 1]),
    );
    expect(reportOutcomes(outcomes).split("\n")).toEqual([
      "  all (3)          place@1 0.000 -> 0.667 (+0.667 ± 0.333)  place@5 1.000 -> 1.000 (+0.000 ± 0.000)",
      "  how (2)          place@1 0.000 -> 1.000 (+1.000 ± 0.000)  place@5 1.000 -> 1.000 (+0.000 ± 0.000)",
      "  terse (1)        place@1 0.000 -> 0.000 (+0.000 ± 0.000)  place@5 1.000 -> 1.000 (+0.000 ± 0.000)",
    ]);
  });
});

describe("subjects of commits", () => {
  const FILES = new Set(["src/pool.ts", "src/shop.ts", "test/pool.test.ts", "README.md"]);
  const subjects = (...commits: readonly string[]) =>
    commitSubjects("shop", commits.map((commit) => `\0${commit}\n`).join(""), FILES);

  it("ask for the files of product code that the commit changed and that exist", () => {
    const [task] = subjects(
      "fix(pool): close idle connections after a minute (#12)\n\nsrc/pool.ts\nsrc/gone.ts\ntest/pool.test.ts\nREADME.md",
    );
    expect(task).toMatchObject({ repo: "shop", query: "close idle connections after a minute" });
    expect(task?.relevant).toEqual([{ path: "src/pool.ts" }]);
  });

  it.each([
    ["is short", "Close the pool\n\nsrc/pool.ts"],
    ["has no topic", "Bump all of the dependencies once more\n\nsrc/pool.ts"],
    ["changed no product code", "Close idle connections after a minute\n\nREADME.md"],
    [
      "changed many files",
      `Close idle connections after a minute\n\nsrc/pool.ts\n${"x\n".repeat(10)}`,
    ],
  ])("leave out a commit that %s", (_, commit) => expect(subjects(commit)).toEqual([]));

  it("are evenly spaced, at most 36 of them, each once", () => {
    const all = Array.from(
      { length: 100 },
      (_, i) => `Close the idle connection number ${i}\n\nsrc/pool.ts`,
    );
    const picked = subjects(...all, ...all).map(({ query }) => Number(query.match(/\d+/)?.[0]));
    expect(picked.length).toBeLessThanOrEqual(36);
    expect(picked.length).toBeGreaterThan(30);
    expect(new Set(picked).size).toBe(picked.length);
    expect(Math.max(...picked)).toBeGreaterThan(95);
  });
});
