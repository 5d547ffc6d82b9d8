/** The files that differ between a work tree and a commit. No program of an untrusted repository runs. */

import { appendFileSync, chmodSync, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveRevision } from "../../server/common/git-head.ts";
import { changedFiles, commitOf, notCheckedOut } from "../../server/history/changed-files.ts";
import { eventually } from "../support/eventually.ts";
import { commitAll, git, repositoryOf } from "../support/git.ts";
import { workspace, write } from "../support/workspace.ts";
import { historyOf } from "./support.ts";

function repository(files = "//- a.py\na\n//- b.py\nb\n//- c.py\nc\n"): string {
  const root = repositoryOf(files);
  return root;
}

async function differing(root: string, revision = "HEAD") {
  const opened = await historyOf(root).history.repository();
  const commit = (await resolveRevision(root, revision)) ?? "none";
  const { changed, untracked } = await changedFiles(opened, root, commit);
  return { changed: changed.toSorted(), untracked: untracked.toSorted() };
}

it("lists changed, staged, deleted, moved and untracked files, but no ignored ones", async () => {
  const root = repository();
  write(root, "//- a.py\nchanged\n//- new.py\nnew\n//- staged.py\ns\n");
  write(root, "//- .gitignore\n*.log\n//- x.log\nx\n");
  git(root, "add", "staged.py");
  git(root, "mv", "b.py", "moved.py");
  rmSync(join(root, "c.py"));
  chmodSync(join(root, "moved.py"), 0o755);
  expect(await differing(root)).toEqual({
    changed: ["a.py", "b.py", "c.py", "moved.py", "staged.py"],
    untracked: [".gitignore", "new.py"],
  });
});

it("lists files outside a sparse checkout, also in a part of the repository", async () => {
  const root = repository(
    "//- in/a.py\na\n//- in/out/b.py\nb\n//- in/lost.py\nl\n//- c/[c].py\nc\n",
  );
  git(root, "sparse-checkout", "set", "--sparse-index", "in/a");
  rmSync(join(root, "in/lost.py"));
  const ask = async (folder: string, paths: readonly string[]) => {
    const opened = await historyOf(folder).history.repository();
    return [...(await notCheckedOut(opened, folder, paths))].toSorted();
  };
  const inside = ["a.py", "out/b.py", "lost.py", "unknown.py"];
  const whole = [...inside.map((path) => `in/${path}`), "c/[c].py"];
  expect(await ask(root, whole)).toEqual(["c/[c].py", "in/out/b.py"]);
  expect(await ask(join(root, "in"), inside)).toEqual(["out/b.py"]);
});

it("lists no file if only its time or mode changed", async () => {
  const root = repository();
  write(root, "//- a.py\na\n");
  chmodSync(join(root, "b.py"), 0o755);
  expect(await differing(root)).toEqual({ changed: [], untracked: [] });
});

it("lists files whose text changed, but none whose line endings git converts", async () => {
  const root = repository("//- a.py\na\n//- b.py\nb\r\n//- c.py\nc\n");
  write(root, "//- a.py\na\r\n//- b.py\nb\r\nx\r\n//- c.py\nc\r\nx\r\n");
  expect((await differing(root)).changed).toEqual(["b.py", "c.py"]);
});

it("lists a file that changed in the second of its commit and kept its size", async () => {
  const root = repository();
  const second = (path: string) => Math.floor(statSync(join(root, path)).ctimeMs / 1000);
  await eventually(() => {
    write(root, "//- a.py\na\n");
    git(root, "add", "a.py");
    write(root, "//- a.py\nx\n");
    expect(second("a.py")).toBe(second(".git/index"));
  });
  // The copy that git reads is made in a later second.
  await eventually(() => expect(Date.now()).toBeGreaterThan((second("a.py") + 1) * 1000));
  expect(await differing(root)).toEqual({ changed: ["a.py"], untracked: [] });
});

it("compares with a branch, a tag, a hash and an ancestor", async () => {
  const root = repository();
  const first = git(root, "rev-parse", "HEAD");
  git(root, "branch", "old");
  git(root, "tag", "-a", "v1", "-m", "one");
  git(root, "pack-refs", "--all");
  git(root, "update-ref", "refs/remotes/origin/main", first);
  git(root, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
  write(root, "//- b.py\nsecond\n");
  commitAll(root, "Second");
  for (const revision of [
    "old",
    "v1",
    first,
    first.slice(0, 8).toUpperCase(),
    "HEAD~1",
    "@^",
    "origin",
  ]) {
    const found = { revision, ...(await differing(root, revision)) };
    expect(found).toEqual({ revision, changed: ["b.py"], untracked: [] });
  }
  expect(await differing(root)).toEqual({ changed: [], untracked: [] });
});

it("rejects revisions that are options, paths or expressions of git", async () => {
  const root = repository();
  const wrong = ["--output=x", "../../x", "HEAD:a.py", "HEAD..old", "config", "none", ""];
  const resolved = await Promise.all(wrong.map((revision) => resolveRevision(root, revision)));
  expect(resolved).toEqual(wrong.map(() => undefined));
  const { history } = historyOf(root);
  const opened = await history.repository();
  expect(await commitOf(opened, root, "dead".repeat(10))).toBeUndefined();
  const short = git(root, "rev-parse", "--short", "HEAD");
  expect(await commitOf(opened, root, short)).toBe(short);
});

it("lists only files of the workspace, relative to it", async () => {
  const top = repository("//- part/a.py\na\n//- b.py\nb\n");
  write(top, "//- part/a.py\nx\n//- b.py\nx\n//- part/n.py\nn\n//- n.py\nn\n");
  expect(await differing(join(top, "part"))).toEqual({ changed: ["a.py"], untracked: ["n.py"] });
});

it("reads a repository whose index is missing, damaged or split", async () => {
  const root = repository();
  write(root, "//- a.py\nx\n//- n.py\nn\n");
  const expected = { changed: ["a.py"], untracked: ["n.py"] };
  git(root, "update-index", "--split-index");
  expect(await differing(root)).toEqual(expected);
  writeFileSync(join(root, ".git", "index"), "no index at all");
  expect(await differing(root)).toEqual(expected);
  rmSync(join(root, ".git", "index"));
  expect(await differing(root)).toEqual(expected);
});

it("runs no program that the repository, its attributes or a submodule configure", async () => {
  const inner = repository("//- deep.py\nd\n");
  const root = repository();
  const allow = ["-c", "protocol.file.allow=always"];
  git(root, ...allow, "submodule", "add", "-q", inner, "inner");
  commitAll(root, "Add the submodule");
  const folder = workspace();
  const [command, trace] = [join(folder, "program"), join(folder, "trace")];
  writeFileSync(command, `#!/bin/sh\necho ran >> ${trace}\ncat\n`);
  chmodSync(command, 0o755);
  const config = `[core]
\tfsmonitor = ${command}
[diff]
\texternal = ${command}
[diff "evil"]
\ttextconv = ${command}
[filter "evil"]
\tclean = ${command}
\tprocess = ${command}
\trequired = true
`;
  appendFileSync(join(root, ".git", "config"), config);
  appendFileSync(join(root, ".git", "modules", "inner", "config"), config);
  write(root, "//- .gitattributes\n* filter=evil diff=evil\n//- a.py\nx\n");
  write(join(root, "inner"), "//- .gitattributes\n* filter=evil\n//- deep.py\nx\n");
  expect(await differing(root)).toEqual({ changed: ["a.py"], untracked: [".gitattributes"] });
  expect(existsSync(trace)).toBe(false);
  // The test has a meaning only because a plain git runs it.
  expect(() => git(root, "status", "--porcelain")).toThrow("clean filter");
  expect(existsSync(trace)).toBe(true);
});
