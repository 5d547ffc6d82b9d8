/** Searches in published indexes of repositories that are not checked out here. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { SearchRequest, Session } from "../../server/contracts/session.ts";
import { tablesOf } from "../../server/store/names.ts";
import { proxyTo } from "../support/database-proxy.ts";
import { dropDatabase, NO_POSTGRES } from "../support/databases.ts";
import { engineInProcess, openEngine } from "../support/engine-in-process.ts";
import { commitAll, git, initRepository } from "../support/git.ts";
import { createTeamDatabase, inDatabase, publish } from "../support/published.ts";
import { temporaryWorkspace, workspace, write } from "../support/workspace.ts";

const SHOP = `
//- src/scale.py
import math

class Scale:
    """Weighs fruit."""

    def weigh_apples(self, count):
        return math.ceil(count * 2)
`;
const BANK = `
//- src/ledger.ts
export function bookPayment(amount: number): number {
  return amount * 100;
}
//- src/weights.ts
export const apples = "weigh the apples twice";
`;

describe.skipIf(NO_POSTGRES !== undefined)("A search in published indexes", () => {
  const commits: Record<string, string> = {};
  let url = "";
  let shop = "";
  let shopIndex = "";
  let remove = () => {};
  beforeAll(async () => {
    url = await createTeamDatabase();
    const made = temporaryWorkspace();
    remove = made.remove;
    const add = async (name: string, files: string) => {
      const root = join(made.root, name);
      write(made.root, files.replaceAll("//- ", `//- ${name}/`));
      initRepository(root);
      git(root, "remote", "add", "origin", `https://git.example.com/acme/${name}.git`);
      commits[name] = commitAll(root, "Begin");
      return { root, index: await publish(url, root) };
    };
    ({ root: shop, index: shopIndex } = await add("shop", SHOP));
    await add("bank", BANK);
  });
  afterAll(async () => {
    await dropDatabase(url);
    remove();
  });

  function start(teamUrl = url) {
    const made = engineInProcess();
    onTestFinished(() => made.dispose());
    const open = async (...roots: string[]) => {
      const session = made.engine.session();
      await session.configure({ "team.url": teamUrl });
      await session.openFolders(roots);
      await session.whenIdle();
      return session;
    };
    return { ...made, open };
  }

  const find = async (session: Session, request: Partial<SearchRequest>) =>
    await session.search({ query: "weigh apples", includeText: true, minScore: 0, ...request });

  it("finds both repositories from a third folder, with their text and links", async () => {
    const session = await start().open(workspace("//- fruit.md\n# Fruit\nHow to eat melons.\n"));
    const { hits, warnings } = await find(session, { indexes: ["*"] });
    expect(warnings).toEqual([]);
    const first = hits.find(({ index }) => index === "git.example.com/acme/shop");
    expect(first).toMatchObject({
      index: "git.example.com/acme/shop",
      path: "src/scale.py",
      published: {
        repository: "git.example.com/acme/shop",
        commit: commits["shop"],
        link: `https://git.example.com/acme/shop/blob/${commits["shop"]}/src/scale.py#L6-L6`,
      },
      bestLine: { line: 5, text: "def weigh_apples(self, count):" },
    });
    expect(first?.symbol?.name).toBe("Scale.weigh_apples");
    expect(first?.text).toContain(
      '    """Weighs fruit."""\n\n    def weigh_apples(self, count):\n        return math.ceil(count * 2)',
    );
    const roots = new Set(hits.map(({ index }) => index));
    expect(roots).toContain("git.example.com/acme/bank");
  });

  it("names one by its repository, or by its last parts", async () => {
    const session = await start().open();
    for (const name of ["git.example.com/acme/bank", "acme/bank", "bank", "bank@main"]) {
      const { hits } = await find(session, { query: "bookPayment", indexes: [name] });
      expect([hits[0]?.path, hits[0]?.symbol?.name]).toEqual(["src/ledger.ts", "bookPayment"]);
      expect(new Set(hits.map(({ index }) => index))).toEqual(
        new Set(["git.example.com/acme/bank"]),
      );
    }
    for (const name of ["ban", "bank@other", "bank/src"])
      await expect(find(session, { indexes: [name] })).rejects.toThrow(
        `no index is named "${name}"`,
      );
  });

  it("gives the files of published folders the paths that they have in the repository", async () => {
    const [folders, made] = [await createTeamDatabase(), temporaryWorkspace()];
    onTestFinished(async () => {
      made.remove();
      await dropDatabase(folders);
    });
    write(
      made.root,
      "//- lib/src/sell.py\ndef sell_apples(): pass\n//- web/a b/src/sell.py\ndef sell_apples(): pass\n",
    );
    initRepository(made.root);
    git(made.root, "remote", "add", "origin", "https://git.example.com/acme/market.git");
    const commit = commitAll(made.root, "Begin");
    for (const folder of ["lib", "web/a b"]) await publish(folders, join(made.root, folder));
    const session = await start(folders).open();
    const request = { query: "sell_apples", indexes: ["*"] };
    for (const answer of [await find(session, request), await session.analyze(request)]) {
      const hits = answer.hits.map(({ root, path, published }) => [path, [root, published?.link]]);
      const link = `https://git.example.com/acme/market/blob/${commit}/`;
      const market = "published:git.example.com/acme/market";
      expect(Object.fromEntries(hits)).toEqual({
        "lib/src/sell.py": [market, `${link}lib/src/sell.py#L1-L1`],
        "web/a b/src/sell.py": [market, `${link}web/a%20b/src/sell.py#L1-L1`],
      });
    }
  });

  it("does not answer twice for the repository that is checked out", async () => {
    const root = join(workspace(), "clone");
    git(shop, "clone", "-q", shop, root);
    git(root, "remote", "set-url", "origin", "git@git.example.com:acme/shop.git");
    write(root, "//- src/more.py\ndef weigh_apples_again(): pass\n");
    const session = await start().open(root);
    const { hits } = await find(session, { indexes: ["*"] });
    const shopHits = hits.filter(({ path }) => path.endsWith(".py"));
    expect(new Set(shopHits.map((hit) => hit.root))).toEqual(new Set([root]));
    expect(hits.some(({ index }) => index === "git.example.com/acme/bank")).toBe(true);
  });

  it("leaves out an index that cannot be read, and names it", async () => {
    const { files } = tablesOf(shopIndex);
    const rename = (from: string, to: string) =>
      inDatabase(url, (database) => database.query(`alter table ${from} rename to ${to}`));
    await rename(files, "hidden_files");
    onTestFinished(() => rename("hidden_files", files).then(() => undefined));
    const session = await start().open();
    const { hits, warnings } = await find(session, { indexes: ["*"] });
    expect(hits[0]?.index).toBe("git.example.com/acme/bank");
    expect(warnings).toEqual([
      expect.stringMatching(/^git\.example\.com\/acme\/shop was left out: /),
    ]);
  });

  it("leaves out an index that is too large for memory, and names the remedy", async () => {
    const set = (chunks: string) =>
      inDatabase(url, (database) =>
        database.query(`update cocosearch_published set chunks = ${chunks}`),
      );
    await set("chunks + 299900");
    onTestFinished(() => set("chunks - 299900").then(() => undefined));
    const { hits, warnings } = await find(await start().open(), { indexes: ["*"] });
    expect(new Set(hits.map(({ index }) => index))).toEqual(new Set(["git.example.com/acme/bank"]));
    expect(warnings).toEqual([
      "git.example.com/acme/shop was left out: published indexes in memory at once have at most 300000 chunks; name the ones to search",
    ]);
  });

  it("continues without the team's database, and reports it", async () => {
    const root = workspace("//- fruit.py\ndef weigh_apples(): pass\n");
    const session = await start("postgresql://member@127.0.0.1:1/none").open(root);
    const { hits, warnings } = await find(session, { indexes: ["*"] });
    expect(hits[0]?.path).toBe("fruit.py");
    expect(warnings).toEqual([expect.stringMatching(/^the team's database was not searched: /)]);
    const alone = await start("postgresql://member@127.0.0.1:1/none").open();
    await expect(find(alone, { indexes: ["*"] })).rejects.toThrow("was not searched");
    const unset = await start("").open();
    await expect(find(unset, { indexes: ["*"] })).rejects.toThrow("no team database is configured");
  });

  it("leaves out the hits whose text does not come within a second", async () => {
    const proxy = await proxyTo(url, { answersUpTo: Number.POSITIVE_INFINITY });
    const session = await start(proxy.url).open();
    const first = await find(session, { query: "bookPayment", indexes: ["*"], limit: 1 });
    expect(first.hits[0]?.path).toBe("src/ledger.ts");
    proxy.fallSilentAt("content_text as text");
    const { hits, warnings } = await find(session, { query: "weigh_apples", indexes: ["*"] });
    expect(hits).toEqual([]);
    expect(warnings).toContain("git.example.com/acme/shop was left out: it took longer than 1 s");
  });

  it("shows no control character of a row, and no text outside of the chunks", async () => {
    const { chunks } = tablesOf(shopIndex);
    const change = (sql: string) => inDatabase(url, (database) => database.query(sql));
    const text = await change(`select content_text as text from ${chunks}`);
    await change(
      `update ${chunks} set content_text = replace(content_text, 'Weighs', E'\\x1b[2J\\u202eWeighs')`,
    );
    onTestFinished(async () => {
      const [row] = text as { text: string }[];
      await change(`update ${chunks} set content_text = '${row?.text.replaceAll("'", "''")}'`);
    });
    const session = await start().open();
    const { hits } = await find(session, { indexes: ["shop"] });
    expect(hits[0]?.text).toContain('"""·[2J·Weighs fruit."""');
  });

  it("is up to date after a publish, and begins with the kept lanes", async () => {
    const { engine, data, open } = start();
    const session = await open();
    await find(session, { indexes: ["bank"] });
    const root = join(shop, "../bank");
    write(root, "//- src/refund.ts\nexport function refundPayment(): void {}\n");
    commitAll(root, "Refund");
    await publish(url, root);
    const { hits } = await find(session, { query: "refundPayment", indexes: ["bank"] });
    expect(hits[0]?.path).toBe("src/refund.ts");
    await engine.close();
    const again = openEngine(data);
    onTestFinished(() => again.close());
    const later = again.session();
    await later.configure({ "team.url": url });
    const found = await find(later, { query: "refundPayment", indexes: ["bank"] });
    expect(found.hits[0]?.path).toBe("src/refund.ts");
    rmSync(join(root, "src/refund.ts"));
  });
});
