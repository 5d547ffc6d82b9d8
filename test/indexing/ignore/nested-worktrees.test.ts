/** Worktrees, submodules and clones below a root, made by git itself. */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULTS } from "../../../server/config/settings.ts";
import { createIgnoreRules } from "../../../server/indexing/ignore/ignore-rules.ts";
import { commitAll, git, initRepository, repositoryOf } from "../../support/git.ts";
import { workspace, write } from "../../support/workspace.ts";

function ruleFor(root: string, path: string, nestedWorktrees = false): string | undefined {
  const settings = { ...DEFAULTS, "indexing.nestedWorktrees": nestedWorktrees };
  return createIgnoreRules(root, settings).decide(path, "file")?.rule;
}

const because = (what: string) => `${what} (setting indexing.nestedWorktrees)`;

describe("a folder below the root", () => {
  it("is not a part of it as a linked worktree, ignored or not", () => {
    const root = repositoryOf("//- a.py\nx = 1\n//- .cocosearchignore\n!.worktrees/\n");
    git(root, "worktree", "add", "-q", ".worktrees/fix");
    git(root, "worktree", "add", "-q", "--detach", "tools/deep/other");
    expect(ruleFor(root, ".worktrees/fix/a.py")).toBe(because('linked worktree "fix"'));
    expect(ruleFor(root, "tools/deep/other/a.py")).toBe(because('linked worktree "other"'));
    expect(ruleFor(root, "tools/deep/a.py")).toBeUndefined();
    expect(ruleFor(root, ".worktrees/fix/a.py", true)).toBeUndefined();
    expect(ruleFor(join(root, ".worktrees/fix"), "a.py")).toBeUndefined();
  });

  it("is not a part of it as a worktree of another repository, or of one that is gone", () => {
    const top = workspace("//- main/a.py\n//- root/b.py\n");
    initRepository(join(top, "main"));
    commitAll(join(top, "main"), "first");
    git(join(top, "main"), "worktree", "add", "-q", "../root/tree");
    expect(ruleFor(join(top, "root"), "tree/a.py")).toBe(because('linked worktree "tree"'));
    rmSync(join(top, "main"), { recursive: true });
    expect(ruleFor(join(top, "root"), "tree/a.py")).toBe(because('linked worktree "tree"'));
  });

  it("is not a part of a linked worktree as the main one", () => {
    const top = workspace("//- tree/c.py\n//- tree/main/a.py\n");
    const main = join(top, "tree/main");
    initRepository(main);
    commitAll(main, "first");
    git(main, "worktree", "add", "-q", "--force", "../../other");
    rmSync(join(top, "tree/.git"), { force: true });
    // git refuses to add a worktree that contains files, so it is moved there.
    const [dot, pointer] = [join(main, ".git"), join(main, ".git/worktrees/other")];
    writeFileSync(join(top, "tree/.git"), `gitdir: ${pointer}\n`);
    writeFileSync(join(pointer, "gitdir"), `${join(top, "tree/.git")}\n`);
    expect(git(join(top, "tree"), "worktree", "list")).toContain(`${main} `);
    expect(ruleFor(join(top, "tree"), "main/a.py")).toBe(
      because('main worktree "main" of this worktree'),
    );
    expect(ruleFor(join(top, "tree"), "c.py")).toBeUndefined();
    expect(ruleFor(main, "a.py")).toBeUndefined();
    rmSync(dot, { recursive: true });
    expect(ruleFor(join(top, "tree"), "main/a.py")).toBeUndefined();
  });

  it("is a part of it as a submodule or a clone, also below a folder named worktrees", () => {
    const other = repositoryOf("//- b.py\ny = 2\n");
    const root = repositoryOf("//- a.py\nx = 1\n");
    const allow = ["-c", "protocol.file.allow=always"];
    git(root, ...allow, "submodule", "--quiet", "add", other, "sub");
    git(root, ...allow, "submodule", "--quiet", "add", other, "worktrees/sub");
    git(root, "clone", "-q", other, "clone");
    for (const folder of ["sub", "worktrees/sub", "clone"]) {
      expect(ruleFor(root, `${folder}/b.py`)).toBeUndefined();
    }
    git(join(root, "sub"), "worktree", "add", "-q", "../of-sub");
    expect(ruleFor(root, "of-sub/b.py")).toBe(because('linked worktree "of-sub"'));
  });

  it("a git directory of any name is not part of the index", () => {
    const other = repositoryOf("//- b.py\ny = 2\n");
    const root = workspace("//- HEAD\nmain\n//- objects/a.py\n//- refs/b.py\n");
    git(root, "clone", "-q", "--bare", other, "in/.bare");
    expect(ruleFor(root, "in/.bare/config")).toBe("git directory");
    expect(ruleFor(root, "in/.bare/config", true)).toBe("git directory");
    // The root itself is what the user opened.
    expect(ruleFor(root, "objects/a.py")).toBeUndefined();
  });

  it.each([
    ["itself", "gitdir: .git\n"],
    ["a device", "gitdir: /dev/null\n"],
    ["a folder outside", "gitdir: /tmp\n"],
    ["nothing", ""],
  ])("is a part of it if its .git file names %s", (_, text) => {
    const root = repositoryOf("//- in/a.py\nx = 1\n");
    writeFileSync(join(root, "in/.git"), text);
    expect(ruleFor(root, "in/a.py")).toBeUndefined();
  });

  it("is decided again when its .git is written or removed", () => {
    const root = repositoryOf("//- in/a.py\nx = 1\n");
    const rules = createIgnoreRules(root, DEFAULTS);
    expect(rules.decide("in/a.py", "file")).toBeUndefined();
    mkdirSync(join(root, ".git/worktrees/in"), { recursive: true });
    write(
      root,
      "//- in/.git\ngitdir: ../.git/worktrees/in\n//- .git/worktrees/in/commondir\n../..\n",
    );
    expect(rules.isIgnoreFile("in/.git")).toBe(true);
    rules.refresh();
    expect(rules.decide("in/a.py", "file")?.rule).toBe(because('linked worktree "in"'));
    rmSync(join(root, "in/.git"));
    rules.refresh(new Set(["in"]));
    expect(rules.decide("in/a.py", "file")).toBeUndefined();
  });
});
