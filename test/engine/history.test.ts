/**
 * The commit history of a workspace in the real engine: reading, following, searching and explaining.
 * @module-tag slow
 */

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import type { HistoryStatus } from "../../server/contracts/history.ts";
import type { Session } from "../../server/contracts/session.ts";
import type { PartialSettings } from "../../server/contracts/settings.ts";
import { encode } from "../support/encode.ts";
import { engineInProcess, sessionOf } from "../support/engine-in-process.ts";
import { commitAll, git, initRepository, repositoryOf } from "../support/git.ts";
import { workspace, write } from "../support/workspace.ts";

const engine = engineInProcess();
afterAll(() => engine.dispose());

const CLIENT = "def connect(host):\n    return open_socket(host)\n";

function repository(): { root: string; retry: string } {
  const root = repositoryOf(`//- client.py\n${CLIENT}`, "Add a client");
  write(root, `//- client.py\n${CLIENT}\n\ndef retry(request):\n    return send_again(request)\n`);
  const retry = commitAll(root, "Try requests again that time out\n\nServers restart at night.");
  write(root, "//- docs.md\n# Docs\n");
  commitAll(root, "Describe the client");
  return { root, retry };
}

async function open(root: string, settings: PartialSettings = {}): Promise<Session> {
  const session = await start(settings);
  await session.openFolders([root]);
  await session.whenIdle();
  return session;
}

async function start(settings: PartialSettings = {}): Promise<Session> {
  const session = sessionOf(engine);
  await session.configure(settings);
  return session;
}

/** The status of the history of a root (default: the first), once it has this many commits. */
async function read(
  session: Session,
  commits: number,
  root?: string,
): Promise<HistoryStatus | undefined> {
  for (;;) {
    const { indexes } = await session.status();
    const { history } = indexes.find((index) => root === undefined || index.root === root) ?? {};
    if (history?.state === "off") return history;
    if (history?.state === "ready" && history.commits === commits) return history;
    await delay(50);
  }
}

it("No commit is read while the files of another folder are being indexed", async () => {
  const { root } = repository();
  const module = (i: number) => `//- m${i}.py\ndef step_${i}(value):\n    return value + ${i}\n`;
  const other = workspace(Array.from({ length: 1_000 }, (_, i) => module(i)).join(""));
  const session = await start();
  await session.openFolders([root, other]);
  let seen = 0;
  for (;;) {
    const { indexes } = await session.status();
    const [own, others] = [root, other].map((each) => indexes.find((index) => index.root === each));
    if (others?.state === "ready") break;
    if (own?.state === "ready") seen++;
    expect(own?.history?.commits ?? 0).toBe(0);
    await delay(20);
  }
  expect(seen).toBeGreaterThan(3);
  await read(session, 3, root);
});

it("`explain` says why a file outside a repository has no history", async () => {
  const root = workspace("//- a.py\ndef first():\n    return 1\n");
  const session = await open(root);
  const asked = session.explain({ path: join(root, "a.py"), lines: { start: 0, end: 0 } });
  await expect(asked).rejects.toMatchObject({
    what: "a.py has no history: the folder is not in a git work tree",
    remedy: "ask about a file of a repository with commits, with git on the PATH",
  });
});

it("`history` and `explain` answer which commit made a change, and where its code is now", async () => {
  const { root, retry } = repository();
  const session = await open(root);
  await read(session, 3);
  const answer = await session.history({ query: "how are requests retried", patch: true });
  const [first] = answer.commits;
  expect(first).toMatchObject({
    sha: retry,
    subject: "Try requests again that time out",
    files: [{ path: "client.py", status: "modified" }],
  });
  expect(first?.hunks[0]).toMatchObject({
    path: "client.py",
    symbols: ["retry"],
    now: { path: "client.py", lines: { start: 4, end: 5 } },
  });
  expect(first?.hunks[0]?.patch).toContain("+def retry(request):");
  expect(answer.history).toMatchObject({ state: "ready", commits: 3 });

  const path = join(root, "client.py");
  await session.buffer(
    path,
    `# unsaved\n${CLIENT}\n\ndef retry(request):\n    return send_again(request)\n`,
  );
  const { commits, origins, neighbors, summary } = await session.explain({
    path,
    lines: { start: 0, end: 6 },
  });
  expect(origins[0]).toEqual({ line: 0 });
  expect(commits.map(({ lines }) => lines)).toEqual([
    [3, 4, 5, 6],
    [1, 2],
  ]);
  expect(commits[0]).toMatchObject({ sha: retry, paragraph: "Servers restart at night." });
  expect(neighbors).toEqual([]);
  expect(summary).toContain("1 of 7 lines are not committed");
});

it("Hunks of a file in another encoding are decoded like the file", async () => {
  const root = repositoryOf("//- plain.md\n# Größe\n", "Begin");
  const comments = ["// 表の行の合計を計算する", "// 能力を表示する\r"];
  const source = [...comments, "int sum(int n) { return n; }", ""].join("\n");
  writeFileSync(join(root, "sum.c"), encode(source, "shift_jis"));
  commitAll(root, "Sum the rows of a table");
  const session = await open(root);
  await read(session, 2);
  const { commits } = await session.history({ query: "sum the rows of a table", patch: true });
  const hunk = commits.flatMap(({ hunks }) => hunks).find(({ path }) => path === "sum.c");
  expect(hunk?.patch).toContain("+// 表の行の合計を計算する\n+// 能力を表示する\n+int sum");
  expect(hunk?.now).toEqual({ path: "sum.c", lines: { start: 0, end: 2 } });
  const explained = await session.explain({
    path: join(root, "sum.c"),
    lines: { start: 0, end: 2 },
  });
  expect(explained.commits[0]?.patch).toContain("+// 表の行の合計を計算する\n");
  const plain = await session.history({ query: "begin", patch: true });
  expect(
    plain.commits
      .flatMap(({ hunks }) => hunks)
      .map(({ patch }) => patch)
      .join(),
  ).toContain("Größe");
});

it("Messages of commits in other encodings than UTF-8 are found and shown", async () => {
  const root = repositoryOf("//- begin.md\n# Begin\n", "Begin");
  const message = join(workspace(), "message");
  const commit = (file: string, encoding: string, text: string) => {
    write(root, `//- ${file}\nSIZE = 1\n`);
    writeFileSync(message, encode(text, encoding));
    git(root, "add", "-A");
    git(root, "-c", `i18n.commitEncoding=${encoding}`, "commit", "-q", "-F", message);
  };
  commit("size.py", "iso-8859-1", "Prüfe die Größe\n\nSonst läuft die Tür über.\n");
  commit("rows.py", "shift_jis", "表の行を合計する\n\n能力を表示する。\n");
  expect(git(root, "cat-file", "commit", "HEAD")).toMatch(/^encoding shift_jis$/m);
  const session = await open(root);
  await read(session, 3);
  const subjects = async (query: string) =>
    (await session.history({ query })).commits.map(({ subject }) => subject);
  for (const query of ["Größe", "läuft", "Tür"])
    expect([query, (await subjects(query))[0]]).toEqual([query, "Prüfe die Größe"]);
  for (const query of ["表の行を合計する", "能力を表示する"])
    expect([query, (await subjects(query))[0]]).toEqual([query, "表の行を合計する"]);
  const explained = async (file: string) =>
    (await session.explain({ path: join(root, file), lines: { start: 0, end: 0 } })).commits[0];
  expect((await explained("size.py"))?.subject).toBe("Prüfe die Größe");
  expect((await explained("rows.py"))?.subject).toBe("表の行を合計する");
});

it("A commit that is not indexed is found by its hash: a merge, a large commit, a commit of another branch", async () => {
  const { root } = repository();
  git(root, "checkout", "-q", "-b", "side", "HEAD~1");
  write(root, "//- side.py\ndef side():\n    return 1\n//- .env\nPASSWORD=correct-horse\n");
  commitAll(root, "Add a side");
  git(root, "checkout", "-q", "main");
  git(root, "merge", "-q", "--no-ff", "-m", "Merge the side", "side");
  const merge = git(root, "rev-parse", "HEAD");
  const module = (i: number) => `//- many/m${i}.py\nstep_${i} = ${i}\n`;
  write(root, Array.from({ length: 101 }, (_, i) => module(i)).join(""));
  const large = commitAll(root, "Add many modules");
  git(root, "checkout", "-q", "-b", "other");
  write(root, "//- other.py\nx = 1\n");
  const other = commitAll(root, "Try another way");
  git(root, "checkout", "-q", "main");
  const session = await open(root);
  await read(session, 5);
  const ask = async (query: string) => await session.history({ query, limit: 2 });
  const merged = await ask(`what did ${merge.slice(0, 9)} bring`);
  expect(merged.commits[0]).toMatchObject({
    sha: merge,
    subject: "Merge the side",
    files: [{ path: "side.py", status: "added" }],
    score: 1,
    why: [{ name: "hash" }],
  });
  expect([merged.commits.length, merged.warnings]).toEqual([2, []]);
  const [many] = (await ask(large)).commits;
  expect([many?.sha, many?.files.length]).toEqual([large, 101]);
  const elsewhere = await ask(other);
  expect(elsewhere.commits[0]?.sha).toBe(other);
  expect((await ask(other.slice(0, 9).toUpperCase())).commits[0]?.sha).toBe(other);
  expect(elsewhere.warnings).toEqual([`${other.slice(0, 10)} is not in the history of HEAD`]);
  const byNobody = await session.history({ query: merge, author: "grace" });
  expect([byNobody.commits, byNobody.warnings]).toEqual([[], []]);
  expect((await ask("0123456789abcdef")).warnings).toEqual([
    "no commit hash begins with 0123456789abcdef",
  ]);
});

it("Commits that a rebase made in one second keep their order, and renames among them are followed", async () => {
  const { root } = repository();
  git(root, "checkout", "-q", "-b", "work");
  write(root, `//- client.py\n${CLIENT}\n\ndef again(request):\n    return resend(request)\n`);
  commitAll(root, "Send requests again");
  for (const name of ["agent", "browser", "robot"]) {
    git(root, "mv", name === "agent" ? "client.py" : "last.py", `${name}.py`);
    commitAll(root, `Call it ${name}`);
    git(root, "mv", `${name}.py`, "last.py");
    commitAll(root, `Call the ${name} last`);
  }
  git(root, "checkout", "-q", "main");
  write(root, "//- other.py\nx = 1\n");
  commitAll(root, "Add another");
  git(root, "rebase", "-q", "main", "work");
  const listed = git(root, "log", "--format=%s").split("\n");
  expect(new Set(git(root, "log", "-7", "--format=%ct").split("\n")).size).toBe(1);
  const session = await open(root);
  await read(session, listed.length);
  const newest = await session.history({ query: "", limit: 50 });
  expect(newest.commits.map(({ subject }) => subject)).toEqual(listed);
  const sent = newest.commits.find(({ subject }) => subject === "Send requests again");
  expect(sent?.hunks[0]?.now).toMatchObject({ path: "last.py" });
});

it("Authors are shown and filtered by their names in .mailmap", async () => {
  const { root, retry } = repository();
  write(root, "//- .mailmap\nGrace Hopper <grace@localhost> Ada <ada@localhost>\n");
  commitAll(root, "Say who is who");
  const session = await open(root);
  await read(session, 4);
  const author = "Grace Hopper <grace@localhost>";
  const { commits } = await session.history({ query: "try again", author: "hopper", limit: 1 });
  expect(commits).toMatchObject([{ sha: retry, author }]);
  expect((await session.history({ query: retry, author: "hopper" })).commits[0]?.sha).toBe(retry);
  expect((await session.history({ query: "try again", author: "ada" })).commits).toEqual([]);
  const asked = { path: join(root, "client.py"), lines: { start: 4, end: 5 } };
  const explained = await session.explain(asked);
  expect(explained.commits).toMatchObject([{ sha: retry, author }]);
  expect(explained.summary).toContain("Grace Hopper");
});

it("Hunks of code that was moved together show the change in each file", async () => {
  const body = (name: string) =>
    `def ${name}_the_lake_in_the_morning(water):\n    return ${name}_all_of_the_water(water)\n`;
  const root = workspace(`//- one.py\n${body("fill")}//- two.py\n${body("drain")}`);
  initRepository(root);
  const sha = commitAll(root, "Begin");
  git(root, "rm", "-q", "one.py", "two.py");
  write(root, `//- all.py\n${body("fill")}${body("drain")}`);
  commitAll(root, "Move it together");
  const session = await open(root);
  const path = join(root, "all.py");
  const { commits, origins } = await session.explain({ path, lines: { start: 0, end: 3 } });
  expect(origins.map((origin) => origin.path)).toEqual(["one.py", "one.py", "two.py", "two.py"]);
  expect(commits).toMatchObject([{ sha, lines: [0, 1, 2, 3] }]);
  expect(commits[0]?.patch).toContain("fill_the_lake");
  expect(commits[0]?.patch).toContain("drain_the_lake");
});

it("A file excluded by a sparse checkout is not reported as deleted", async () => {
  const root = repositoryOf(
    "//- a/one.py\none = 1\n//- a/lost.py\nlost = 1\n//- b/two.py\ntwo = 2\n",
  );
  git(root, "mv", "b/two.py", "b/[2].py");
  commitAll(root, "Rename two");
  git(root, "sparse-checkout", "set", "a");
  rmSync(join(root, "a/lost.py"));
  const session = await open(root);
  await read(session, 2);
  const { commits } = await session.history({ query: "begin" });
  const hunks = commits.find(({ subject }) => subject === "Begin")?.hunks ?? [];
  const shown = hunks
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, now, isCheckedOut }) => [path, now?.path, isCheckedOut]);
  expect(shown).toEqual([
    ["a/lost.py", undefined, undefined],
    ["a/one.py", "a/one.py", undefined],
    ["b/two.py", undefined, false],
  ]);
});

it("`explain` answers for a file in UTF-16 and for uncommitted lines", async () => {
  const root = workspace();
  initRepository(root);
  const save = (text: string) =>
    writeFileSync(join(root, "letter.txt"), Buffer.from(`\uFEFF${text}`, "utf16le"));
  save("dear ones\nall is well\n");
  const sha = commitAll(root, "Write home");
  save("dear ones\nit rains\nall is well\n");
  const session = await open(root);
  const asked = { path: join(root, "letter.txt"), lines: { start: 0, end: 2 } };
  expect((await session.explain(asked)).commits).toMatchObject([{ sha, lines: [0, 2] }]);
});

it("`explain` answers for a file of a submodule with the submodule's commits", async () => {
  const inner = repository();
  const root = workspace("//- main.py\nrun()\n");
  initRepository(root);
  git(root, "-c", "protocol.file.allow=always", "submodule", "-q", "add", inner.root, "lib/net");
  commitAll(root, "Take the client from elsewhere");
  const session = await open(root);
  const path = join(root, "lib/net/client.py");
  const { commits, summary } = await session.explain({ path, lines: { start: 4, end: 5 } });
  expect(commits).toMatchObject([{ sha: inner.retry, path: "client.py", lines: [4, 5] }]);
  expect(summary).toContain("Servers restart at night.");
});

it("`explain` ignores a folder .git without a repository", async () => {
  const root = workspace("//- sub/a.py\nx = 1\n//- sub/.git/note\nnothing\n");
  initRepository(root);
  const sha = commitAll(root, "Begin");
  const session = await open(root);
  const asked = { path: join(root, "sub/a.py"), lines: { start: 0, end: 0 } };
  expect((await session.explain(asked)).commits).toMatchObject([{ sha, path: "sub/a.py" }]);
});

it("`explain` says that an older commit may have written lines of the first commit of a shallow clone", async () => {
  const { root: origin } = repository();
  const root = workspace();
  git(root, "clone", "-q", "--depth", "1", `file://${origin}`, ".");
  const session = await open(root);
  const asked = { path: join(root, "client.py"), lines: { start: 0, end: 1 } };
  const { commits, summary } = await session.explain(asked);
  expect(commits).toMatchObject([{ subject: "Describe the client", isBoundary: true }]);
  expect(summary).toContain("this shallow clone begins here");
  git(root, "fetch", "-q", "--deepen", "1");
  await expect
    .poll(async () => (await session.explain(asked)).commits[0]?.subject, { timeout: 15_000 })
    .toBe("Try requests again that time out");
});

it("A hunk lists the definitions that it changes; of two equal hunks, the later comes first", async () => {
  const body = (name: string, value: number) =>
    `def ${name}():\n${Array.from({ length: 12 }, (_, i) => `    step_${i}()\n`).join("")}    return ${value}\n`;
  const root = repositoryOf(`//- a.py\n${body("first", 1)}${body("second", 1)}`);
  write(root, `//- a.py\n${body("first", 2)}${body("second", 2)}`);
  const both = commitAll(root, "Return something else everywhere");
  write(root, `//- a.py\n${body("first", 2)}${body("second", 3)}`);
  const last = commitAll(root, "Return another value from the second");
  const session = await open(root);
  await read(session, 3);
  const answer = await session.history({ query: "return something else everywhere" });
  const hit = answer.commits.find(({ sha }) => sha === both);
  expect(hit?.hunks.map(({ symbols }) => symbols)).toEqual([["first"], ["second"]]);

  const path = join(root, "a.py");
  const { commits } = await session.explain({ path, lines: { start: 13, end: 27 } });
  expect(commits.slice(1).map(({ sha }) => sha)).toEqual([last, both]);
  expect(commits.map(({ lines }) => lines.length)).toEqual([13, 1, 1]);
});

it("A commit and its cherry-pick are one result, and the commits of a pull request come first", async () => {
  const { root } = repository();
  const message = "Mend the overflow of the counter";
  const change = (path: string, line: string) => write(root, `//- ${path}\n${line}\n`);
  change("counter.py", "count = limit(count)");
  const original = commitAll(root, message);
  git(root, "checkout", "-q", "-b", "release", "HEAD~1");
  change("other.py", "x = 1");
  commitAll(root, "Prepare the release");
  git(root, "cherry-pick", "-x", original);
  const picked = git(root, "rev-parse", "HEAD");
  git(root, "checkout", "-q", "main");
  git(root, "merge", "-q", "-m", "Merge pull request #7 from ada/release", "release");
  // The same words in another order are a different change.
  git(root, "rm", "-q", "counter.py");
  commitAll(root, "Begin again");
  change("counter.py", "limit = count(count)");
  const other = commitAll(root, message);
  const session = await open(root);
  await read(session, 8);
  const { commits } = await session.history({ query: "overflow of the counter" });
  const hits = commits.map(({ sha, same }) => [sha, ...same.map((each) => each.sha)].toSorted());
  expect(hits).toContainEqual([other]);
  expect(hits).toContainEqual([original, picked].toSorted());
  expect(hits.flat()).toHaveLength(new Set(hits.flat()).size);

  const named = await session.history({ query: `overflow ${original.slice(0, 10)}` });
  expect(named.commits[0]).toMatchObject({ sha: original, same: [{ sha: picked }] });

  const numbered = await session.history({ query: "what did #7 do", limit: 2 });
  expect(numbered.commits.map(({ subject }) => subject)).toEqual([message, "Prepare the release"]);
});

it("New commits are read while the folder is open", async () => {
  const { root } = repository();
  const session = await open(root);
  await read(session, 3);
  write(root, "//- breaker.py\ndef circuit_breaker():\n    pass\n");
  const sha = commitAll(root, "Add a circuit breaker");
  await read(session, 4);
  const answer = await session.history({ query: "circuit breaker" });
  expect(answer.commits[0]).toMatchObject({ sha, score: expect.any(Number) as number });
});

it.each<[PartialSettings, string]>([
  [{ "history.commits": 0 }, "history.commits is 0"],
  [{ "indexing.enabled": false }, "indexing.enabled is off"],
])("No history is read with the settings %j", async (settings, reason) => {
  const { root } = repository();
  const session = await open(root, settings);
  expect(await read(session, 0)).toMatchObject({ state: "off", reason });
  expect((await session.history({ query: "retry" })).commits).toEqual([]);
});
