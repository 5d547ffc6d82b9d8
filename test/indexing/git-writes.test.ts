/** When changes of files count as git's own. */

import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isGitWriting } from "../../server/indexing/pass.ts";
import { git, repositoryOf } from "../support/git.ts";
import { workspace } from "../support/workspace.ts";

const FILES = "//- a.py\nx = 1\n";

/** A repository whose index was written an hour ago. */
function quietRepository(): string {
  const root = repositoryOf(FILES);
  const hourAgo = Date.now() / 1000 - 3_600;
  utimesSync(join(root, ".git/index"), hourAgo, hourAgo);
  return root;
}

it("git does not write during an edit, or outside of a repository", async () => {
  expect(await isGitWriting(quietRepository())).toBe(false);
  expect(await isGitWriting(workspace(FILES))).toBe(false);
});

it("git writes while the lock of the index is held, also for a linked worktree", async () => {
  const root = quietRepository();
  writeFileSync(join(root, ".git/index.lock"), "");
  expect(await isGitWriting(root)).toBe(true);
  const tree = join(workspace(), "tree");
  git(quietRepository(), "worktree", "add", "-q", "--detach", tree);
  expect(await isGitWriting(tree)).toBe(true);
});

it("git counts as writing for a moment after a checkout", async () => {
  const root = quietRepository();
  git(root, "checkout", "-q", "-b", "other");
  git(root, "rm", "-q", "--cached", "a.py");
  expect(await isGitWriting(root)).toBe(true);
});
