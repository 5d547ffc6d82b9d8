/**
 * Reads the changes of commits from long-running git processes, which die, hang and are cancelled while objects move.
 * @module-tag slow
 */

import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { DiffPool } from "../../server/history/diff-pool.ts";
import { parseDiff } from "../../server/history/parse-diff.ts";
import { PatchReader, type PatchSource } from "../../server/history/patch-reader.ts";
import { eventually } from "../support/eventually.ts";
import { commitAll, git, repositoryOf } from "../support/git.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";
import { workspace, write } from "../support/workspace.ts";
import { historyOf } from "./support.ts";

interface Opened {
  readonly root: string;
  readonly source: PatchSource;
  /** Oldest first. */
  readonly shas: readonly string[];
}

async function repository(): Promise<Opened> {
  const root = repositoryOf("//- a.py\none\ntwo\nthree\nfour\n//- b c.py\nb\n");
  write(root, "//- a.py\none\n=end\nthree\nfour\n");
  commitAll(root, "Write what looks like an end");
  git(root, "mv", "a.py", "moved.py");
  write(root, "//- moved.py\none\n=end\nthree\nfive\n");
  commitAll(root, "Move");
  git(root, "commit", "-q", "--allow-empty", "-m", "Change nothing");
  rmSync(join(root, "b c.py"));
  commitAll(root, "Delete");
  const source = await historyOf(root).history.repository();
  return { root, source, shas: git(root, "rev-list", "--reverse", "HEAD").split("\n") };
}

function reader(limits: ConstructorParameters<typeof PatchReader>[0] = {}): PatchReader {
  const made = new PatchReader(limits);
  onTestFinished(() => made.close());
  return made;
}

/** The same repository read by a program in place of git; `started` counts its starts. */
function through({ source }: Opened, script: (git: string) => string) {
  const folder = workspace();
  const [program, trace] = [join(folder, "git"), join(folder, "trace")];
  const { git: real } = source.directory;
  writeFileSync(program, `#!/bin/sh\necho started >> ${trace}\n${script(real)}\n`);
  chmodSync(program, 0o755);
  const started = () =>
    existsSync(trace) ? readFileSync(trace, "utf8").split("\n").length - 1 : 0;
  return { ...source, directory: { ...source.directory, git: program }, started };
}

/** Shows commits one by one, and never comes to an end of this one. */
const hanging = (sha: string) => (real: string) =>
  `while read line; do case $line in ${sha}) while read line; do :; done;; =*) echo "$line";; *) echo "$line" | ${real} "$@";; esac; done`;

it("returns the same diffs as git log", async () => {
  const { root, source, shas } = await repository();
  const found = await reader().read(source, shas);
  for (const sha of shas) {
    const log = git(root, "log", "-1", "-p", "-M", "--format=", sha);
    expect(found.get(sha)).toEqual(parseDiff(log));
  }
  expect(shas.map((sha) => found.get(sha)?.length)).toEqual([2, 1, 1, 0, 1]);
});

it("skips missing commits and returns the others", async () => {
  const { source, shas } = await repository();
  const missing = "0123456789012345678901234567890123456789";
  const found = await reader().read(source, [missing, ...shas]);
  expect([...found.keys()].toSorted()).toEqual(shas.toSorted());
});

it("retries a commit whose process was killed", async () => {
  const opened = await repository();
  const trace = join(workspace(), "died");
  const source = through(
    opened,
    (real) =>
      `if [ ! -e ${trace} ]; then : > ${trace}; read line; echo "$line"; exit 1; fi; exec ${real} "$@"`,
  );
  const [sha = ""] = opened.shas;
  const patches = reader();
  expect((await patches.read(source, [sha])).get(sha)).toHaveLength(2);
  expect(existsSync(trace)).toBe(true);
  expect((await patches.read(source, opened.shas)).size).toBe(5);
});

it("reads commits after objects were repacked and pruned", async () => {
  const { root, source, shas } = await repository();
  const [first = "", second = "", third = ""] = shas;
  const patches = reader();
  await patches.read(source, [first]);
  git(root, "gc", "-q", "--prune=now");
  expect((await patches.read(source, [second])).get(second)).toHaveLength(1);
  write(root, "//- new.py\nnew\n");
  const gone = commitAll(root, "Go away");
  git(root, "reset", "-q", "--hard", "HEAD~1");
  git(root, "reflog", "expire", "--expire=now", "--all");
  git(root, "gc", "-q", "--prune=now");
  const found = await patches.read(source, [gone, third]);
  expect([...found.keys()]).toEqual([third]);
});

it("gives up a commit that takes too long, and does not retry it immediately", async () => {
  const opened = await repository();
  const [first = "", second = ""] = opened.shas;
  const source = through(opened, hanging(first));
  const patient = reader();
  const stop = new AbortController();
  const hung = patient.read(source, [first], stop.signal);
  // The others are shown meanwhile.
  expect((await patient.read(source, [second])).get(second)).toHaveLength(1);
  stop.abort(new Error("cancelled"));
  await expect(hung).rejects.toThrow("cancelled");

  const hasty = reader({ commitMs: 50 });
  expect((await hasty.read(source, [first])).size).toBe(0);
  const before = source.started();
  expect((await hasty.read(source, [first])).size).toBe(0);
  expect(source.started()).toBe(before);
});

it("completes a started diff after a cancellation, and starts no other", async () => {
  const opened = await repository();
  const source = through(opened, (real) => `exec ${real} "$@"`);
  const patches = reader();
  const stop = new AbortController();
  const cancelled = patches.read(source, opened.shas, stop.signal);
  const [, , , , last = ""] = opened.shas;
  stop.abort(new Error("cancelled"));
  await expect(cancelled).rejects.toThrow("cancelled");
  // A question that wants the same is not cancelled with it.
  expect((await patches.read(source, [last])).get(last)).toHaveLength(1);
  expect((await patches.read(source, opened.shas)).size).toBe(5);
  await expect(patches.read(source, [last], stop.signal)).rejects.toThrow("cancelled");
  expect(source.started()).toBeLessThanOrEqual(4);
});

it("returns the beginning of a huge diff, and the next diff in full", async () => {
  const { root, source, shas } = await repository();
  const line = "some words of a line\n";
  for (let i = 0; i < 10; i++) {
    writeFileSync(join(root, `data-${i}.txt`), line.repeat(90_000));
  }
  const huge = commitAll(root, "Add much");
  const [first = ""] = shas;
  const patches = reader();
  const found = await patches.read(source, [huge, first]);
  expect(found.get(huge)?.[0]).toMatchObject({ path: "data-0.txt", lines: 90_000 });
  expect(found.get(huge)?.length).toBeLessThan(10);
  expect(found.get(first)).toHaveLength(2);
  expect((await patches.read(source, [shas[1] ?? ""])).size).toBe(1);
});

it("returns other diffs after the shallow boundary has moved", async () => {
  const { root, shas } = await repository();
  const [, , third = ""] = shas;
  const clone = join(workspace(), "clone");
  git(root, "clone", "-q", "--depth=3", `file://${root}`, clone);
  const { history } = historyOf(clone);
  const before = await history.repository();
  expect((await history.patches.read(before, [third])).get(third)).toHaveLength(2);
  git(clone, "fetch", "-q", "--unshallow");
  const after = historyOf(clone, { folder: join(before.directory.folder, "..") });
  const opened = await after.history.repository();
  expect((await history.patches.read(opened, [third])).get(third)).toHaveLength(1);
});

it("ends its processes after an idle period", async () => {
  const { source, shas } = await repository();
  const pool = new DiffPool({ directory: source.directory, idleMs: 1 });
  onTestFinished(() => pool.close());
  pool.prepare();
  expect(pool.size).toBeGreaterThan(1);
  const { output } = await pool.show(shas[0] ?? "", () => true);
  expect(output).toContain("+three");
  await eventually(() => expect(pool.size).toBe(0));
});

leaveNothingBehind();
