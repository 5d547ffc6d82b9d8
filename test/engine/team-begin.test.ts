/** A checkout that begins with the published index of its repository: equal to one that is indexed here, and never with text that its files lack. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import type { PartialSettings } from "../../server/contracts/settings.ts";
import { type Tables, tablesOf } from "../../server/store/names.ts";
import { proxyTo } from "../support/database-proxy.ts";
import { dropDatabase, NO_POSTGRES } from "../support/databases.ts";
import { engineInProcess, openEngine } from "../support/engine-in-process.ts";
import { commitAll, git, initRepository } from "../support/git.ts";
import { createTeamDatabase, inDatabase, publish } from "../support/published.ts";
import { forAllRandom, type Random } from "../support/random.ts";
import { rowsIn } from "../support/rows.ts";
import { temporaryWorkspace, workspace, write } from "../support/workspace.ts";

const REPOSITORY = "git.example.com/acme/shop";
const ORIGIN = "git@git.example.com:acme/shop.git";
const NAMES = Array.from({ length: 12 }, (_, number) => `fruit${number}`);
const FILES = `
//- shop/apples.py
"""Sells apples."""
from shop.scale import weigh
class Apples:
    def sell(self, count):
        return weigh(count)
//- shop/scale.py
def weigh(count):
    return count * 2
//- web/cart.ts
import { total } from "./total";
export class Cart {
  add(item: string): number { return total([item]); }
}
//- web/total.ts
export const total = (items: string[]) => items.length;
//- README.md
# The shop
## How to sell
Weigh the apples, then sell them — größer als Äpfel.
//- config.yaml
jobs:
  build:
    steps: [one, two]
${NAMES.map((name) => `//- fruits/${name}.rb\nmodule Fruits\n  class ${name.toUpperCase()}\n    def ${name}_price\n      ${name.length}\n    end\n  end\nend\n`).join("")}`;

interface Entry {
  readonly message: string;
  readonly root?: string;
  readonly changed?: number;
  readonly published?: number;
}

/** An engine with a log. */
function startEngine() {
  const entries: Entry[] = [];
  const log = createLog((line) => void entries.push(JSON.parse(line) as Entry), "info");
  const made = engineInProcess(log);
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await made.engine.close();
    isClosed = true;
  };
  const open = async (root: string, settings: PartialSettings = {}): Promise<Session> => {
    const session = made.engine.session();
    onTestFinished(() => session.dispose());
    await session.configure(settings);
    await session.openFolders([root]);
    await session.whenIdle();
    return session;
  };
  const passes = (folder: string) =>
    entries.filter(({ message, root }) => message === "indexed" && root === folder);
  const remove = () => rmSync(join(made.data, ".."), { recursive: true, force: true });
  return { open, passes, entries, data: made.data, close, remove };
}

/** An engine for one test, which closes it and compares its rows. */
function ownEngine() {
  const made = startEngine();
  onTestFinished(async () => {
    await made.close();
    made.remove();
  });
  return made;
}

/** A clone with its origin, at the same folder name, so that both indexes have the same name. */
function cloneOf(main: string): string {
  const root = join(workspace(), "shop");
  git(main, "clone", "-q", main, root);
  git(root, "remote", "set-url", "origin", ORIGIN);
  return root;
}

async function answersOf(session: Session): Promise<unknown> {
  const queries = ["weigh apples", "Cart", "how to sell", "fruit3_price", "total items", "größer"];
  const answers: unknown[] = [];
  for (const query of queries) {
    const { hits } = await session.search({ query, includeText: true, explain: true });
    answers.push(hits.map(({ root: _root, importers: _importers, ...hit }) => hit));
  }
  const { calls } = await session.callers({ name: "weigh" });
  return [answers, calls.map(({ path, line }) => [path, line])];
}

/** The rows of an index whose engine has left, and the facts of the graph. */
async function rowsOf(data: string) {
  const { catalog: _catalog, ...rows } = await rowsIn(data);
  return rows;
}

const files = (root: string) => readdirSync(join(root, "fruits")).map((name) => `fruits/${name}`);

/** The size stays. */
const withOtherLetter = (text: string) =>
  text.replace(/[a-z](?=[^a-z]*$)/, (letter) => (letter === "q" ? "z" : "q"));

/** Changes, deletes, adds and renames some files of a checkout; most stay. */
function edit(root: string, { int, pick }: Random): void {
  for (let edits = 0; edits < 6; edits++) {
    const file = join(root, pick([...files(root), "shop/apples.py", "web/cart.ts", "README.md"]));
    const text = readFileSync(file, "utf8");
    const kind = int(5);
    if (kind === 0) writeFileSync(file, `${text}\n# ${int(1000)} plums\n`);
    else if (kind === 1 && file.includes("fruits")) rmSync(file);
    else if (kind === 2)
      writeFileSync(join(root, `added${int(1000)}.py`), `def f${int(9)}(): pass\n`);
    else if (kind === 3) writeFileSync(file, withOtherLetter(text));
    else
      writeFileSync(
        file,
        text.replace(/\w+/, (word) => `${word}${int(10)}`),
      );
  }
}

describe.skipIf(NO_POSTGRES !== undefined)("A checkout begins with the published index", () => {
  let main = "";
  let url = "";
  let remove = () => {};
  let tablesOfShop: Tables;
  /** The engine of the tests that need none of their own. */
  let member: ReturnType<typeof startEngine>;
  beforeAll(async () => {
    member = startEngine();
    url = await createTeamDatabase();
    const made = temporaryWorkspace();
    remove = made.remove;
    main = join(made.root, "shop");
    write(made.root, FILES.replaceAll("//- ", "//- shop/"));
    initRepository(main);
    git(main, "remote", "add", "origin", ORIGIN);
    commitAll(main, "Open the shop");
    tablesOfShop = tablesOf(await publish(url, main));
  });
  afterAll(async () => {
    await member.close();
    member.remove();
    await dropDatabase(url);
    remove();
  });
  const change = (sql: string) => inDatabase(url, (database) => database.query(sql));

  /** Changes rows of the published index until the end of the test. */
  async function poison(sql: string): Promise<void> {
    const { chunks, vectors, tracking, files: stored, parseResults, words } = tablesOfShop;
    const tables = [chunks, vectors, tracking, stored, parseResults, words];
    const kept = (table: string) => table.replace(/"$/, '_kept"');
    for (const table of tables) await change(`create table ${kept(table)} as table ${table}`);
    onTestFinished(async () => {
      for (const table of tables)
        await change(
          `truncate ${table}; insert into ${table} table ${kept(table)}; drop table ${kept(table)}`,
        );
    });
    await change(sql);
  }

  it("it has the rows and answers of a local index, after any edits", async () => {
    await forAllRandom({ seed: 3, numRuns: 2 }, async (random) => {
      const root = cloneOf(main);
      edit(root, random);
      const [one, other] = [ownEngine(), ownEngine()];
      const session = await one.open(root, { "team.url": url });
      const [pass] = one.passes(root);
      const taken = pass?.published ?? 0;
      expect(taken).toBeGreaterThan(5);
      expect(taken).toBeLessThan(18);
      const plain = await other.open(root);
      expect(other.passes(root)).toMatchObject([{ changed: pass?.changed, published: 0 }]);
      expect(await answersOf(session)).toEqual(await answersOf(plain));
      const { begunWith, teamRemark } = (await session.status()).indexes[0] ?? {};
      const commit = git(main, "rev-parse", "HEAD");
      const total = pass?.changed ?? 0;
      expect(begunWith).toEqual({ repository: REPOSITORY, commit, files: taken, total });
      expect(teamRemark).toBeUndefined();
      await Promise.all([one.close(), other.close()]);
      expect(await rowsOf(one.data)).toEqual(await rowsOf(other.data));
    });
  });

  it("rows of another file are refused, and the file is indexed here", async () => {
    const { chunks, files: stored, parseResults, tracking, vectors } = tablesOfShop;
    const evil = (more: string) =>
      `'[{"name": "Fruits", "type": "class", "signature": "module Fruits", "lines": {"start": 0, "end": 1}, "nameLine": 0, ${more}}]'`;
    const changes = [
      [chunks, "filename", "location = int4range(lower(location) + 1, upper(location) + 1)"],
      [chunks, "filename", "end_line = 9000"],
      [chunks, "filename", "context_end_line = 9000"],
      [chunks, "filename", "hierarchy = 'Evil.Fruits'"],
      [chunks, "filename", `symbols = ${evil('"name": "Evil"')}`],
      [chunks, "filename", `symbols = ${evil('"signature": "Evil"')}`],
      [chunks, "filename", `symbols = ${evil('"lines": 7')}`],
      [chunks, "filename", "symbols = '[1]'"],
      [chunks, "filename", "symbols = '7'"],
      [stored, "path", "language = 'cobol'"],
      [parseResults, "file_path", "error_message = E'\\x1b[2J'"],
      [tracking, "file_path", "facts = 'abc'"],
      [
        vectors,
        "filename",
        "embedding = (select array_agg(100)::real[]::vector::halfvec from generate_series(1, vector_dims(embedding)))",
      ],
    ] as const;
    const names = [...files(main), "shop/scale.py"];
    expect(names).toHaveLength(changes.length);
    const statements = changes.map(
      ([table, column, set], i) => `update ${table} set ${set} where ${column} = '${names[i]}'`,
    );
    await poison(statements.join(";\n"));
    const root = cloneOf(main);
    const [one, other] = [ownEngine(), ownEngine()];
    const session = await one.open(root, { "team.url": url });
    const published = 18 - changes.length;
    expect(one.passes(root)).toMatchObject([{ changed: 18, published }]);
    const { teamRemark } = (await session.status()).indexes[0] ?? {};
    expect(teamRemark).toBe("the rows of 13 published files were refused, see the log");
    const plain = await other.open(root);
    expect(await answersOf(session)).toEqual(await answersOf(plain));
    await Promise.all([one.close(), other.close()]);
    expect(await rowsOf(one.data)).toEqual(await rowsOf(other.data));
  });

  it("it has the text and the words of its own files, also if the database has others", async () => {
    const { chunks, words } = tablesOfShop;
    await poison(`
      update ${chunks} set content_text = 'rm -rf /' where filename = 'shop/scale.py';
      update ${words} set terms = 'abc' where path = 'shop/apples.py';
      update ${words} set sha256 = '1' where path = 'web/total.ts';
      update ${words} set version = version + 1 where path = 'fruits/fruit1.rb'`);
    const root = cloneOf(main);
    const [one, other] = [ownEngine(), ownEngine()];
    const session = await one.open(root, { "team.url": url });
    expect(one.passes(root)).toMatchObject([{ changed: 18, published: 18 }]);
    const notes = one.entries.filter(({ message }) => message.includes("counted again"));
    expect(notes).toHaveLength(1);
    const plain = await other.open(root);
    expect(await answersOf(session)).toEqual(await answersOf(plain));
    await Promise.all([one.close(), other.close()]);
    expect(await rowsOf(one.data)).toEqual(await rowsOf(other.data));
  });

  it("an index that an older version published without words is used", async () => {
    await change(`alter table ${tablesOfShop.words} rename to words_of_tests`);
    const back = `alter table words_of_tests rename to ${tablesOfShop.words}`;
    onTestFinished(() => change(back).then(() => undefined));
    const root = cloneOf(main);
    const session = await member.open(root, { "team.url": url });
    expect(member.passes(root)).toMatchObject([{ changed: 18, published: 18 }]);
    const other = ownEngine();
    expect(await answersOf(session)).toEqual(await answersOf(await other.open(root)));
  });

  it("vectors of another dimension and files that lack a chunk are refused", async () => {
    const { vectors, chunks } = tablesOfShop;
    await poison(`
      update ${vectors} set embedding = '[1,0]' where filename = 'shop/scale.py';
      delete from ${chunks} where filename = 'shop/apples.py'`);
    const root = cloneOf(main);
    const session = await member.open(root, { "team.url": url });
    expect(member.passes(root)).toMatchObject([{ changed: 18, published: 17 }]);
    expect((await session.status()).indexes[0]).toMatchObject({ pending: 0, files: 18 });
  });

  it("a file with the size of the published one and another content is refused", async () => {
    const root = cloneOf(main);
    const file = join(root, "shop/scale.py");
    writeFileSync(file, withOtherLetter(readFileSync(file, "utf8")));
    const before = member.entries.length;
    const session = await member.open(root, { "team.url": url });
    expect(member.passes(root)).toMatchObject([{ changed: 18, published: 17 }]);
    const refusals = member.entries
      .slice(before)
      .filter(({ message }) => message.includes("refused"));
    expect(refusals).toEqual([]);
    const { hits } = await session.search({
      query: "weigh",
      paths: ["shop/scale.py"],
      includeText: true,
    });
    expect(hits[0]?.text?.trimEnd()).toBe(readFileSync(file, "utf8").trimEnd());
  });

  it("unless it was made in another way: status says so", async () => {
    const root = cloneOf(main);
    const session = await member.open(root, { "team.url": url, "indexing.chunkSize": 900 });
    expect(member.passes(root)).toMatchObject([{ changed: 18, published: 0 }]);
    const [index] = (await session.status()).indexes;
    expect(index?.begunWith).toBeUndefined();
    expect(index?.teamRemark).toMatch(
      /^the published index of git\.example\.com\/acme\/shop was not used: .* version .* of the chunker/,
    );
  });

  it("unless it is of another repository", async () => {
    const root = cloneOf(main);
    git(root, "remote", "set-url", "origin", "https://git.example.com/acme/other");
    const session = await member.open(root, { "team.url": url });
    expect(member.passes(root)).toMatchObject([{ changed: 18, published: 0 }]);
    expect((await session.status()).indexes[0]).not.toHaveProperty("teamRemark");
  });

  it("status says how far HEAD is from the published commit, unless the clone lacks it", async () => {
    const root = cloneOf(main);
    const session = await member.open(root, { "team.url": url });
    const distance = async () => (await session.status()).indexes[0]?.distance;
    expect(await distance()).toEqual({ ahead: 0, behind: 0 });
    for (const price of [1, 2]) {
      writeFileSync(join(root, "prices.py"), `PRICE = ${price}\n`);
      commitAll(root, `Set the price to ${price}`);
    }
    await session.whenIdle();
    expect(await distance()).toEqual({ ahead: 2, behind: 0 });
    git(root, "checkout", "-q", "--orphan", "other");
    commitAll(root, "Begin again");
    await session.whenIdle();
    expect(await distance()).toEqual({ ahead: 1, behind: 1 });
    rmSync(join(root, ".git"), { recursive: true });
    initRepository(root);
    commitAll(root, "Begin without the commits");
    await session.whenIdle();
    const [index] = (await session.status()).indexes;
    expect(index?.begunWith).toBeDefined();
    expect(index).not.toHaveProperty("distance");
  });

  it("it no longer needs the team's database", async () => {
    const root = cloneOf(main);
    const one = ownEngine();
    await one.open(root, { "team.url": url });
    await one.close();
    const again = openEngine(one.data);
    onTestFinished(() => again.close());
    const session = again.session();
    await session.configure({ "team.url": "postgresql://member@127.0.0.1:1/none" });
    await session.openFolders([root]);
    await session.whenIdle();
    const [index] = (await session.status()).indexes;
    expect(index).toMatchObject({ state: "ready", begunWith: { files: 18 } });
    expect(index).not.toHaveProperty("teamRemark");
  });

  describe("and continues alone", () => {
    it("a database that is down is left alone", async () => {
      const root = cloneOf(main);
      const session = await member.open(root, {
        "team.url": "postgresql://member@127.0.0.1:1/none",
      });
      expect(member.passes(root)).toMatchObject([{ changed: 18, published: 0 }]);
      const { teamRemark, state } = (await session.status()).indexes[0] ?? {};
      expect(state).toBe("ready");
      expect(teamRemark).toMatch(/^the team's database was not used: the database 127\.0\.0\.1:1/);
    });

    it("a database that the user may not read is left alone", async () => {
      await change("create role cocosearch_stranger login");
      onTestFinished(() => change("drop role cocosearch_stranger").then(() => undefined));
      const asStranger = new URL(url);
      asStranger.username = "cocosearch_stranger";
      const root = cloneOf(main);
      const session = await member.open(root, { "team.url": asStranger.href });
      expect(member.passes(root)).toMatchObject([{ changed: 18, published: 0 }]);
      const { teamRemark } = (await session.status()).indexes[0] ?? {};
      expect(teamRemark).toContain("may not read the team's database");
    });

    it("a database that does not answer is left alone", async () => {
      const proxy = await proxyTo(url, { answersUpTo: 0 });
      const root = cloneOf(main);
      const session = await member.open(root, { "team.url": proxy.url });
      expect(member.passes(root)).toMatchObject([{ changed: 18, published: 0 }]);
      const { teamRemark } = (await session.status()).indexes[0] ?? {};
      expect(teamRemark).toBe("the team's database was not used: it took longer than 5 s");
    });

    it.each(["is stopped", "falls silent"] as const)(
      "a database that %s in the middle is left alone",
      async (how) => {
        const root = cloneOf(main);
        const many = Array.from(
          { length: 400 },
          (_, i) => `//- many/m${i}.py\ndef m${i}(): return ${i}\n`,
        );
        write(root, many.join(""));
        git(root, "add", "-A");
        commitAll(root, "More");
        const other = await createTeamDatabase();
        onTestFinished(() => dropDatabase(other));
        await publish(other, root);
        const proxy = await proxyTo(other, { answersUpTo: 250_000, ends: how === "is stopped" });
        const session = await member.open(root, { "team.url": proxy.url });
        const [pass] = member.passes(root);
        expect(pass?.changed).toBe(418);
        expect(pass?.published).toBeGreaterThan(30);
        expect(pass?.published).toBeLessThan(400);
        const { teamRemark, files: stored, state } = (await session.status()).indexes[0] ?? {};
        expect([stored, state]).toEqual([418, "ready"]);
        expect(teamRemark).toMatch(/^the team's database was not used any more: /);
        const { hits } = await session.search({ query: "m399" });
        expect(hits[0]?.path).toBe("many/m399.py");
      },
    );
  });
});
