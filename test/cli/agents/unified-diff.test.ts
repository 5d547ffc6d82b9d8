/** Differences that `git apply` understands. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { unifiedDiff } from "../../../server/cli/agents/unified-diff.ts";
import { workspace } from "../../support/workspace.ts";

it.each([
  [undefined, "a\nb\n"],
  ["a\nb\n", undefined],
  ["1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nnew\n5\n6\n7\n8\n"],
  ["1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n7\n8\n"],
  ["a", "a\n\nb"],
  ["a\na\na\n", "a\na\n"],
  ["", "x\n"],
])("from %j to %j", (before, after) => {
  const root = workspace(before === undefined ? "" : `//- file\n${before}`);
  const diff = unifiedDiff(before, after, "file");
  execFileSync("git", ["apply", "-p0", "-"], { cwd: root, input: `${diff}\n` });
  const file = join(root, "file");
  const empty = after === undefined || after === "";
  expect(existsSync(file) ? readFileSync(file, "utf8") : "").toBe(empty ? "" : after);
});

it("shows three lines around the change", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n";
  expect(unifiedDiff(before, before.replace("5", "five"), "a.json").split("\n")).toEqual([
    "--- a.json",
    "+++ a.json",
    "@@ -2,7 +2,7 @@",
    " 2",
    " 3",
    " 4",
    "-5",
    "+five",
    " 6",
    " 7",
    " 8",
  ]);
});
