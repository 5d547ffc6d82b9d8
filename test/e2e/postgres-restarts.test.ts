/**
 * The user's Postgres stopped and started while files change and searches are asked: the server stays, and nothing is lost.
 * @module-tag slow
 */

import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { administer } from "../support/databases.ts";
import { disturb } from "../support/disturb.ts";
import { type LspClient, until } from "../support/lsp-client.ts";
import { NO_PROGRAMS, ownPostgres } from "../support/own-postgres.ts";
import { expectSameRows, place, sourceTree } from "../support/place.ts";

const RESTARTS = Number(process.env["COCOSEARCH_TEST_RESTARTS"] ?? 3);
/** The server stops at a random time up to this: in the middle of a pass, or after it. */
const LATEST_STOP_MS = 1_500;
/** The first search after it is answered from memory, and the next attempt to write has failed. */
const MAX_STOP_MS = 1_500;

describe.skipIf(NO_PROGRAMS !== undefined)(NO_PROGRAMS ?? "a Postgres that comes and goes", () => {
  it("is waited for when it is not there at the start", async () => {
    const postgres = await ownPostgres();
    onTestFinished(() => postgres.dispose());
    await postgres.stop("fast");
    const root = sourceTree();
    const client = await place(postgres.url).edit(root);
    const away = await until("a status", async () => {
      const status = await client.status();
      return status.state === "unavailable" ? status : undefined;
    });
    expect(away.reason).toMatch(/does not answer.*start it, or check COCOSEARCH_DATABASE_URL/);
    expect(await client.search("parse a string")).toMatchObject({ hits: [], state: "unavailable" });
    await postgres.start();
    await client.searchUntil("parse a string as an email address", () => true);
    await until("the index", async () => (await client.status()).state === "ready");
    await client.shutdown();
  });

  it(
    `is lived through ${RESTARTS} times, and holds the same rows as a clean index`,
    async () => {
      const postgres = await ownPostgres();
      onTestFinished(() => postgres.dispose());
      await administer("create database work", postgres.url);
      await administer("create database clean", postgres.url);
      const url = (name: string) => postgres.url.replace(/postgres$/, name);
      const root = sourceTree();
      const loaded = place(url("work"));
      const client = await loaded.edit(root);
      const engine = await until("the engine", async () => (await client.status()).engine?.pid);
      await client.searchUntil("parse a string as an email address", () => true);

      const load = underLoad(client, root);
      for (let restart = 0; restart < RESTARTS; restart++) {
        await delay(Math.random() * LATEST_STOP_MS);
        await postgres.stop(restart % 2 === 0 ? "fast" : "immediate");
        const loss = await until("the report of the loss", async () => {
          const { state, reason } = await client.status();
          return state === "unavailable" ? { reason } : undefined;
        });
        expect(loss.reason).toMatch(/does not answer.*start it, or check/);
        await delay(Math.random() * MAX_STOP_MS);
        await postgres.start();
        await until("the index", async () => (await client.status()).state !== "unavailable");
      }
      const searches = await load.stop();
      process.stderr.write(`${searches.answered} searches answered, ${searches.empty} empty\n`);
      expect(searches.empty).toBe(0);
      expect((await client.status()).engine?.pid).toBe(engine);
      await loaded.settle(root);
      await client.shutdown();
      await expectSameRows(loaded, place(url("clean")), root);
    },
    120_000 + RESTARTS * 60_000,
  );
});

/** Edits and searches until it is stopped; a search that fails fails the test. */
function underLoad(client: LspClient, root: string) {
  let isOn = true;
  const counts = { answered: 0, empty: 0 };
  const running = (async () => {
    while (isOn) {
      disturb(root);
      const { hits } = await client.search(`parse a string ${counts.answered}`);
      counts.answered++;
      // The second answer comes from memory.
      if (hits.length === 0) counts.empty++;
      await delay(50);
    }
  })();
  return {
    stop: async () => {
      isOn = false;
      await running;
      return counts;
    },
  };
}
