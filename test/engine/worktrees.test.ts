/** A new worktree of a repository that is indexed: takes over equal files, and answers only from its own files. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createLog, silent } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import type { Engine } from "../../server/engine/engine.ts";
import { PgliteDatabase } from "../../server/store/pglite.ts";
import { copyEmptyDatabase } from "../support/empty-database.ts";
import { engineInProcess, openEngine } from "../support/engine-in-process.ts";
import { eventually } from "../support/eventually.ts";
import { commitAll, git, initRepository } from "../support/git.ts";
import { workspace, write } from "../support/workspace.ts";

const NAMES = Array.from({ length: 30 }, (_, number) => `kept${number}`);
const FILES = `
//- changed.py
def weigh_apples():
    return "pound"
//- gone.py
def count_pears():
    return 7
//- hidden.py
def hide_plums():
    return None
//- user.py
from changed import weigh_apples
def sell():
    return weigh_apples()
${NAMES.map((name) => `//- ${name}.py\ndef ${name}_cherries():\n    return "${name}"\n`).join("")}`;

interface Pass {
  readonly root: string;
  readonly read: number;
  readonly changed: number;
  readonly removed: number;
}

/** A repository with a second worktree with differences. */
function repository() {
  const main = join(workspace(), "main");
  write(join(main, ".."), FILES.replaceAll("//- ", "//- main/"));
  initRepository(main);
  commitAll(main, "Sell apples by the pound");
  const tree = join(main, "../tree");
  git(main, "worktree", "add", "-q", tree);
  write(
    tree,
    '//- changed.py\ndef weigh_apples():\n    return "kilogram"\n//- added.py\ndef slice_melons():\n    return 2\n',
  );
  write(tree, "//- .cocosearchignore\nhidden.py\n");
  rmSync(join(tree, "gone.py"));
  return { main, tree };
}

/** A log of the passes. */
function passLog() {
  const passes: Pass[] = [];
  const messages: string[] = [];
  const log = createLog((line) => {
    const entry = JSON.parse(line) as Pass & { readonly message: string };
    messages.push(entry.message);
    if (entry.message === "indexed") passes.push(entry);
  }, "info");
  return { passes, messages, log };
}

async function openIn(engine: Engine, root: string): Promise<Session> {
  const session = engine.session();
  await session.openFolders([root]);
  await session.whenIdle();
  return session;
}

/** The engine of the tests that start no other one, and know no name of an index. */
const sharedLog = passLog();
const shared = engineInProcess(sharedLog.log);
afterAll(() => shared.dispose());

/** A repository whose folders are opened by the shared engine. */
function sharedShop() {
  const { main, tree } = repository();
  const openShared = async (root: string) => {
    const session = await openIn(shared.engine, root);
    onTestFinished(() => session.dispose());
    return session;
  };
  // Another test's folders are deleted while their indexes are open.
  const passes = () => sharedLog.passes.filter(({ root }) => root.startsWith(join(main, "..")));
  return { main, tree, passes, open: openShared };
}

/** A repository, and engines over one database. */
function shop() {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-worktrees-"));
  const data = join(folder, "postgres");
  copyEmptyDatabase(data);
  const { passes, messages, log } = passLog();
  const engines: Engine[] = [];
  onTestFinished(async () => {
    await Promise.all(engines.map((engine) => engine.close()));
    rmSync(folder, { recursive: true });
  });
  const start = () => {
    const engine = openEngine(data, log);
    engines.push(engine);
    return engine;
  };
  return { ...repository(), data, passes, messages, start };
}

const find = (session: Session, query: string) =>
  session.search({ query, minScore: 0, includeText: true });

async function expectOwnAnswers(session: Session): Promise<void> {
  const first = async (query: string) => (await find(session, query)).hits[0]?.path;
  expect(await first("kilogram")).toBe("changed.py");
  expect(await first("slice_melons")).toBe("added.py");
  expect(await first("kept7_cherries")).toBe("kept7.py");
  for (const query of ["pound", "count_pears", "hide_plums"]) {
    const { hits } = await find(session, query);
    const paths = hits.map(({ path }) => path);
    expect(paths).not.toContain("gone.py");
    expect(paths).not.toContain("hidden.py");
    expect(hits.filter(({ text }) => text?.includes("pound"))).toEqual([]);
  }
  const { calls } = await session.callers({ name: "weigh_apples" });
  expect(calls.map(({ path }) => path)).toEqual(["user.py"]);
}

describe("A new worktree reads only the differing files", () => {
  it("the other index may be open", async () => {
    const { main, tree, passes, open } = sharedShop();
    await open(main);
    const session = await open(tree);
    expect(passes().map(({ root, changed }) => [root, changed])).toEqual([
      [main, 34],
      [tree, 3],
    ]);
    await expectOwnAnswers(session);
    expect((await session.status()).indexes[0]).toMatchObject({ files: 34 });
  });

  it("the other index may be closed, with a snapshot", async () => {
    const { main, tree, passes, start } = shop();
    const before = start();
    await openIn(before, main);
    await before.close();
    const engine = start();
    const session = await openIn(engine, tree);
    expect(passes.map(({ root, changed }) => [root, changed])).toEqual([
      [main, 34],
      [tree, 3],
    ]);
    await expectOwnAnswers(session);
    const again = await openIn(engine, main);
    expect((await find(again, "count_pears")).hits[0]?.path).toBe("gone.py");
  });

  it("unless its settings cut files in another way: then it takes nothing over", async () => {
    const { main, tree, passes, messages, start } = shop();
    const before = start();
    await openIn(before, main);
    await before.close();
    write(tree, "//- cocosearch.yaml\nindexing:\n  chunkSize: 900\n");
    const session = await openIn(start(), tree);
    expect(passes.map(({ root, changed }) => [root, changed])).toEqual([
      [main, 34],
      [tree, 35],
    ]);
    expect(messages).not.toContain("an index begins with files of another worktree");
    await expectOwnAnswers(session);
  });

  it("its history begins with the commits of the other index", async () => {
    const { main, tree, open } = sharedShop();
    const first = await open(main);
    await first.history({ query: "apples" });
    commitAll(tree, "Weigh by the kilogram");
    const session = await open(tree);
    // The commit of the tree is read in the background.
    await eventually(async () => {
      const { commits } = await session.history({ query: "apples kilogram pound" });
      expect(commits.map(({ subject }) => subject)).toContain("Weigh by the kilogram");
    });
    const { commits } = await session.history({ query: "apples pound" });
    expect(commits.map(({ subject }) => subject)).toContain("Sell apples by the pound");
  });
});

it("An empty answer names the worktrees below that were not searched", async () => {
  const { main, open } = sharedShop();
  const bare = join(main, "../project");
  git(main, "clone", "-q", "--bare", main, join(bare, ".bare"));
  git(join(bare, ".bare"), "worktree", "add", "-q", "--force", "../one", "main");
  const session = await open(bare);
  const search = () => session.search({ query: "weigh_apples" });
  expect(await search()).toMatchObject({
    hits: [],
    warnings: [
      `worktrees below were not searched, because each has an index of its own: ${bare}/one`,
    ],
  });
  await session.openFolders([bare, join(bare, "one")]);
  await session.whenIdle();
  const { hits, warnings } = await search();
  expect(hits[0]?.path).toBe("changed.py");
  expect(warnings).toEqual([]);
});

describe("The index of a worktree", () => {
  it("is deleted a day after the worktree, and only then", async () => {
    const { main, tree, data, start } = shop();
    const engine = start();
    await openIn(engine, tree);
    await engine.close();
    git(main, "worktree", "remove", "--force", tree);
    const age = async (hours: number) => {
      const database = new PgliteDatabase({ directory: data, log: silent });
      await database.query(
        `update cocosearch_indexes set updated_at = now() - interval '${hours} hours' where name = 'tree'`,
      );
      await database.close();
    };
    const namesAfterOpening = async () => {
      const next = start();
      const names = (await (await openIn(next, main)).list()).map(({ name }) => name);
      await next.close();
      return names.toSorted();
    };
    await age(23);
    expect(await namesAfterOpening()).toEqual(["main", "tree"]);
    await age(25);
    expect(await namesAfterOpening()).toEqual(["main"]);
  });

  it("is deleted if five others were used later and no session has it open", async () => {
    const { main, start } = shop();
    const names = ["t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"];
    const rootOf = (name: string) => join(main, "..", name);
    for (const name of names) git(main, "worktree", "add", "-q", "--detach", rootOf(name));
    const engine = start();
    const use = async (name: string) => {
      const session = await openIn(engine, rootOf(name));
      await session.dispose();
      await engine.freeMemory();
    };
    const held = await openIn(engine, rootOf("t1"));
    for (const name of names.slice(1, -1)) await use(name);
    // Used without a change.
    await use("t2");
    await use("t8");
    const left = (await held.list()).map(({ name }) => name).toSorted();
    expect(left).toEqual(["t1", "t2", "t4", "t5", "t6", "t7", "t8"]);
  });

  it("is what a moved worktree begins with", async () => {
    const { main, tree, passes, open } = sharedShop();
    await open(tree);
    const moved = join(main, "../moved");
    git(main, "worktree", "move", tree, moved);
    await open(moved);
    expect(passes().map(({ root, changed }) => [root, changed])).toEqual([
      [tree, 34],
      [moved, 0],
    ]);
  });
});

it("A clone of the repository takes nothing over", async () => {
  const { main, passes, open } = sharedShop();
  await open(main);
  const clone = join(main, "../clone");
  git(main, "clone", "-q", main, clone);
  await open(clone);
  expect(passes().map(({ changed }) => changed)).toEqual([34, 34]);
});

describe("A path in another worktree", () => {
  it("is refused with its folder, and never answered from this one", async () => {
    const { main, tree, open } = sharedShop();
    git(main, "worktree", "add", "-q", "--detach", ".worktrees/fix");
    const session = await open(main);
    const fix = join(main, ".worktrees/fix");
    const problem = (path: string, top: string) =>
      `${path} is in another worktree of this repository; open its folder: ${top}`;
    const search = (...paths: string[]) => session.search({ query: "apples", paths });
    for (const [path, top] of [
      [`${tree}/*.py`, tree],
      [`${tree}/never.py`, tree],
      [`${fix}/changed.py`, fix],
      [".worktrees/fix", fix],
      [".worktrees/fix/**/*.py", fix],
    ] as const) {
      await expect(search(path)).rejects.toThrow(`paths: ${problem(path, top)}`);
      await expect(session.history({ query: "apples", paths: [path] })).rejects.toThrow(top);
      await expect(session.context({ query: "apples", paths: [path] })).rejects.toThrow(top);
    }
    const file = join(fix, "changed.py");
    const lines = { start: 0, end: 1 };
    await expect(session.explain({ path: file, lines })).rejects.toThrow(problem(file, fix));
    await expect(session.related({ path: file, direction: "imports" })).rejects.toThrow(fix);
    await expect(session.impact({ paths: [file] })).rejects.toThrow(fix);
    expect(await session.why(file)).toContain('linked worktree "fix"');
    await expect(search("/usr")).rejects.toThrow("paths: /usr is outside the opened folders");
  });

  it("is answered from that one if it is open, too", async () => {
    const { main, tree, open } = sharedShop();
    git(main, "worktree", "add", "-q", "--detach", ".worktrees/fix");
    const session = await open(main);
    const fix = join(main, ".worktrees/fix");
    await session.openFolders([main, fix, tree]);
    await session.whenIdle();
    const rootsOf = async (...paths: string[]) => {
      const { hits } = await session.search({ query: "weigh_apples", paths });
      return new Set(hits.map(({ root }) => root));
    };
    expect(await rootsOf()).toEqual(new Set([main, fix, tree]));
    expect(await rootsOf("changed.py")).toEqual(new Set([main, fix, tree]));
    expect(await rootsOf(`${tree}/*.py`)).toEqual(new Set([tree]));
    expect(await rootsOf(fix)).toEqual(new Set([fix]));
    expect(await rootsOf(`${fix}/changed.py`, `${main}/user.py`)).toEqual(new Set([main, fix]));
    expect(await session.why(join(fix, "changed.py"))).toContain("is indexed");
  });

  it("may be absolute in the opened folder, and begin at its root", async () => {
    const { main, open } = sharedShop();
    const session = await open(main);
    const pathsOf = async (...paths: string[]) => {
      const { hits } = await session.search({ query: "weigh_apples", paths, minScore: 0 });
      return hits.map(({ path }) => path).toSorted();
    };
    const both = ["changed.py", "user.py"];
    for (const path of ["/", main, `${main}/`, `${main}/*d.py`, "/changed.py", "*.py"]) {
      expect([path, await pathsOf(path)]).toEqual([path, expect.arrayContaining(["changed.py"])]);
    }
    expect(await pathsOf(`${main}/changed.py`)).toEqual(["changed.py"]);
    expect(await pathsOf(...both.map((name) => `${main}/${name}`))).toEqual(both);
    expect(await pathsOf("*.py", `!${main}/changed.py`)).not.toContain("changed.py");
    expect(await pathsOf("/never/there.py")).toEqual([]);
  });
});
