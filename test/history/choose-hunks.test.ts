/** Which hunks of a commit answer a question, and how much of one is shown. */

import { expect, it } from "vitest";
import { wordsOf } from "../../server/common/words.ts";
import { chooseHunks, patchText } from "../../server/history/choose-hunks.ts";
import type { DiffHunk } from "../../server/history/parse-diff.ts";

const hunk = (path: string, ...lines: string[]): DiffHunk => ({
  path,
  start: 0,
  lines: 1,
  oldStart: 0,
  oldLines: 1,
  text: ["@@ -1 +1 @@", ...lines],
});

function check(hunks: readonly DiffHunk[], expected: readonly string[]): void {
  const asked = new Set(["pool", "open"]);
  expect(chooseHunks(hunks, asked, wordsOf).map(({ path }) => path)).toEqual(expected);
}

it("keeps the only hunk", () => check([hunk("a.py")], ["a.py"]));
it("keeps the first three hunks in the order of the diff if their scores are equal", () =>
  check([hunk("a.py"), hunk("b.py"), hunk("c.py"), hunk("d.py")], ["a.py", "b.py", "c.py"]));
it("puts hunks first that change a word of the query, not hunks with the word in context", () =>
  check(
    [hunk("a.py", " pool"), hunk("b.py", "-pool"), hunk("c.py", "+open pool")],
    ["c.py", "b.py", "a.py"],
  ));
it("counts a word of the path as two of the lines", () =>
  check(
    [hunk("a.py", "+pool"), hunk("pool.py"), hunk("c.py", "+pool", "+open", "+open")],
    ["pool.py", "c.py", "a.py"],
  ));

it("shows eighty lines of a hunk and the number of further lines", () => {
  const lines = Array.from({ length: 82 }, (_, i) => `+${i}`);
  expect(patchText(lines.slice(0, 80))).toBe(lines.slice(0, 80).join("\n"));
  expect(patchText(lines).split("\n").slice(79)).toEqual(["+79", "… 2 more lines"]);
});
