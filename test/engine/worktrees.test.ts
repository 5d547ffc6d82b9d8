/** A new worktree of a repository that is indexed: takes over what is equal, and answers only from its own files. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import type { Engine } from "../../server/engine/engine.ts";
import { copyEmptyDatabase } from "../support/empty-database.ts";
import { openEngine } from "../support/engine-in-process.ts";
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

/** A repository with a second worktree in which files differ, and engines over one database. */
function shop() {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-worktrees-"));
  const data = join(folder, "postgres");
  copyEmptyDatabase(data);
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
  const passes: Pass[] = [];
  const log = createLog((line) => {
    const entry = JSON.parse(line) as Pass & { readonly message: string };
    if (entry.message === "indexed") passes.push(entry);
  }, "info");
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
  const open = async (engine: Engine, root: string) => {
    const session = engine.session();
    await session.openFolders([root]);
    await session.whenIdle();
    return session;
  };
  return { main, tree, passes, start, open };
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

describe("A new worktree reads only what differs", () => {
  it("while the other index is open", async () => {
    const { main, tree, passes, start, open } = shop();
    const engine = start();
    await open(engine, main);
    const session = await open(engine, tree);
    expect(passes.map(({ root, changed }) => [root, changed])).toEqual([
      [main, 34],
      [tree, 3],
    ]);
    await expectOwnAnswers(session);
    expect((await session.status()).indexes[0]).toMatchObject({ files: 34 });
  });

  it("from the snapshot of an index that is closed", async () => {
    const { main, tree, passes, start, open } = shop();
    const before = start();
    await open(before, main);
    await before.close();
    const engine = start();
    const session = await open(engine, tree);
    expect(passes.map(({ root, changed }) => [root, changed])).toEqual([
      [main, 34],
      [tree, 3],
    ]);
    await expectOwnAnswers(session);
    const again = await open(engine, main);
    expect((await find(again, "count_pears")).hits[0]?.path).toBe("gone.py");
  });

  it("and its history begins with the commits of the other", async () => {
    const { main, tree, start, open } = shop();
    const engine = start();
    const first = await open(engine, main);
    await first.history({ query: "apples" });
    commitAll(tree, "Weigh by the kilogram");
    const session = await open(engine, tree);
    // The commit of the tree is read in the background.
    await eventually(async () => {
      const { commits } = await session.history({ query: "apples kilogram pound" });
      expect(commits.map(({ subject }) => subject)).toContain("Weigh by the kilogram");
    });
    const { commits } = await session.history({ query: "apples pound" });
    expect(commits.map(({ subject }) => subject)).toContain("Sell apples by the pound");
  });
});

it("A clone of the repository takes nothing over", async () => {
  const { main, passes, start, open } = shop();
  const engine = start();
  await open(engine, main);
  const clone = join(main, "../clone");
  git(main, "clone", "-q", main, clone);
  await open(engine, clone);
  expect(passes.map(({ changed }) => changed)).toEqual([34, 34]);
});
