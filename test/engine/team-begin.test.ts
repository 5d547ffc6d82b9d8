/** A checkout that begins with the published index of its repository: equal to one that is indexed here, and never with text that its files lack. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import type { PartialSettings } from "../../server/contracts/settings.ts";
import { tablesOf } from "../../server/store/names.ts";
import { dropDatabase, NO_POSTGRES } from "../support/databases.ts";
import { engineInProcess } from "../support/engine-in-process.ts";
import { commitAll, git, initRepository } from "../support/git.ts";
import { forAllRandom, type Random } from "../support/random.ts";
import { rowsIn } from "../support/rows.ts";
import { createTeamDatabase, inDatabase, publish } from "../support/team.ts";
import { workspace, write } from "../support/workspace.ts";

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
  readonly changed?: number;
  readonly published?: number;
}

/** An engine of a member of the team, with a log. */
function member(settings: PartialSettings) {
  const entries: Entry[] = [];
  const log = createLog((line) => void entries.push(JSON.parse(line) as Entry), "info");
  const made = engineInProcess(log);
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await made.engine.close();
    isClosed = true;
  };
  onTestFinished(async () => {
    await close();
    rmSync(join(made.data, ".."), { recursive: true, force: true });
  });
  const open = async (root: string): Promise<Session> => {
    const session = made.engine.session();
    await session.configure(settings);
    await session.openFolders([root]);
    await session.whenIdle();
    return session;
  };
  const passes = () => entries.filter(({ message }) => message === "indexed");
  return { open, passes, entries, data: made.data, close };
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

async function withoutCatalog(data: string) {
  const { catalog: _catalog, ...rows } = await rowsIn(data);
  return rows;
}

describe.skipIf(NO_POSTGRES !== undefined)("A checkout begins with the published index", () => {
  let main = "";
  let url = "";
  beforeAll(async () => {
    url = await createTeamDatabase();
  });
  afterAll(() => dropDatabase(url));

  /** The published repository; made once. */
  async function published(): Promise<string> {
    if (main !== "") return main;
    main = join(workspace(), "shop");
    write(join(main, ".."), FILES.replaceAll("//- ", "//- shop/"));
    initRepository(main);
    commitAll(main, "Open the shop");
    await publish(url, main, REPOSITORY);
    return main;
  }

  it("and has the rows and answers of one that was indexed here", async () => {
    const root = cloneOf(await published());
    const [one, other] = [member({ "team.url": url }), member({})];
    const session = await one.open(root);
    expect(one.passes()).toMatchObject([{ changed: 18, published: 18 }]);
    const plain = await other.open(root);
    expect(other.passes()).toMatchObject([{ changed: 18, published: 0 }]);
    expect(await answersOf(session)).toEqual(await answersOf(plain));
    const { begunWith, teamRemark } = (await session.status()).indexes[0] ?? {};
    const commit = git(root, "rev-parse", "HEAD");
    expect(begunWith).toEqual({ repository: REPOSITORY, commit, files: 18, total: 18 });
    expect(teamRemark).toBeUndefined();
    await Promise.all([one.close(), other.close()]);
    expect(await withoutCatalog(one.data)).toEqual(await withoutCatalog(other.data));
  });
});
