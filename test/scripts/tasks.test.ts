/** The questions of test/ranking/questions, and the reader of such tables. */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseTasks, readTasks } from "../../scripts/evaluation/tasks.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const QUESTIONS = join(ROOT, "test/ranking/questions");
const HEADER = "style\tquery\trelevant\tsecondary";

describe("a table", () => {
  it("is read with its places, and with a number for each question", () => {
    const table = `${HEADER}\nterse\tretry backoff\tsrc/retry.c:3-9 retry_after\n`;
    const other =
      "where\twho opens it\ta b.ts:1-2; c.ts:4-4 A::b(int, int)\td.ts:7-8 the test of d";
    expect(parseTasks("shop", `${table}${other}\n`)).toEqual([
      {
        id: "shop#1",
        repo: "shop",
        language: "",
        category: "terse",
        style: "terse",
        query: "retry backoff",
        benchmark_root: null,
        relevant: [{ path: "src/retry.c", startLine: 3, endLine: 9, symbol: "retry_after" }],
        secondary: [],
      },
      expect.objectContaining({
        id: "shop#2",
        relevant: [
          { path: "a b.ts", startLine: 1, endLine: 2 },
          { path: "c.ts", startLine: 4, endLine: 4, symbol: "A::b(int, int)" },
        ],
        secondary: [{ path: "d.ts", startLine: 7, endLine: 8, symbol: "the test of d" }],
      }),
    ]);
  });

  it.each([
    ["another header", "query\tplace\n", "must begin with"],
    ["no place", `${HEADER}\nterse\tretry backoff\n`, "shop#1 must have"],
    ["a place without lines", `${HEADER}\nterse\tretry\tsrc/retry.c\n`, 'not "src/retry.c"'],
  ])("a table with %s is refused with the reason", (_, table, reason) =>
    expect(() => parseTasks("shop", table)).toThrow(reason),
  );
});

describe("test/ranking/questions", () => {
  const tasks = readTasks(QUESTIONS);
  const readme = readFileSync(join(QUESTIONS, "README.md"), "utf8");
  const rows = [...readme.matchAll(/^\| `(\S+)` \| (\S+) \| ([0-9a-f]{40}) \| (\d+) \|$/gm)];

  it("has the repositories and the numbers of questions that its README lists", () => {
    const count = (name: string) => tasks.filter(({ repo }) => repo === name).length;
    const names = readdirSync(QUESTIONS).filter((name) => name.endsWith(".tsv"));
    expect(rows.map(([, name]) => `${name}.tsv`)).toEqual(names.toSorted());
    expect(rows.map(([, , , , questions]) => Number(questions))).toEqual(
      rows.map(([, name = ""]) => count(name)),
    );
  });

  it("has no repository that serves to judge the ranking", () => {
    const judged = readFileSync(join(ROOT, "scripts/train/excluded.txt"), "utf8").toLowerCase();
    const names = judged.split("\n").map((line) => line.split(" ")[0]);
    expect(names).toContain("tokio-rs/tokio");
    expect(rows.filter(([, , owned = ""]) => names.includes(owned.toLowerCase()))).toEqual([]);
  });

  it("asks each question of a repository once, in one of five styles", () => {
    const keys = tasks.map(({ repo, query }) => `${repo} ${query}`);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
    const styles = new Set(tasks.map(({ style = "" }) => style));
    expect([...styles].toSorted()).toEqual(["concept", "how", "symptom", "terse", "where"]);
  });

  it("has places with lines in order, by paths below the root", () => {
    const places = tasks.flatMap(({ relevant, secondary }) => [...relevant, ...secondary]);
    const isWrong = ({ path, startLine = 0, endLine = 0 }: (typeof places)[number]) =>
      startLine < 1 || endLine < startLine || /^\/|^\.\.?\//.test(path);
    expect(places.filter(isWrong)).toEqual([]);
  });
});
