/** The lanes of a published index as one file: written by a publish, fetched by a search, and made from the rows where it does not fit. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLog } from "../../server/common/log.ts";
import { tablesOf } from "../../server/store/names.ts";
import { NO_POSTGRES } from "../support/databases.ts";
import { engineInProcess } from "../support/engine-in-process.ts";
import { commitAll } from "../support/git.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { cloneOf, rowsOf, teamDatabase, teamOf, watcher } from "../support/team.ts";
import { write } from "../support/workspace.ts";

const SHOP = `${SMALL_SHOP}
//- docs/pool.md
# The pool
Connections are opened when they are first used.
//- lib/price.py
def with_tax(price):
    return price * 1.2
`;
const QUESTIONS = ["connections of the pool", "with_tax", "price with discount", "total", "open"];
const LOADED = "published were loaded from a snapshot";

describe.skipIf(NO_POSTGRES !== undefined)(`published lanes ${NO_POSTGRES ?? ""}`, () => {
  async function started() {
    const { url, user } = await teamDatabase();
    const root = cloneOf(SHOP);
    const own = await user("cocosearch_publisher");
    const reader = await user("cocosearch_reader");
    const publish = async (build?: string) =>
      (await teamOf(own, {}, build).publish({ root }, watcher())).published;
    return { url, root, reader, publish };
  }

  /** The hits of a new engine, and its log messages. */
  async function ask(url: string) {
    const messages: string[] = [];
    const log = createLog((line) => {
      messages.push((JSON.parse(line) as { message: string }).message);
    }, "debug");
    const { engine, dispose } = engineInProcess(log);
    try {
      const session = engine.session();
      await session.configure({ "team.url": url });
      const answers: unknown[] = [];
      for (const query of QUESTIONS) {
        const request = { query, indexes: ["*"], minScore: 0, includeText: true };
        const { hits, warnings } = await session.search(request);
        answers.push({ query, hits, warnings });
      }
      return { answers, messages };
    } finally {
      await dispose();
    }
  }

  /** The same with lanes that are made from the rows. */
  async function askRows(url: string, reader: string, packed: string) {
    await rowsOf(url, `alter table ${packed} rename to hidden`);
    const found = await ask(reader);
    await rowsOf(url, `alter table hidden rename to ${packed}`);
    expect(found.messages).not.toContain(LOADED);
    return found.answers;
  }

  it("give the hits and scores of lanes that are made from the rows", async () => {
    const { url, reader, publish } = await started();
    const { packed } = tablesOf((await publish()).index);
    const { answers, messages } = await ask(reader);
    expect(messages).toContain(LOADED);
    expect(JSON.stringify(answers)).toContain("with_tax");
    expect(answers).toEqual(await askRows(url, reader, packed));
  });

  it("are of the last publish after files were changed, added and removed", async () => {
    const { url, root, reader, publish } = await started();
    await publish();
    write(root, "//- lib/price.py\ndef with_discount(price):\n    return price * .8\n");
    write(root, "//- lib/open.py\ndef open_pool(): pass\n");
    rmSync(join(root, "docs/pool.md"));
    commitAll(root, "Change");
    const { packed } = tablesOf((await publish()).index);
    const { answers, messages } = await ask(reader);
    expect(messages).toContain(LOADED);
    const text = JSON.stringify(answers);
    expect([text.includes("open_pool"), text.includes("with_tax(")]).toEqual([true, false]);
    expect(answers).toEqual(await askRows(url, reader, packed));
  });

  it.each([
    ["cut", "update PACKED set content = substr(content, 1, length(content) - 1) where part = 2"],
    ["changed", "update PACKED set content = set_byte(content, 1, 7) where part = 3"],
    ["incomplete", "delete from PACKED where part = 4"],
  ])("are made from the rows where their file is %s", async (_, damage) => {
    const { url, reader, publish } = await started();
    const { packed } = tablesOf((await publish()).index);
    const { answers } = await ask(reader);
    await rowsOf(url, damage.replace("PACKED", packed));
    const damaged = await ask(reader);
    expect(damaged.messages).not.toContain(LOADED);
    expect(damaged.messages).toContain("a snapshot of published was dropped");
    expect(damaged.answers).toEqual(answers);
  });

  it("are made from the rows by another build, which reads the first part only", async () => {
    const { url, root, reader, publish } = await started();
    const { packed } = tablesOf((await publish("another build")).index);
    const { answers, messages } = await ask(reader);
    expect(messages).not.toContain(LOADED);
    expect(messages).not.toContain("a snapshot of published was dropped");
    expect(answers).toEqual(await askRows(url, reader, packed));
    write(root, "//- lib/open.py\ndef open_pool(): pass\n");
    commitAll(root, "Change");
    await publish();
    const later = await ask(reader);
    expect(later.messages).toContain(LOADED);
    expect(JSON.stringify(later.answers)).toContain("open_pool");
  });
});
