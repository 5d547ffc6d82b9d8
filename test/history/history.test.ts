/**
 * The stored history equals the ancestry of HEAD after any change to the repository.
 * @module-tag slow
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { HistoryStatus } from "../../server/contracts/history.ts";
import { readCommits } from "../../server/history/read-commits.ts";
import { commitAll, git, initRepository, repositoryOf } from "../support/git.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";
import { workspace, write } from "../support/workspace.ts";
import { historyOf, TOOLS } from "./support.ts";

/** Five commits and a merge. */
function repository(): string {
  const root = workspace();
  initRepository(root);
  for (const name of ["one", "two", "three"]) {
    write(root, `//- ${name}.py\ndef ${name}():\n    pass\n`);
    commitAll(root, `Add ${name}`);
  }
  git(root, "checkout", "-q", "-b", "side", "HEAD~1");
  write(root, "//- side.py\ndef side():\n    pass\n");
  commitAll(root, "Add side");
  git(root, "checkout", "-q", "main");
  git(root, "merge", "-q", "--no-ff", "-m", "Merge side", "side");
  return root;
}

/** The committer date of the oldest commit, in Unix seconds. */
const oldest = (root: string) =>
  Math.min(...git(root, "log", "--no-merges", "--format=%ct", "HEAD").split("\n").map(Number));

const listed = (root: string) =>
  git(root, "rev-list", "--no-merges", "HEAD").split("\n").toSorted();

async function check(root: string, { read, store }: ReturnType<typeof historyOf>): Promise<void> {
  const { state, commits, total, since } = await read();
  const wanted = listed(root);
  expect([...store.rows.keys()].toSorted()).toEqual(wanted);
  expect({ state, commits, total, since }).toEqual({
    state: "ready",
    commits: wanted.length,
    total: wanted.length,
    since: oldest(root),
  });
}

describe("the stored history equals the history of HEAD", () => {
  const changes: Record<string, (root: string) => void> = {
    "after a commit": (root) => {
      write(root, "//- four.py\n");
      commitAll(root, "Add four");
    },
    "after an amended commit": (root) => {
      git(root, "commit", "-q", "--amend", "-m", "Say it in other words");
    },
    "after a rebase": (root) => {
      git(root, "rebase", "-q", "--root");
    },
    "after a reset to an older commit": (root) => {
      git(root, "reset", "-q", "--hard", "HEAD~2");
    },
    "after unreachable commits are pruned": (root) => {
      git(root, "reset", "-q", "--hard", "HEAD~1");
      git(root, "reflog", "expire", "--expire=now", "--all");
      git(root, "branch", "-q", "-D", "side");
      git(root, "gc", "-q", "--prune=now");
    },
    "after another branch without a common commit is checked out": (root) => {
      git(root, "checkout", "-q", "--orphan", "other");
      commitAll(root, "Begin again");
    },
  };
  for (const [name, change] of Object.entries(changes)) {
    it(name, async () => {
      const root = repository();
      const history = historyOf(root);
      await check(root, history);
      change(root);
      await check(root, history);
    });
  }

  it("it is equal after a shallow clone was deepened", async () => {
    const origin = repository();
    const root = workspace();
    git(root, "clone", "-q", "--depth", "1", `file://${origin}`, ".");
    const history = historyOf(root);
    await check(root, history);
    const reason = "history ends early: the clone is shallow (git fetch --unshallow)";
    expect(history.history.status).toMatchObject({ state: "ready", reason });
    git(root, "fetch", "-q", "--deepen", "1");
    await check(root, history);
    git(root, "fetch", "-q", "--unshallow");
    await check(root, history);
    expect(history.history.status.reason).toBeUndefined();
    expect(history.store.rows.size).toBe(4);
  });

  it("a query sees it before new commits are read", async () => {
    const root = repository();
    const { history, read } = historyOf(root);
    await read();
    write(root, "//- own.py\n");
    const commit = commitAll(root, "Add own");
    expect((await history.repository()).head.commit).toBe(commit);
    rmSync(join(root, ".git"), { recursive: true });
    await expect(history.repository()).rejects.toThrow("the folder is not in a git work tree");
  });

  it("it is equal in a worktree, a submodule and a clone with alternates", async () => {
    const origin = repository();
    const tree = join(workspace(), "tree");
    git(origin, "worktree", "add", "-q", "--detach", tree, "HEAD~1");
    await check(tree, historyOf(tree));

    const borrower = join(workspace(), "borrower");
    git(origin, "clone", "-q", "--shared", origin, borrower);
    write(borrower, "//- own.py\n");
    commitAll(borrower, "Add own");
    await check(borrower, historyOf(borrower));

    const outer = workspace();
    initRepository(outer);
    git(outer, "-c", "protocol.file.allow=always", "submodule", "-q", "add", origin, "inner");
    await check(join(outer, "inner"), historyOf(join(outer, "inner")));
  });

  it("it is equal after a force-pushed branch was fetched", async () => {
    const origin = repository();
    const root = join(workspace(), "clone");
    git(origin, "clone", "-q", `file://${origin}`, root);
    const history = historyOf(root);
    await check(root, history);
    git(origin, "reset", "-q", "--hard", "HEAD~2");
    write(origin, "//- forced.py\n");
    commitAll(origin, "Force another way");
    git(root, "fetch", "-q", "--force", "origin");
    git(root, "reset", "-q", "--hard", "origin/main");
    await check(root, history);
  });

  it("it is equal while HEAD moves back and its old commits are pruned and repacked", async () => {
    const root = repository();
    let isFirst = true;
    const history = historyOf(root, {
      gate: async () => {
        if (!isFirst) return;
        isFirst = false;
        git(root, "reset", "-q", "--hard", "HEAD~1");
        git(root, "reflog", "expire", "--expire=now", "--all");
        git(root, "branch", "-q", "-D", "side");
        git(root, "gc", "-q", "--prune=now");
        history.history.refresh();
      },
    });
    await check(root, history);
  });

  it("it is equal while HEAD moves", async () => {
    const root = repository();
    let isFirst = true;
    const history = historyOf(root, {
      gate: async () => {
        if (!isFirst) return;
        isFirst = false;
        git(root, "commit", "-q", "--amend", "-m", "Moved meanwhile");
        history.history.refresh();
      },
    });
    await check(root, history);
  });
});

it("never reports more commits than exist, also while old commits are removed", async () => {
  const root = repository();
  const told: HistoryStatus[] = [];
  const { history, read, store } = historyOf(root, {
    gate: async () => void told.push({ ...history.status }),
  });
  await read();
  git(root, "reset", "-q", "--hard", "HEAD~2");
  write(root, "//- next.py\ndef next():\n    pass\n");
  commitAll(root, "Add next");
  told.length = 0;
  await read();
  expect(told.length).toBeGreaterThan(0);
  for (const { commits, total } of told) expect(commits).toBeLessThan(total);
  expect(store.rows.size).toBe(listed(root).length);
});

it("returns a row for each requested commit, also for a merge, which has no changes", async () => {
  const root = repository();
  const { directory } = await historyOf(root).history.repository();
  const shas = git(root, "rev-list", "HEAD").split("\n");
  const rows = await readCommits(shas, { directory, prefix: "", tools: TOOLS });
  expect(rows.map(({ sha }) => sha).toSorted()).toEqual(shas.toSorted());
});

it("continues an interrupted run where it stopped", async () => {
  const root = repository();
  const first = historyOf(root, { limit: 2 });
  expect(await first.read()).toMatchObject({
    state: "ready",
    commits: 2,
    reason: "history ends early: only the newest 2 commits are read (setting history.commits)",
  });
  expect([...first.store.rows.values()].map(({ subject }) => subject)).toContain("Add side");

  const seen: number[] = [];
  const second = historyOf(root, {
    store: () => first.store,
    changed: (rows) => void seen.push(rows.length),
  });
  await second.read();
  expect([...first.store.rows.keys()].toSorted()).toEqual(listed(root));
  expect(seen).toEqual([2]);
  expect(second.history.status.reason).toBeUndefined();
  await second.read();
  expect(seen).toEqual([2]);
});

it("does not say that history ends early when the limit is the number of commits", async () => {
  const { read } = historyOf(repository(), { limit: 4 });
  const status = await read();
  expect(status).toMatchObject({ state: "ready", commits: 4 });
  expect(status.reason).toBeUndefined();
});

it("reads the newest commits before the files are indexed, after a first query", async () => {
  const root = repository();
  const { history, store } = historyOf(root, {
    gate: async (signal, isUrgent) => {
      while (!isUrgent()) await delay(1, undefined, { signal });
    },
  });
  await history.firstCommits(undefined);
  expect(history.status.commits).toBeGreaterThan(0);
  await history.whenIdle();
  expect([...store.rows.keys()].toSorted()).toEqual(listed(root));
});

it("answers a query immediately without a history", async () => {
  const { history } = historyOf(workspace("//- a.py\n"));
  await history.firstCommits(undefined);
  expect(history.status.state).toBe("unavailable");
});

it("reads nothing if history is turned off, git is missing, or the folder is outside a repository", async () => {
  const root = repository();
  const off = historyOf(root, { offReason: "nobody wants it" });
  const told = { state: "off", reason: "nobody wants it" };
  expect(off.history.status).toMatchObject(told);
  expect(await off.read()).toMatchObject(told);
  await off.history.halt();
  expect(off.history.status).toMatchObject(told);
  expect(await historyOf(root, { path: "relative:/nowhere" }).read()).toMatchObject({
    state: "unavailable",
    reason: "git is not on the PATH",
  });
  expect(await historyOf(workspace("//- a.py\n")).read()).toMatchObject({
    state: "unavailable",
    reason: "the folder is not in a git work tree",
  });
});

it("reports a repository without commits, also behind a .git file that belongs to it", async () => {
  const own = workspace();
  git(own, "init", "-q");
  const linked = workspace();
  git(linked, "init", "-q", `--separate-git-dir=${join(workspace(), "kept")}`);
  git(linked, "config", "core.worktree", linked);
  for (const root of [own, linked]) {
    expect(await historyOf(root).read()).toMatchObject({
      state: "unavailable",
      reason: `the repository of ${root} has no commit`,
    });
  }
});

it("reads author, time, message and changed lines", async () => {
  const root = repositoryOf(
    "//- a.py\ndef first():\n    return 1\n\n\ndef second():\n    return 2\n",
    "Add two functions",
  );
  write(root, "//- a.py\ndef first():\n    return 1\n\n\ndef second():\n    x = 3\n    return x\n");
  const sha = commitAll(root, "Return three\nfrom second\n\nBecause two was wrong.\n\nAnd more.");
  const { store, read } = historyOf(root);
  await read();
  expect(store.rows.get(sha)).toMatchObject({
    author: "Ada <ada@localhost>",
    subject: "Return three from second",
    body: "Because two was wrong.\n\nAnd more.",
    files: [{ path: "a.py", status: "modified" }],
    hunks: [{ path: "a.py", start: 5, lines: 2, oldStart: 5, oldLines: 1, symbols: ["second"] }],
  });
});

it("follows renames, reads paths of any form, and skips files that the index excludes", async () => {
  const root = repositoryOf("//- old.py\ndef keep():\n    return 'the same text as before'\n");
  git(root, "mv", "old.py", "new.py");
  const odd = 'tab\there "quoted" ü.py';
  writeFileSync(join(root, odd), "def odd():\n    pass\n");
  write(root, "//- vendor/lib.py\ndef lib():\n    pass\n");
  const sha = commitAll(root, "Move");
  const { store, read } = historyOf(root);
  await read();
  const row = store.rows.get(sha);
  expect(row?.files.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: "new.py", status: "renamed", from: "old.py" },
    { path: odd, status: "added" },
  ]);
  expect(row?.hunks.map(({ path }) => path)).toEqual([odd]);
});

it("reads only the message of commits over a hundred files, and only the workspace's part of a repository", async () => {
  const root = workspace();
  initRepository(root);
  const addMany = (folder: string) => {
    mkdirSync(join(root, folder));
    for (let i = 0; i < 101; i++) writeFileSync(join(root, folder, `${i}.py`), "x\n");
    return commitAll(root, "Import");
  };
  const large = addMany("part");
  const elsewhere = addMany("other");
  write(root, "//- part/a.py\ndef a():\n    pass\n");
  const inside = commitAll(root, "Add a part");
  write(root, "//- b.py\n");
  const outside = commitAll(root, "Add beside it");
  const { store, read } = historyOf(join(root, "part"));
  await read();
  expect(store.rows.get(large)).toMatchObject({ excluded: "more than 100 files", hunks: [] });
  expect(store.rows.get(large)?.files).toHaveLength(101);
  expect(found(store)).toEqual(new Set([large, inside]));
  expect(store.rows.get(inside)?.files).toEqual([{ path: "a.py", status: "added" }]);
  for (const sha of [outside, elsewhere]) {
    expect(store.rows.get(sha)).toMatchObject({ excluded: "no indexed file" });
  }
});

it("reads messages and file lists of commits in a partial clone", async () => {
  const origin = workspace();
  initRepository(origin);
  const shas = ["Begin", "Go on", "End"].map((subject) => {
    write(origin, `//- part/a.py\n${subject}\n//- b.py\n${subject}\n`);
    return commitAll(origin, subject);
  });
  write(origin, "//- b.py\n");
  commitAll(origin, "Change it beside the part");
  git(origin, "config", "uploadpack.allowFilter", "true");
  const root = join(workspace(), "clone");
  git(origin, "clone", "-q", "--filter=blob:none", `file://${origin}`, root);
  const { store, read } = historyOf(join(root, "part"));
  expect(await read()).toMatchObject({ state: "ready", commits: 4 });
  expect(found(store)).toEqual(new Set(shas));
  expect(store.rows.get(shas[1] ?? "")).toMatchObject({
    subject: "Go on",
    excluded: "git cannot read its changes",
    files: [{ path: "a.py", status: "modified" }],
  });
});

/** The commits that questions are answered from. */
function found(store: ReturnType<typeof historyOf>["store"]): Set<string> {
  return new Set([...store.rows.values()].flatMap(({ sha, lanes }) => (lanes === "" ? [] : [sha])));
}

leaveNothingBehind();
