/**
 * Hostile repositories: git runs no configured program, reads no files outside, and reading them does not fail.
 * @module-tag slow
 */

import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commitAll, git, initRepository, repositoryOf } from "../support/git.ts";
import { workspace, write } from "../support/workspace.ts";
import { historyOf } from "./support.ts";

function repository(): string {
  const root = repositoryOf("//- a.txt\none\n//- b.dat\ntwo\n");
  write(root, "//- a.txt\nthree\n//- b.dat\nfour\n");
  commitAll(root, "Go on");
  return root;
}

/** A program that leaves a file behind when it runs. */
function canary(): { readonly command: string; hasRun(): boolean } {
  const folder = workspace();
  const command = join(folder, "program");
  const trace = join(folder, "trace");
  writeFileSync(command, `#!/bin/sh\necho ran >> ${trace}\ncat 2>/dev/null\nexit 0\n`);
  chmodSync(command, 0o755);
  return { command, hasRun: () => existsSync(trace) };
}

it("reads a configuration of blank lines in linear time", async () => {
  const root = repository();
  appendFileSync(join(root, ".git", "config"), "\n".repeat(60_000));
  const start = performance.now();
  expect(await historyOf(root).read()).toMatchObject({ state: "ready", commits: 2 });
  expect(performance.now() - start).toBeLessThan(5_000);
});

it("runs no program that the repository's configuration names", async () => {
  const root = repository();
  const { command, hasRun } = canary();
  write(root, "//- .gitattributes\n* diff=evil filter=evil merge=evil\n");
  appendFileSync(
    join(root, ".git", "config"),
    `
[core]
\tfsmonitor = ${command}
\tpager = ${command}
\teditor = ${command}
\tsshCommand = ${command}
\tgitProxy = ${command}
\talternateRefsCommand = ${command}
\thooksPath = ${join(command, "..")}
[diff]
\texternal = ${command}
[diff "evil"]
\ttextconv = ${command}
\tcommand = ${command}
[filter "evil"]
\tclean = ${command}
\tsmudge = ${command}
\tprocess = ${command}
\trequired = true
[gpg]
\tprogram = ${command}
[log]
\tshowSignature = true
[alias]
\tlog = !${command}
\trev-list = !${command}
[extensions]
\tpartialClone = origin
[remote "origin"]
\turl = ext::${command}
\tuploadpack = ${command}
\tpromisor = true
[credential]
\thelper = ${command}
`,
  );
  mkdirSync(join(root, ".git", "hooks"), { recursive: true });
  for (const hook of ["post-checkout", "pre-commit", "fsmonitor-watchman", "post-index-change"]) {
    symlinkSync(command, join(root, ".git", "hooks", hook));
  }
  execFileSync("sh", ["-c", "printf '* diff=evil\\n' > .git/info/attributes"], { cwd: root });
  const { read, store, history } = historyOf(root);
  expect(await read()).toMatchObject({ state: "ready", commits: 2 });
  expect([...store.rows.values()].flatMap(({ hunks }) => hunks)).toHaveLength(4);
  const opened = await history.repository();
  expect((await history.patches.read(opened, [...store.rows.keys()])).size).toBe(2);
  await history.pullRequests.commitsOf(opened.directory, opened.head.commit, [1]);
  expect(hasRun()).toBe(false);
  // The canary is a real one: git itself would have run it.
  expect(() => git(root, "-c", "core.fsmonitor=false", "log", "-p", "--ext-diff")).toThrow("evil");
  expect(hasRun()).toBe(true);
});

it("does not use a git that is in the workspace", async () => {
  const root = repository();
  const { command, hasRun } = canary();
  mkdirSync(join(root, "bin"));
  symlinkSync(command, join(root, "bin", "git.real"));
  writeFileSync(join(root, "bin", "git"), `#!/bin/sh\nexec ${command}\n`);
  chmodSync(join(root, "bin", "git"), 0o755);
  const { read } = historyOf(root, {
    path: `bin:.:${join(root, "bin")}:${process.env["PATH"] ?? ""}`,
  });
  expect(await read()).toMatchObject({ state: "ready", commits: 2 });
  expect(hasRun()).toBe(false);
});

it.each([
  [
    "gitdir: gone/.git/worktrees/a",
    "gone/.git/worktrees/a, which does not exist: if its repository",
  ],
  ["gitdir: .git", ".git, which is not a git directory"],
  ["gitdir: /dev", ".git points to /dev, which is not a git directory"],
  ["gitdir: /dev/zero", ".git points to /dev/zero, which is not a git directory"],
  ["nothing", ".git does not name a git directory"],
])("says why a .git file is not followed: %s", async (text, reason) => {
  const root = workspace();
  writeFileSync(join(root, ".git"), `${text}\n`);
  expect(await historyOf(root).read()).toMatchObject({
    state: "unavailable",
    reason: expect.stringContaining(reason) as string,
  });
});

it("reads no repository that does not belong to the folder", async () => {
  const own = repository();
  const pointing = workspace();
  writeFileSync(join(pointing, ".git"), `gitdir: ${join(own, ".git")}\n`);
  expect(await historyOf(pointing).read()).toMatchObject({
    state: "unavailable",
    reason: expect.stringContaining("does not belong to this folder") as string,
  });

  const linking = workspace();
  symlinkSync(join(own, ".git"), join(linking, ".git"));
  expect(await historyOf(linking).read()).toMatchObject({
    state: "unavailable",
    reason: expect.stringContaining("symbolic link to another folder") as string,
  });

  const objects = repository();
  renameSync(join(objects, ".git", "objects"), join(objects, "kept"));
  symlinkSync(join(own, ".git", "objects"), join(objects, ".git", "objects"));
  expect(await historyOf(objects).read()).toMatchObject({
    state: "unavailable",
    reason: expect.stringContaining("is a symbolic link") as string,
  });
});

it("rejects alternates outside a repository", async () => {
  const root = repository();
  const other = workspace();
  mkdirSync(join(other, "objects"));
  const alternates = join(root, ".git", "objects", "info", "alternates");
  for (const store of [join(other, "objects"), "/", "../../..", '"/quoted"']) {
    writeFileSync(alternates, `${store}\n`);
    expect((await historyOf(root).read()).state).toBe("unavailable");
  }
  // Stores that name each other end somewhere.
  const second = repository();
  writeFileSync(alternates, `${join(second, ".git", "objects")}\n`);
  writeFileSync(
    join(second, ".git", "objects", "info", "alternates"),
    `${join(root, ".git", "objects")}\n`,
  );
  expect(await historyOf(root).read()).toMatchObject({
    state: "unavailable",
    reason: expect.stringContaining("too many alternates") as string,
  });
});

it("reads messages, names and files that are not UTF-8, and lines that look like diff headers", async () => {
  const root = workspace();
  initRepository(root);
  writeFileSync(join(root, "a.py"), "x\n");
  commitAll(root, "Begin");
  writeFileSync(join(root, "a.py"), "-- a/a.py\n++ b/other.py\n@@ -1 +1 @@\ndiff --git a/x b/x\n");
  writeFileSync(join(root, "b.py"), Buffer.from([0x64, 0xff, 0xfe, 0x0a]));
  const message = join(workspace(), "message");
  writeFileSync(
    message,
    Buffer.from("\u001b[31mred\u001b[0m \u202eodd \xff\xfe\n\nbody\n", "latin1"),
  );
  git(root, "add", "-A");
  git(root, "commit", "-q", "-F", message);
  const { read, store } = historyOf(root);
  expect(await read()).toMatchObject({ state: "ready", commits: 2 });
  const row = store.rows.get(git(root, "rev-parse", "HEAD"));
  expect(row?.hunks.map(({ path, lines, oldLines }) => [path, lines, oldLines])).toEqual([
    ["a.py", 4, 1],
    ["b.py", 1, 0],
  ]);
  expect(row?.body).toBe("body");
});

it("continues after missing or damaged objects", async () => {
  const root = repository();
  const [first = "", second = ""] = git(root, "rev-list", "--reverse", "HEAD").split("\n");
  const blob = git(root, "rev-parse", `${second}:a.txt`);
  const fileOf = (hash: string) => join(root, ".git", "objects", hash.slice(0, 2), hash.slice(2));
  rmSync(fileOf(blob), { force: true });
  const blobless = historyOf(root);
  expect(await blobless.read()).toMatchObject({ state: "ready", commits: 2 });
  expect(blobless.store.rows.get(second)).toMatchObject({
    subject: "Go on",
    excluded: "git cannot read its changes",
  });

  const tree = fileOf(git(root, "rev-parse", `${second}^{tree}`));
  chmodSync(tree, 0o644);
  writeFileSync(tree, "no zlib stream");
  expect(await historyOf(root).read()).toMatchObject({ state: "ready", commits: 2 });

  chmodSync(fileOf(first), 0o644);
  writeFileSync(fileOf(first), "no zlib stream");
  const broken = await historyOf(root).read();
  expect(broken.reason).toContain("history ends early");
});

it("reads the newest of a hundred thousand commits with any times and names", async () => {
  const root = workspace();
  initRepository(root);
  const escape = "\u001b]0;owned\u0007\u001b[2J";
  const commits = Array.from({ length: 100_000 }, (_, i) => {
    const message = `Commit ${i} ${escape}`;
    // Times run backwards, so that only the ancestry shows the newest commits.
    return `commit refs/heads/main\ncommitter ${escape} <a@b> ${1_700_000_000 - i} +0000\ndata ${Buffer.byteLength(message)}\n${message}\n`;
  });
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: commits.join("") });
  const { read, store } = historyOf(root, { limit: 60 });
  expect(await read()).toMatchObject({ state: "ready", commits: 60 });
  const subjects = [...store.rows.values()].map(({ subject }) => subject.split(" ", 2).join(" "));
  expect(subjects).toContain("Commit 99999");
  expect(subjects).toContain("Commit 99940");
});

it("masks secrets, including secrets over several lines", async () => {
  const root = workspace();
  initRepository(root);
  const line = "MIIEowIBAAKCAQEAx".padEnd(64, "Qk7");
  const label = "RSA PRIVATE KEY";
  const key = [`-----BEGIN ${label}-----`, line, line, `-----END ${label}-----`].join("\n");
  const rest = Array.from({ length: 20 }, (_, i) => `line_${i}\n`).join("");
  write(root, `//- a.py\n${rest}`);
  commitAll(root, "Begin");
  write(root, `//- a.py\nname = 1\n${key}\n${rest}first_after = 2\nsecond_after = 3\n`);
  commitAll(root, "Add a key");
  const texts: string[] = [];
  const { read } = historyOf(root, {
    embed: async (rows) => {
      texts.push(...rows.map(({ text = "" }) => text));
      return rows;
    },
  });
  await read();
  expect(texts.join()).toContain("name = 1");
  expect(texts.join()).toContain("\nfirst_after = 2\nsecond_after = 3");
  expect(texts.join()).not.toContain("MIIEowIBAAKCAQEAx");
});
