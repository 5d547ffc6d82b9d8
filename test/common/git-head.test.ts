/** Reading git's files, compared with a real repository. */

import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { gitFolder, movesSince, readHead } from "../../server/common/git-head.ts";
import { workspace } from "../support/workspace.ts";

function repositoryAt(folder: string): void {
  execFileSync("git", ["init", "-q", folder]);
}

function repository(commits: number): { root: string; hashes: string[] } {
  const root = workspace("//- a.py\nx = 1\n");
  const git = (...args: string[]) =>
    execFileSync(
      "git",
      ["-C", root, "-c", "user.name=me", "-c", "user.email=me@localhost", ...args],
      {
        encoding: "utf8",
      },
    ).trim();
  git("init", "-q", "-b", "trunk");
  const hashes = Array.from({ length: commits }, (_, i) => {
    git("commit", "-q", "--allow-empty", "-m", `commit ${i}`);
    return git("rev-parse", "HEAD");
  });
  return { root, hashes };
}

it("`readHead` returns commit and branch", async () => {
  const { root, hashes } = repository(2);
  expect(await readHead(root)).toEqual({ commit: hashes[1], branch: "trunk" });
});

it("`movesSince` counts the reflog entries since a commit", async () => {
  const { root, hashes } = repository(4);
  expect(await Promise.all(hashes.map((hash) => movesSince(root, hash)))).toEqual([3, 2, 1, 0]);
  expect(await movesSince(root, "0".repeat(39) + "1")).toBeUndefined();
});

it("The .git file of a worktree or submodule is followed", async () => {
  const { root, hashes } = repository(1);
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", root, "-c", "protocol.file.allow=always", ...args], {
      stdio: "ignore",
    });
  git("worktree", "add", "-b", "other", `${root}/tree`);
  git("submodule", "add", root, "module");
  expect(await readHead(`${root}/tree`)).toEqual({ commit: hashes[0], branch: "other" });
  expect(await readHead(`${root}/module`)).toEqual({ commit: hashes[0], branch: "trunk" });
});

it.each<[string, (target: string) => void]>([
  ["a folder that is not a git directory", () => undefined],
  ["a repository that does not point back", (target) => repositoryAt(target)],
])("A .git file is not followed to %s", async (_, make) => {
  const top = workspace("//- target/a.txt\n1\n//- open/a.py\n1\n");
  make(`${top}/target`);
  for (const target of [`${top}/target`, `${top}/target/.git`]) {
    writeFileSync(`${top}/open/.git`, `gitdir: ${target}\n`);
    expect(await gitFolder(`${top}/open`)).toBeUndefined();
  }
});

it("`readHead` returns nothing outside a repository", async () => {
  expect(await movesSince(workspace("//- a.py\n"), "1".repeat(40))).toBeUndefined();
});

it("Reading .git as a pipe does not block", async () => {
  const { root } = repository(1);
  rmSync(`${root}/.git/HEAD`);
  execFileSync("mkfifo", [`${root}/.git/HEAD`]);
  expect(await readHead(root)).toEqual({});
});
