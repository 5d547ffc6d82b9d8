/** Hostile or very large ignore files take bounded time and never include excluded files. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DEFAULTS } from "../../../server/config/settings.ts";
import type { PartialSettings } from "../../../server/contracts/settings.ts";
import { compilePatterns } from "../../../server/indexing/ignore/ignore-patterns.ts";
import { createIgnoreRules } from "../../../server/indexing/ignore/ignore-rules.ts";
import { workspace } from "../../support/workspace.ts";

/** The exclusion rule of a path, which need not exist. */
const ruleFor = (root: string, path: string, settings: PartialSettings = {}) =>
  createIgnoreRules(root, { ...DEFAULTS, ...settings }).decide(path, "file")?.rule;

afterEach(() => vi.unstubAllEnvs());

/** A backtracking matcher takes longer than a day for each of these. */
describe("patterns with very many ways to match", () => {
  const STARS = `${"*a".repeat(30)}b`;
  const FOLDERS = `${"**/a/".repeat(30)}b`;

  it("match in bounded time, with the right result", () => {
    const find = compilePatterns([STARS, FOLDERS, "b"]);
    expect(find("a".repeat(200), false)).toBeUndefined();
    expect(find(`${"a/".repeat(200)}c`, false)).toBeUndefined();
    expect(find(`${"a".repeat(200)}b`, false)?.line).toBe(1);
    expect(find(`${"a/".repeat(200)}b`, false)?.line).toBe(3);
    expect(compilePatterns([FOLDERS])(`${"a/".repeat(200)}b`, false)?.line).toBe(1);
  });

  it.each(["((a+)+)+x", "@(a|(a|a)+)+x", "*".repeat(50), `{${"a,".repeat(50)}b}*`, STARS])(
    "match in bounded time in .gitattributes and settings: %s",
    (pattern) => {
      const root = workspace(`//- .gitattributes\n${pattern} linguist-generated\n`);
      const settings = { "indexing.includePatterns": [pattern, "*.py"] };
      expect(ruleFor(root, `${"a".repeat(60)}!.py`, settings)).toBe(
        pattern.startsWith("***") ? `.gitattributes:1 "${pattern} linguist-generated"` : undefined,
      );
    },
  );
});

/** With a regular expression that retries at each character, these took seconds. */
describe("long lines", () => {
  const LONG = 60_000;
  it.each([
    [".gitignore", `${"a".repeat(LONG)}*`],
    [".gitignore", `${"\\".repeat(LONG)}a `],
    [".gitattributes", `a.py${" ".repeat(LONG)}linguist-generated\u2028`],
  ])("a long line of %s is read in linear time", (name, line) => {
    const root = workspace();
    writeFileSync(
      join(root, name),
      `${line}\n*.tmp${name === ".gitignore" ? "" : " linguist-generated"}\n`,
    );
    const start = performance.now();
    expect(ruleFor(root, "x.tmp")).toContain(`${name}:2`);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it.each(["excludesFile", "worktree"])(
    "a long line without %s in a configuration is read in linear time",
    (name) => {
      const blank = "\n".repeat(LONG);
      const root = workspace("//- .git\ngitdir: ../module\n//- a.py\nx\n");
      const home = workspace(`//- config\n${blank}${name}\n//- gitdir\n/nowhere\n`);
      writeFileSync(join(root, ".git"), `gitdir: ${home}\n`);
      vi.stubEnv("GIT_CONFIG_GLOBAL", join(home, "config"));
      const start = performance.now();
      expect(ruleFor(root, "a.py")).toBeUndefined();
      expect(performance.now() - start).toBeLessThan(1_000);
    },
  );
});

it("A line of .gitattributes may end with a carriage return", () => {
  const root = workspace();
  writeFileSync(join(root, ".gitattributes"), "*.pb.go linguist-generated\r\n*.x -diff\r\n");
  expect(ruleFor(root, "a.pb.go")).toBe('.gitattributes:1 "*.pb.go linguist-generated"');
  expect(ruleFor(root, "a.x")).toBeUndefined();
});

it("A .gitignore pattern with many wildcards is applied", () => {
  const root = workspace("//- .gitignore\n*a*b*c*d*.conf\n**/a/**/b/**/c/**/d/**/x\n");
  expect(ruleFor(root, "xaxbxcxdx.conf")).toBe('.gitignore:1 "*a*b*c*d*.conf"');
  expect(ruleFor(root, "1/a/2/b/3/c/4/d/5/x")).toBe('.gitignore:2 "**/a/**/b/**/c/**/d/**/x"');
});

it("Too many costly patterns exclude more paths and re-include none", () => {
  const costly = (end: string) => `x${"*a".repeat(100)}${end}`;
  const find = compilePatterns([
    ...Array.from({ length: 1_000 }, (_, i) => costly(`b${i}`)),
    costly("z"),
    `!${costly("z")}`,
    "*.tmp",
  ]);
  expect(find("x.y.az", false)?.line).toBe(1_001);
  expect(find("y.az", false)).toBeUndefined();
  expect(find("x.tmp", false)?.line).toBe(1_003);
});

it("An ignore file above the size limit excludes everything", () => {
  const root = workspace("//- a/.gitignore\n*.tmp\n");
  writeFileSync(join(root, "a/.gitignore"), "x".repeat(10_000_001));
  expect(ruleFor(root, "a/b.py")).toBe('a/.gitignore:1 "larger than 10 MB"');
  expect(ruleFor(root, "b.py")).toBeUndefined();
});

it("The last of 45,000 lines decides", () => {
  const lines = Array.from(
    { length: 45_000 },
    (_, i) => ["a", "*.x", "d/b?", "/d/c"][i % 4] + `${i}`,
  );
  const find = compilePatterns([...lines, "!a4", "*.x1"]);
  expect(find("q/a8", false)?.line).toBe(9);
  expect(find("q/a4", false)?.isNegated).toBe(true);
  expect(find("q.x1", false)?.line).toBe(45_002);
  expect(find("d/bz44998", false)?.line).toBe(44_999);
  expect(find("d/c3", false)?.line).toBe(4);
  expect(find("e/c3", false)).toBeUndefined();
});
