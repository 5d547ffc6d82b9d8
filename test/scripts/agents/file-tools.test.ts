/** The commands that both arms have: text search, reading, listing, history. */

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeFileTools, runFileTool } from "../../../scripts/agents/file-tools.ts";
import { commitAll, initRepository } from "../../support/git.ts";
import { workspace } from "../../support/workspace.ts";

function repository(): string {
  const root = workspace(`
//- src/pool.py
def take():
    return 1
//- src/deep/pool.txt
take it
`);
  initRepository(root);
  commitAll(root, "Take one");
  return root;
}

const ask = (root: string, name: string, input: object) => runFileTool(root, true, name, input);

it.each([
  [
    "grep_files",
    { pattern: "\\btake\\b" },
    "src/deep/pool.txt:1:take it\nsrc/pool.py:1:def take():",
  ],
  [
    "grep_files",
    { pattern: "TAKE", ignoreCase: true, path: "src/deep" },
    "src/deep/pool.txt:1:take it",
  ],
  ["grep_files", { pattern: "take", path: "**/*.py", filesOnly: true }, "src/pool.py:1"],
  ["grep_files", { pattern: "none" }, "No matches."],
  ["read_file", { path: "src/pool.py" }, "1\tdef take():\n2\t    return 1"],
  ["read_file", { path: "src/pool.py", from: 2, to: 9 }, "2\t    return 1"],
  ["read_file", { path: "src/pool.py", to: 1 }, "1\tdef take():\n(2 lines in all)"],
  ["list_files", {}, "src/deep/pool.txt\nsrc/pool.py"],
  ["list_files", { path: "src/*" }, "src/pool.py"],
  ["list_files", { path: "./src/deep/" }, "src/deep/pool.txt"],
])("%s %j", (name, input, text) => {
  expect(ask(repository(), name, input)).toEqual({ text, isError: false });
});

it("shows the history", () => {
  const answer = ask(repository(), "git_history", { arguments: ["log", "--format=%s"] });
  expect(answer).toEqual({ text: "Take one\n", isError: false });
});

it.each([
  ["a pattern that is wrong", "grep_files", { pattern: "(" }],
  ["an unknown argument", "grep_files", { query: "take" }],
  ["a missing file", "read_file", { path: "src/none.py" }],
  ["a file outside", "read_file", { path: "../../etc/passwd" }],
  ["a link that leads outside", "read_file", { path: "out" }],
  ["a command that changes something", "git_history", { arguments: ["commit"] }],
  ["an option that writes", "git_history", { arguments: ["log", "--output=x"] }],
])("refuses %s", (_, name, input) => {
  const root = repository();
  symlinkSync("/etc/hostname", join(root, "out"));
  const answer = ask(root, name, input);
  expect(answer?.isError).toBe(true);
  expect(answer?.text).toMatch(/^Error: \S/);
});

it("has a history only where it helps", () => {
  const names = (hasHistory: boolean) => describeFileTools(hasHistory).map(({ name }) => name);
  expect(names(false)).toEqual(["grep_files", "read_file", "list_files"]);
  expect(names(true)).toContain("git_history");
  expect(runFileTool("/", false, "git_history", { arguments: ["log"] })).toBeUndefined();
});

it("cuts long answers, and says how much is missing", () => {
  const root = workspace(`//- a.txt\n${"x".repeat(400)}\n${"x\n".repeat(300)}`);
  initRepository(root);
  commitAll(root, "Add");
  const lines = ask(root, "grep_files", { pattern: "x" })?.text.split("\n") ?? [];
  expect(lines[0]).toBe(`a.txt:1:${"x".repeat(292)}...`);
  expect(lines.at(-1)).toBe("(101 more lines)");
});
