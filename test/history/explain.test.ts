/** Lines and where they come from: after renames, copies and edits that are not committed. */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseTime } from "../../server/common/time-text.ts";
import { blame, bytesAt } from "../../server/history/explain.ts";
import { locate } from "../../server/history/locate.ts";
import { mapLines } from "../../server/history/map-lines.ts";
import { maskPatch } from "../../server/history/mask-patch.ts";
import { hunksInside } from "../../server/history/parse-diff.ts";
import { GitError } from "../../server/history/run-git.ts";
import { commitAll, git, initRepository, repositoryOf } from "../support/git.ts";
import { workspace, write } from "../support/workspace.ts";
import { historyOf } from "./support.ts";

/** Enough that stays the same for git to see a rename. */
const REST =
  "def two(first, second):\n    log('two was called', first)\n    check(first, second)\n";

it("attributes each line to the same commit as git blame -w -C", async () => {
  const root = workspace(`//- a.py\ndef one():\n    return 1\n\n\n${REST}    return 2\n`);
  initRepository(root);
  const first = commitAll(root, "Begin");
  git(root, "mv", "a.py", "b.py");
  write(root, `//- b.py\ndef one():\n        return 1\n\n\n${REST}    return 3\n`);
  const second = commitAll(root, "Move and change");
  const { directory, head } = await historyOf(root).history.repository();
  const request = { head: head.commit, path: "b.py", ranges: [{ start: 0, end: 7 }] };
  const origins = await blame(directory, request);
  expect(origins.map(({ line, sha, path }) => [line, sha, path])).toEqual([
    [0, first, "a.py"],
    [1, first, "a.py"],
    [2, first, "a.py"],
    [3, first, "a.py"],
    [4, first, "a.py"],
    [5, first, "a.py"],
    [6, first, "a.py"],
    [7, second, "b.py"],
  ]);
  expect(origins.map(({ originalLine }) => originalLine)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

it("distinguishes a file that a commit lacks from one whose blob is missing, as in a partial clone", async () => {
  const origin = repositoryOf("//- a.py\none\n");
  git(origin, "config", "uploadpack.allowFilter", "true");
  const root = join(workspace(), "clone");
  git(origin, "clone", "-q", "--no-checkout", "--filter=blob:none", `file://${origin}`, root);
  const { directory, head } = await historyOf(root).history.repository();
  expect(await bytesAt(directory, head.commit, "b.py")).toBeUndefined();
  await expect(bytesAt(directory, head.commit, "a.py")).rejects.toThrow(GitError);
});

describe("uncommitted lines", () => {
  /** Lines are letters; `-` is a line without an old one. */
  function check(before: string, after: string, expected: string): void {
    const map = mapLines(before.split(""), after.split(""));
    expect(map.map((old) => (old === undefined ? "-" : old)).join("")).toBe(expected);
  }
  it("are found in the middle", () => check("abc", "axbc", "0-12"));
  it("are found at the ends", () => check("abc", "xabcy", "-012-"));
  it("are all lines of a new file", () => check("", "ab", "--"));
  it("do not exist if lines were only removed", () => check("abcd", "ad", "03"));
  it("are found among repeated lines", () => check("abab", "axbab", "0-123"));
  it("do not include lines with other white space", () => {
    expect(mapLines(["a b"], ["\ta  b"])).toEqual([0]);
  });
  it("are found in long files", () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `line ${i}`);
    const map = mapLines(lines, ["new", ...lines.slice(1, 4_000), "other", ...lines.slice(4_001)]);
    expect([map[0], map[1], map[4_000], map[4_001]]).toEqual([undefined, 1, undefined, 4_001]);
  });
});

it("finds lines of a commit in the current file", () => {
  const added = ["def load_settings(path):", "    return parse(read(path))"];
  const today = [
    "import os",
    "",
    "",
    "def load_settings(path):",
    "    log(path)",
    ...added.slice(1),
  ];
  expect(locate(added, today)).toEqual({ start: 3, end: 5 });
  expect(locate(added, ["nothing of it"])).toBeUndefined();
  expect(locate(["}"], ["}"])).toBeUndefined();
});

it("shows hunks with context, for paths in the workspace's part of a repository", async () => {
  const root = repositoryOf("//- part/a.py\none\ntwo\nthree\n//- b.py\nb\n");
  write(root, "//- part/a.py\none\n-- two\nthree\n//- b.py\nc\n");
  const sha = commitAll(root, "Go on");
  const { history } = historyOf(join(root, "part"));
  const opened = await history.repository();
  const changed = (await history.patches.read(opened, [sha])).get(sha) ?? [];
  expect(changed.map(({ path }) => path)).toEqual(["b.py", "part/a.py"]);
  const shown = hunksInside(changed, opened.repository.prefix);
  expect(shown).toHaveLength(1);
  expect(shown[0]).toMatchObject({
    path: "a.py",
    start: 0,
    lines: 3,
    text: ["@@ -1,3 +1,3 @@", " one", "-two", "+-- two", " three"],
  });
});

it("masks the body of a key whose first line is not shown", () => {
  const line = "A".repeat(64);
  const masked = maskPatch(
    ["@@ -1 +1 @@", `+${line}`, `+${line}`, `+${line}`, "+x"],
    (text) => text,
  );
  expect(masked.slice(1, 4).every((each) => /^\+\*{64}$/.test(each))).toBe(true);
  expect(masked[4]).toBe("+x");
});

describe("moments", () => {
  const now = 1_700_000_000_000;
  const cases: readonly [string | number, number | undefined][] = [
    ["90d", 1_700_000_000 - 90 * 86_400],
    ["2 weeks ago", 1_700_000_000 - 14 * 86_400],
    ["6m", 1_700_000_000 - 6 * 2_629_746],
    ["2023-01-01", 1_672_531_200],
    ["1541975747", 1_541_975_747],
    [1_541_975_747, 1_541_975_747],
    ["yesterday-ish", undefined],
    ["", undefined],
  ];
  for (const [given, wanted] of cases) {
    it(JSON.stringify(given), () => expect(parseTime(given, now)).toBe(wanted));
  }
});
