/** Discovery: links, unusual names, and the rules of excluded files. */

import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULTS } from "../../../server/config/settings.ts";
import { discover } from "../../../server/indexing/discovery/discover.ts";
import { FolderListings } from "../../../server/indexing/discovery/folder-listings.ts";
import { createIgnoreRules } from "../../../server/indexing/ignore/ignore-rules.ts";
import { commitAll, git, initRepository } from "../../support/git.ts";
import { walk } from "../../support/walk.ts";
import { workspace, write } from "../../support/workspace.ts";

describe("links", () => {
  it("Links are followed once, and only inside the root", async () => {
    const outside = workspace("//- secret.py\n");
    const root = workspace("//- a/x.py\n//- build-output/y.py\n//- .gitignore\nbuild-output\n");
    symlinkSync(join(root, "a"), join(root, "again"));
    symlinkSync(root, join(root, "a", "loop"));
    symlinkSync(outside, join(root, "out"));
    symlinkSync(join(outside, "secret.py"), join(root, "out.py"));
    symlinkSync(join(root, "missing"), join(root, "nowhere"));
    symlinkSync(join(root, "build-output"), join(root, "linked"));
    symlinkSync(join(root, "build-output"), join(root, "linked-again"));
    symlinkSync(join(root, "build-output"), join(root, "build-output", "loop"));
    const { paths, rules } = await walk(root);
    expect(paths).toEqual([".gitignore", "a/x.py", "linked/y.py"]);
    expect(rules).toMatchObject({
      again: "link to an indexed path",
      "a/loop": "link to an indexed path",
      "linked-again": "link to an indexed path",
      "linked/loop": "link to an indexed path",
      out: "link out of the workspace",
      "out.py": "link out of the workspace",
      nowhere: "broken link",
    });
  });
});

it("Links to secrets and into version control are not followed", async () => {
  const root = workspace("//- .env\nKEY=1\n//- .git/config\nx\n//- .aws/config\nx\n");
  symlinkSync(join(root, ".env"), join(root, "notes.txt"));
  symlinkSync(join(root, ".git"), join(root, "git"));
  symlinkSync(join(root, ".aws"), join(root, "cloud"));
  const { paths, rules } = await walk(root);
  expect(paths).toEqual([]);
  expect(rules).toMatchObject({
    "notes.txt": "link to secrets",
    cloud: "link to secrets",
    git: "link into version control",
  });
});

it("Cached folder listings are used once", async () => {
  const root = workspace("//- a/x.py\n//- a/y.py\n//- b/x.py\n//- c.py\n");
  const listings = new FolderListings();
  listings.note("a", readdirSync(join(root, "b"), { withFileTypes: true }));
  const rules = createIgnoreRules(root, DEFAULTS);
  const found = async () => {
    const paths: string[] = [];
    for await (const { path } of discover(root, rules, { listings })) paths.push(path);
    return paths;
  };
  expect(await found()).toEqual(["a/x.py", "b/x.py", "c.py"]);
  expect(await found()).toEqual(["a/x.py", "a/y.py", "b/x.py", "c.py"]);
});

it(".git files of worktrees and submodules, and their targets, are excluded", async () => {
  const main = join(workspace(), "main");
  mkdirSync(main);
  initRepository(main);
  write(main, "//- a.py\nx = 1\n");
  commitAll(main, "Begin");
  const tree = join(main, "../tree");
  git(main, "worktree", "add", "-q", tree);
  git(tree, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", main, "inner");
  expect(statSync(join(tree, ".git")).isFile()).toBe(true);
  expect(statSync(join(tree, "inner/.git")).isFile()).toBe(true);
  const { paths } = await walk(tree);
  expect(paths).toEqual([".gitmodules", "a.py", "inner/a.py"]);
  const rules = createIgnoreRules(tree, DEFAULTS);
  expect(rules.decide(".git", "file")).toBeDefined();
  expect(rules.decide("inner/.git", "file")).toBeDefined();
});

describe("odd trees", () => {
  it("Paths are yielded in order", async () => {
    const root = workspace();
    const names = [
      "it's.py",
      'a "quote".py',
      "new\nline.py",
      "😀.py",
      " lead.py",
      "ünï.py",
      "-x.py",
    ];
    for (const name of names) writeFileSync(join(root, name), "x");
    const { paths } = await walk(root);
    expect(paths).toEqual(names.toSorted());
  });

  it("A name that is not valid UTF-8 is excluded", async () => {
    const root = workspace("//- ok.py\n");
    writeFileSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff, 0xfe])]), "x");
    const { paths, rules } = await walk(root);
    expect(paths).toEqual(["ok.py"]);
    expect(Object.values(rules)).toEqual(["name is not valid UTF-8"]);
  });

  it("A walk ends when its signal aborts", async () => {
    const root = workspace("//- a/b.py\n");
    const rules = createIgnoreRules(root, DEFAULTS);
    const walking = discover(root, rules, { signal: AbortSignal.abort() });
    await expect(walking.next()).rejects.toThrow("aborted");
  });

  it("`under` limits the walk to one folder", async () => {
    const root = workspace("//- .gitignore\nout/\n//- a/x.py\n//- b/y.py\n//- out/z.py\n");
    const rules = createIgnoreRules(root, DEFAULTS);
    const below = async (under: string) => {
      const paths: string[] = [];
      for await (const { path } of discover(root, rules, { under })) paths.push(path);
      return paths;
    };
    expect(await below("b")).toEqual(["b/y.py"]);
    expect(await below("out")).toEqual([]);
  });

  it("`refresh` reads ignore files again", () => {
    const root = workspace("//- .gitignore\n*.py\n");
    const rules = createIgnoreRules(root, DEFAULTS);
    expect(rules.decide("a.py", "file")).toEqual({ rule: '.gitignore:1 "*.py"' });
    write(root, "//- .gitignore\n*.js\n");
    rules.refresh();
    expect(rules.decide("a.py", "file")).toBeUndefined();
  });

  it("`refresh` with folders reads only ignore files in and below them", () => {
    const root = workspace(
      "//- .gitignore\n\n//- lib/in/.gitignore\n*.py\n//- lib2/.gitignore\n*.py\n",
    );
    const rules = createIgnoreRules(root, DEFAULTS);
    const leftOut = () =>
      ["a.py", "lib/a.py", "lib/in/a.py", "lib2/a.py"].filter((path) => rules.decide(path, "file"));
    expect(leftOut()).toEqual(["lib/in/a.py", "lib2/a.py"]);
    write(
      root,
      "//- .gitignore\na.py\n//- lib/.gitignore\na.py\n//- lib/in/.gitignore\n\n!a.py\n//- lib2/.gitignore\n\n",
    );
    rules.refresh(new Set(["lib", "new/folder"]));
    expect(leftOut()).toEqual(["lib/a.py", "lib2/a.py"]);
  });
});
