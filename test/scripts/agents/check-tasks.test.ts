/** Tasks that do not fit their repository are found. */

import { afterAll, describe, expect, it } from "vitest";
import { checkTask } from "../../../scripts/agents/check-tasks.ts";
import { readRepositories, readTasks, type Task } from "../../../scripts/agents/tasks.ts";
import { commitAll, initRepository } from "../../support/git.ts";
import { temporaryWorkspace } from "../../support/workspace.ts";

const { root: folder, remove } = temporaryWorkspace(`
//- pool.py
def take():
    return 1

take()
take()
`);
afterAll(remove);
initRepository(folder);
const commit = commitAll(folder, "Take one");

/** A short hash could be a part of the commit's. */
const OTHER = "0".repeat(40);

const task = (more: Partial<Task>): Task => ({
  id: "t",
  repository: "a/b",
  kind: "find",
  first: "conceptual",
  text: "",
  places: [{ path: "pool.py", startLine: 1, endLine: 2, name: "take" }],
  ...more,
});
const calls = [4, 5].map((line) => ({ path: "pool.py", startLine: line, endLine: line }));
const grep = { pattern: "^take\\(", paths: ["*.py"] };

it.each([
  ["a place", task({})],
  ["a list", task({ kind: "list", places: calls, grep })],
  ["a commit", task({ kind: "why", commit })],
])("%s that is right has no problem", (_, right) =>
  expect(checkTask(right, { folder, commit })).toEqual([]),
);

it.each([
  ["no place", task({ places: [] }), "a place is missing"],
  ["a missing file", task({ places: [{ path: "none.py" }] }), "the file none.py is missing"],
  [
    "lines behind the end",
    task({ places: [{ path: "pool.py", startLine: 5, endLine: 6 }] }),
    "the lines pool.py:5-6 are missing",
  ],
  [
    "another name",
    task({ places: [{ path: "pool.py", startLine: 1, name: "give" }] }),
    "pool.py:1-1 does not contain give",
  ],
  [
    "an incomplete list",
    task({ kind: "list", places: calls.slice(1), grep }),
    "pool.py:4 is missing",
  ],
  [
    "a list with a wrong place",
    task({ kind: "list", places: [...calls, { path: "pool.py", startLine: 1 }], grep }),
    "pool.py:1 is not found",
  ],
  [
    "another commit",
    task({ kind: "why", commit: OTHER }),
    `${OTHER} did not write any of these lines`,
  ],
])("%s is a problem", (_, wrong, problem) =>
  expect(checkTask(wrong, { folder, commit })).toEqual([`t: ${problem} (${folder})`]),
);

describe("the tasks of the evaluation", () => {
  const tasks = readTasks();

  it("are at least forty, of five kinds, on five repositories", () => {
    expect(tasks.length).toBeGreaterThanOrEqual(40);
    expect(new Set(tasks.map(({ kind }) => kind)).size).toBe(5);
    const repositories = new Set(tasks.map(({ repository }) => repository));
    expect([...repositories].toSorted()).toEqual(
      readRepositories()
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(repositories.size).toBe(5);
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length);
  });

  it("do not name the place that they ask for", () => {
    const found = tasks.filter(({ kind }) => kind === "find");
    for (const { text, places } of found) {
      const names = places.flatMap(({ path, name = path }) => [path, name]);
      expect(names.filter((name) => text.includes(name))).toEqual([]);
    }
  });
});
