/** Ignore rules if git directories or ignore files are damaged. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DEFAULTS } from "../../../server/config/settings.ts";
import { createIgnoreRules } from "../../../server/indexing/ignore/ignore-rules.ts";
import { workspace, write } from "../../support/workspace.ts";

const ruleFor = (root: string, path: string) =>
  createIgnoreRules(root, DEFAULTS).decide(path, "file")?.rule;

afterEach(() => vi.unstubAllEnvs());

describe("ignore rules", () => {
  it.each<[string, (git: string, above: string) => void]>([
    ["a file that leads to no repository", (git) => writeFileSync(git, "gitdir: /usr\n")],
    [
      "a file that leads nowhere",
      (git) => writeFileSync(git, "gitdir: ../gone/.git/worktrees/x\n"),
    ],
    ["an empty file", (git) => writeFileSync(git, "")],
    ["a file with other text", (git) => writeFileSync(git, "\0\ngitdir:\n")],
    ["a link to itself", (git) => symlinkSync(".git", git)],
    ["a link to nothing", (git) => symlinkSync("nothing", git)],
    ["a link to a file", (git, above) => symlinkSync(join(above, ".gitignore"), git)],
    ["an empty folder", (git) => mkdirSync(git)],
    ["a folder whose info is a file", (git) => write(join(git, ".."), "//- .git/info\nx\n")],
    [
      "a folder whose exclude is a folder",
      (git) => mkdirSync(join(git, "info/exclude"), { recursive: true }),
    ],
  ])("apply if .git is %s", (_, make) => {
    const above = workspace("//- .gitignore\n*.tmp\n");
    const root = join(above, "root");
    write(root, "//- .gitignore\n*.log\n//- in/.gitignore\n!b.log\n");
    make(join(root, ".git"), above);
    expect(ruleFor(root, "a.log")).toBe('.gitignore:1 "*.log"');
    expect(ruleFor(root, "in/b.log")).toBeUndefined();
    expect(ruleFor(root, "a.py")).toBeUndefined();
    // A file instead of a folder has no entries.
    expect(ruleFor(root, ".gitignore/a.py")).toBeUndefined();
  });

  it("are empty if the global file is a path through a file or a link to itself", () => {
    const root = workspace("//- .gitignore\n*.log\n//- config\n//- loop.txt\n");
    symlinkSync("loop", join(root, "loop"));
    for (const excludes of ["config/ignore", "loop", "."]) {
      writeFileSync(join(root, "config"), `[core]\n  excludesFile = ${join(root, excludes)}\n`);
      vi.stubEnv("GIT_CONFIG_GLOBAL", join(root, "config"));
      expect(ruleFor(root, "a.log")).toBe('.gitignore:1 "*.log"');
      expect(ruleFor(root, "a.py")).toBeUndefined();
    }
  });
});
