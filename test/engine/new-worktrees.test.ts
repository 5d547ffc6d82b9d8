/** The index of a new worktree, on both databases: its rows and answers equal a fresh index of the same files. */

import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import type { Engine } from "../../server/engine/engine.ts";
import { createDatabase, dropDatabase, NO_POSTGRES } from "../support/databases.ts";
import { copyEmptyDatabase } from "../support/empty-database.ts";
import { openEngine } from "../support/engine-in-process.ts";
import { eventually } from "../support/eventually.ts";
import { commitAll, git, initRepository } from "../support/git.ts";
import { postgresRows, type Rows, rowsIn } from "../support/rows.ts";
import { workspace, write } from "../support/workspace.ts";

/** Each test runs several engines. */
const TIMES = { timeout: 300_000 };
const QUESTIONS = ["weigh apples", "weigh_3", "kilogram", "pound", "count the pears", "sell"];

interface Entry {
  readonly message: string;
  readonly level: string;
  readonly root: string;
  readonly from: string;
  readonly read: number;
  readonly changed: number;
  readonly files: number;
  readonly kept: number;
  readonly without: number;
  readonly added: number;
}

const BEGINS = "an index begins with files of another worktree";
const LANES = "lanes of another worktree are taken over";

/** Engines over data of their own; with `url`, over that database. */
function startEngines(url = "") {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-new-worktrees-"));
  const data = join(folder, "postgres");
  copyEmptyDatabase(data);
  const entries: Entry[] = [];
  const log = createLog((line) => entries.push(JSON.parse(line) as Entry), "info");
  let engine: Engine | undefined;
  const close = async () => {
    await engine?.close();
    engine = undefined;
  };
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });
  const open = async (root: string): Promise<Session> => {
    engine ??= openEngine(data, log);
    const session = engine.session();
    await session.configure({ "database.url": url });
    await session.openFolders([root]);
    await session.whenIdle();
    return session;
  };
  /** The rows of a root, once the engine is closed. */
  const rows = async (root: string): Promise<Rows> => {
    await close();
    return url === "" ? await rowsIn(data, root) : await postgresRows(url, root);
  };
  const said = (message: string) => entries.filter((entry) => entry.message === message);
  return { folder, open, close, rows, entries, said };
}

async function emptyUrl(): Promise<string> {
  const url = await createDatabase();
  onTestFinished(() => dropDatabase(url));
  return url;
}

/** Rankings with scores, callers and the graph's answers. */
async function answersOf(session: Session): Promise<unknown> {
  // First, since hits have the number of importers once the graph is resolved.
  const callers = await session.callers({ name: "weigh_3" });
  const related = await session.related({ path: "user.py" });
  const found = [];
  for (const query of QUESTIONS)
    found.push((await session.search({ query, minScore: 0, limit: 20, includeText: true })).hits);
  return JSON.parse(JSON.stringify({ found, callers, related }));
}

const fileOf = (number: number, unit: string) =>
  `//- weigh_${number}.py\ndef weigh_${number}(apples):\n    """Weighs apples by the ${unit}."""\n    return apples * ${number}\n`;
const NUMBERS = Array.from({ length: 20 }, (_, number) => number);
const FILES = `${NUMBERS.map((number) => fileOf(number, "pound")).join("")}//- user.py
from weigh_3 import weigh_3
def sell(apples):
    return weigh_3(apples)
//- gone.py
def count_pears():
    """Count the pears."""
    return 7
`;

/** A repository with the branches `main` (checked out, 22 files) and `other` (22 of 23 differ or are only in one). */
function shop() {
  const root = join(workspace(), "shop");
  write(join(root, ".."), FILES.replaceAll("//- ", "//- shop/"));
  initRepository(root);
  commitAll(root, "Sell apples by the pound");
  git(root, "checkout", "-q", "-b", "other");
  write(root, NUMBERS.map((number) => fileOf(number, "kilogram")).join(""));
  write(root, "//- added.py\ndef sell_pears(pears):\n    return len(pears)\n");
  rmSync(join(root, "gone.py"));
  commitAll(root, "Sell apples by the kilogram");
  git(root, "checkout", "-q", "main");
  const worktree = (name: string, branch = "main") => {
    const tree = join(root, "..", name);
    git(root, "worktree", "add", "-q", "--detach", tree, branch);
    return tree;
  };
  return { root, worktree };
}

describe.each([
  { name: "the built-in database", missing: undefined, create: async () => "" },
  { name: "a native Postgres", missing: NO_POSTGRES, create: emptyUrl },
])("In $name", ({ missing, create }) => {
  describe.skipIf(missing !== undefined)(missing ?? "", () => {
    it("a worktree of a branch that another one was on takes its kept rows", TIMES, async () => {
      const { root, worktree } = shop();
      const used = startEngines(await create());
      const session = await used.open(root);
      git(root, "checkout", "-q", "other");
      await session.reindex({});
      await session.whenIdle();
      const tree = worktree("tree");
      const opened = await used.open(tree);
      expect(used.said(BEGINS)).toMatchObject([{ files: 22, of: 22, kept: 21 }]);
      expect(used.said("indexed").at(-1)).toMatchObject({ root: tree, files: 22, changed: 0 });
      const fresh = startEngines(await create());
      expect(await answersOf(opened)).toEqual(await answersOf(await fresh.open(tree)));
      expect(await used.rows(tree)).toEqual(await fresh.rows(tree));
      expect(used.entries.filter(({ level }) => level !== "info")).toEqual([]);
      // The other index keeps its rows.
      git(root, "checkout", "-q", "--ignore-other-worktrees", "main");
      await used.open(root);
      expect(used.said("indexed").at(-1)).toMatchObject({ root, changed: 21, takenBack: 21 });
    });
  });
});

it("A file above the size limit of a new worktree is not taken over", TIMES, async () => {
  const { root, worktree } = shop();
  const tree = worktree("tree");
  for (const each of [root, tree]) write(each, `//- long.py\nUNITS = "${" pound".repeat(400)}"\n`);
  write(tree, "//- cocosearch.yaml\nindexing:\n  maxFileBytes: 1000\n");
  const used = startEngines();
  await used.open(root);
  // A younger file is read again in any case.
  const ageMs = () => Date.now() - statSync(join(tree, "long.py")).ctimeMs;
  await eventually(() => expect(ageMs()).toBeGreaterThan(2_500));
  const session = await used.open(tree);
  // The files of the shop and the settings file.
  expect((await session.status()).indexes[0]).toMatchObject({ files: 23 });
});

it("A new worktree reads only the files that differ in it", TIMES, async () => {
  const { root, worktree } = shop();
  write(root, `//- cocosearch.yaml\nindexing:\n  maxFileBytes: 1000\n`);
  write(root, "//- empty.py\n");
  const binary = (byte: number) => Buffer.from([0, 1, byte]);
  writeFileSync(join(root, "same.blob"), binary(1));
  writeFileSync(join(root, "other.blob"), binary(2));
  writeFileSync(join(root, "changed.blob"), binary(3));
  write(root, `//- long.py\nUNITS = "${" pound".repeat(400)}"\n`);
  commitAll(root, "Add files that have no chunks");
  const tree = worktree("tree");
  writeFileSync(join(tree, "other.blob"), binary(4));
  // Younger files have no fingerprint.
  const ageMs = () => Date.now() - statSync(join(tree, "other.blob")).ctimeMs;
  await eventually(() => expect(ageMs()).toBeGreaterThan(2_500));
  const used = startEngines();
  await used.open(root);
  writeFileSync(join(root, "changed.blob"), binary(5));
  const session = await used.open(tree);
  expect(used.said("indexed").at(-1)).toMatchObject({ root: tree, read: 2, changed: 0 });
  const fresh = startEngines();
  const expected = await fresh.open(tree);
  const excluded = await session.excluded(tree, 9);
  // The four files, and `.git`.
  expect(excluded.length).toBe(5);
  expect(new Set(excluded)).toEqual(new Set(await expected.excluded(tree, 9)));
  expect(await used.rows(tree)).toEqual(await fresh.rows(tree));
});

describe("The lanes of a new worktree come from a snapshot", () => {
  const begin = (used: ReturnType<typeof startEngines>) => ({
    seeds: used.said(BEGINS).map(({ from }) => from),
    lanes: used.said(LANES).map(({ from, without, added }) => [from, without, added]),
    changed: used.said("indexed").map(({ changed }) => changed),
  });

  it(
    "three worktrees that are opened at once beside a changed index have its lanes",
    TIMES,
    async () => {
      const { root, worktree } = shop();
      const used = startEngines();
      await used.open(root);
      const trees = ["one", "two", "three"].map((name) => worktree(name));
      const [first] = await Promise.all(trees.map((tree) => used.open(tree)));
      expect(begin(used)).toEqual({
        seeds: ["shop", "shop", "shop"],
        lanes: Array.from({ length: 3 }, () => ["shop", 0, 0]),
        changed: [22, 0, 0, 0],
      });
      const fresh = startEngines();
      expect(first && (await answersOf(first))).toEqual(
        await answersOf(await fresh.open(trees[0] ?? "")),
      );
    },
  );

  it("a snapshot that was made a moment ago is used", TIMES, async () => {
    const { root, worktree } = shop();
    const used = startEngines();
    await used.open(root);
    await used.open(worktree("one", "other"));
    await used.open(worktree("two", "other"));
    expect(begin(used)).toEqual({
      seeds: ["shop", "one"],
      lanes: [
        ["shop", 21, 0],
        ["one", 0, 0],
      ],
      changed: [22, 21, 0],
    });
  });

  it("the snapshot of an index of the same commit is used", TIMES, async () => {
    const { root, worktree } = shop();
    const used = startEngines();
    await used.open(root);
    await used.open(worktree("one"));
    await used.close();
    // An engine that was killed has not saved these lanes.
    rmSync(join(used.folder, "lanes", "one.lanes"));
    await used.open(worktree("two"));
    expect(begin(used)).toMatchObject({ seeds: ["shop", "shop"], changed: [22, 0, 0] });
    expect(used.said(LANES)).toHaveLength(2);
  });

  it("the chunks of kept rows are added to the snapshot", TIMES, async () => {
    const { root, worktree } = shop();
    const used = startEngines();
    const session = await used.open(root);
    git(root, "checkout", "-q", "other");
    await session.reindex({});
    await session.whenIdle();
    await used.open(worktree("tree"));
    expect(used.said(LANES)).toMatchObject([{ without: 21, added: 21 }]);
  });

  const lanesOf = ({ folder }: ReturnType<typeof startEngines>, name: string) =>
    join(folder, "lanes", name);
  const expectFresh = async (session: Session, tree: string) => {
    const fresh = startEngines();
    expect(await answersOf(session)).toEqual(await answersOf(await fresh.open(tree)));
    await fresh.close();
  };

  /** A worktree whose lanes are a link to the lanes of its repository. */
  const linked = async () => {
    const { root, worktree } = shop();
    const used = startEngines();
    await used.open(root);
    const tree = worktree("tree");
    await used.open(tree);
    await used.close();
    return { root, tree, used };
  };

  it("the snapshot is linked while few files differ", TIMES, async () => {
    const { root, tree, used } = await linked();
    const [link, theirs] = [lanesOf(used, "tree.lanes-linked"), lanesOf(used, "shop.lanes")];
    expect(statSync(link).ino).toBe(statSync(theirs).ino);
    write(root, `${fileOf(1, "kilogram")}${fileOf(3, "kilogram")}`);
    write(tree, fileOf(2, "kilogram"));
    await used.open(root);
    await used.open(tree);
    await used.close();
    expect(statSync(link).ino).not.toBe(statSync(theirs).ino);
    expect(statSync(lanesOf(used, "tree.lanes")).size).toBeLessThan(5_000);
    await expectFresh(await used.open(tree), tree);
    expect(used.entries.filter(({ level }) => level !== "info")).toEqual([]);
  });

  it("a snapshot of its own replaces the link when many files differ", TIMES, async () => {
    const { tree, used } = await linked();
    git(tree, "checkout", "-q", "--detach", "other");
    await used.open(tree);
    await used.close();
    expect(existsSync(lanesOf(used, "tree.lanes-linked"))).toBe(false);
    expect(statSync(lanesOf(used, "tree.lanes")).size).toBeGreaterThan(20_000);
    await expectFresh(await used.open(tree), tree);
  });
});
