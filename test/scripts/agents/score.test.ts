/** Which answers of an agent are right, and how they are read. */

import { describe, expect, it } from "vitest";
import { answerIn } from "../../../scripts/agents/answer.ts";
import { score } from "../../../scripts/agents/score.ts";
import type { Kind, Place, Task } from "../../../scripts/agents/tasks.ts";

/** `a:10-20` is a place, `a` a file, `a:10!x` a place of the group x. */
function placesOf(text: string): Place[] {
  return text
    .split(" ")
    .filter(Boolean)
    .map((each) => {
      const [, path = "", from, to = from, group] =
        /^(\w+)(?::(\d+)(?:-(\d+))?)?(?:!(\w+))?$/.exec(each) ?? [];
      const lines = from === undefined ? {} : { startLine: Number(from), endLine: Number(to) };
      return { path, ...lines, ...(group === undefined ? {} : { group }) };
    });
}

const taskOf = (kind: Kind, wanted: string, neutral = ""): Task => ({
  id: "t",
  repository: "a/b",
  kind,
  first: "conceptual",
  text: "",
  places: placesOf(wanted),
  neutral: placesOf(neutral),
});

describe("the score", () => {
  it.each([
    ["find", "a:10-20", "a:15", true, 1, 1],
    ["find", "a:10-20", "a:20-30", true, 1, 1],
    ["find", "a:10-20", "a:21-30", false, 0, 0],
    ["find", "a:10-20", "a", false, 0, 0],
    // Only the first three places count.
    ["find", "a:10-20", "b:1 c:1 a:10", true, 1, 1 / 3],
    ["find", "a:10-20", "b:1 c:1 d:1 a:10", false, 0, 0],
    ["list", "a:1 a:2 b:3", "b:3 a:1 a:2", true, 1, 1],
    ["list", "a:1 a:2 b:3", "a:1 a:2", false, 2 / 3, 1],
    ["list", "a:1 a:2", "a:1 a:2 b:3", false, 1, 2 / 3],
    // A range would find each line in it.
    ["list", "a:1 a:2", "a:1-2", false, 0, 0],
    ["breaks", "a b", "a b", true, 1, 1],
    ["breaks", "a b", "b:7 a:3 c d", true, 1, 0.5],
    ["breaks", "a b", "a b c d e", false, 1, 0.4],
    ["pattern", "a:1-9!m b:1-9!m c:5", "b:2 c:5", true, 1, 1],
    ["pattern", "a:1-9!m b:1-9!m c:5", "a:2 b:2", false, 0.5, 1],
  ] as const)("%s: of %s the answer %s", (kind, wanted, answered, isRight, recall, precision) => {
    expect(score(taskOf(kind, wanted), placesOf(answered))).toEqual({ isRight, recall, precision });
  });

  it("leaves neutral places out", () =>
    expect(score(taskOf("list", "a:1", "a:9"), placesOf("a:1 a:9"))).toMatchObject({
      isRight: true,
      precision: 1,
    }));

  it("finds nothing in an empty answer", () =>
    expect(score(taskOf("list", "a:1"), [])).toEqual({ isRight: false, recall: 0, precision: 0 }));

  it.each([
    ["abcdef0123", true],
    ["ABCDEF0", true],
    // Too short to name one commit.
    ["abcdef", false],
    ["abcdef9", false],
    ["", false],
  ])("takes the commit %s", (commit, isRight) => {
    const task = { ...taskOf("why", "a:1"), commit: "abcdef0123456789" };
    expect(score(task, [{ path: "", commit }]).isRight).toBe(isRight);
  });

  it("reads a path from the folder", () =>
    expect(score(taskOf("find", "a:1"), [{ path: "./a", startLine: 1 }]).isRight).toBe(true));
});

describe("the answer", () => {
  it.each([
    ["alone", '{"places": []}', []],
    [
      "the last of several",
      'first {"places": [{"path": "a"}]}\nthen {"places": [{"path": "b", "startLine": 2}]} done',
      [{ path: "b", startLine: 2 }],
    ],
    ["in a block", '```json\n{\n  "places": [{"path": "a"}]\n}\n```\n', [{ path: "a" }]],
    ["before another object", '{"places": [{"path": "a"}]} {"cost": {"usd": 1}}', [{ path: "a" }]],
    ["with more fields", '{"note": "}", "places": [{"path": "a", "why": "{"}]}', [{ path: "a" }]],
    ["with a commit", '{"places":[{"commit":"abc"}]}', [{ path: "", commit: "abc" }]],
  ])("%s", (_, printed, places) => expect(answerIn(printed)).toEqual(places));

  it.each([
    ["nothing", ""],
    ["prose", "It is in pool.ts {somewhere}."],
    ["cut off", '{"places": [{"path": "a"}'],
    ["of another shape", '{"places": "a"}'],
    ["with a line before the first", '{"places": [{"path": "a", "startLine": 0}]}'],
  ])("is missing: %s", (_, printed) => expect(answerIn(printed)).toBeUndefined());
});
