/**
 * The server of a team's database, or the PgBouncer before it, ends and starts again while a member searches and a publish
 * runs: no answer is wrong, and the next publish has every row.
 * @module-tag slow
 */

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import { setUpTeam } from "../../server/store/team-setup.ts";
import { administer } from "../support/databases.ts";
import { engineInProcess } from "../support/engine-in-process.ts";
import { eventually } from "../support/eventually.ts";
import { commitAll } from "../support/git.ts";
import { NO_PROGRAMS, type OwnPostgres, ownPostgres } from "../support/own-postgres.ts";
import { NO_PGBOUNCER, ownPgbouncer } from "../support/pgbouncer.ts";
import { messageOf } from "../support/publish-rows.ts";
import { publishedRows } from "../support/published.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { cloneOf, FOR_ALL, teamOf, watcher } from "../support/team.ts";
import { workspace, write } from "../support/workspace.ts";

const MISSING = NO_PROGRAMS ?? NO_PGBOUNCER;
const RESTARTS = Number(process.env["COCOSEARCH_TEST_RESTARTS"] ?? 3);
const FILES = 60;
const MAX_AWAY_MS = 500;

/** All generated files are others in each state, a tenth of them is gone. */
function change(root: string, state: number): string {
  rmSync(join(root, "many"), { recursive: true, force: true });
  for (let i = 0; i < FILES; i++)
    if ((i + state) % 10 > 0)
      write(root, `//- many/m${i}.py\ndef count_${i}_in_${state}(boxes):\n    return ${i}\n`);
  return commitAll(root, `State ${state}`);
}

async function member(url: string): Promise<Session> {
  const { engine, dispose } = engineInProcess();
  onTestFinished(() => dispose());
  const session = engine.session();
  await session.configure({ "team.url": url });
  await session.openFolders([workspace("//- notes.md\n# Notes\nHow to refresh the token.\n")]);
  await session.whenIdle();
  return session;
}

/** Searches until it is stopped. An answer without the published file has to say so. */
function searching(session: Session) {
  let isOn = true;
  const wrong: unknown[] = [];
  const counts = { whole: 0, warned: 0 };
  const running = (async () => {
    while (isOn) {
      const request = { query: "refresh the token of a session", indexes: ["*"] };
      const { hits, warnings } = await session.search(request);
      const paths = hits.map(({ path }) => path);
      const hasPublished = paths.includes("src/token.py");
      if (!paths.includes("notes.md") || hasPublished === warnings.length > 0)
        wrong.push({ paths, warnings });
      else if (hasPublished) counts.whole++;
      else counts.warned++;
      await delay(20);
    }
  })();
  return {
    stop: async () => {
      isOn = false;
      await running;
      return { wrong, ...counts };
    },
  };
}

interface Restarted {
  readonly url: string;
  restart(number: number): Promise<void>;
}

async function away({ stop, start }: { stop(): Promise<void>; start(): Promise<void> }) {
  await stop();
  await delay(Math.random() * MAX_AWAY_MS);
  await start();
}

const PLACES: readonly [string, (postgres: OwnPostgres) => Promise<Restarted>][] = [
  [
    "Postgres",
    async (postgres) => ({
      url: postgres.url,
      restart: (number) =>
        away({ ...postgres, stop: () => postgres.stop(number % 2 === 0 ? "immediate" : "fast") }),
    }),
  ],
  [
    "PgBouncer",
    async ({ url }) => {
      const pooler = await ownPgbouncer([url]);
      return { url: pooler.urls[0] ?? "", restart: () => away(pooler) };
    },
  ],
];

describe.skipIf(MISSING !== undefined)(`a team's server ${MISSING ?? ""}`, () => {
  it.each(PLACES)(
    `may be restarted (%s) ${RESTARTS} times under a publish and searches`,
    async (_, placeOf) => {
      const postgres = await ownPostgres();
      onTestFinished(() => postgres.dispose());
      await administer("create database clean", postgres.url);
      const clean = postgres.url.replace(/postgres$/, "clean");
      for (const url of [postgres.url, clean]) await setUpTeam(url, FOR_ALL, silent);
      const { url, restart } = await placeOf(postgres);
      const root = cloneOf(SMALL_SHOP);
      const publish = () => teamOf(url).publish({ root }, watcher());
      let before = change(root, 0);
      const start = performance.now();
      await publish();
      const usualMs = performance.now() - start;
      const session = await member(url);
      await session.search({ query: "token", indexes: ["*"] });
      const searches = searching(session);
      const outcomes: string[] = [];
      for (let number = 1; number <= RESTARTS; number++) {
        const next = change(root, number);
        const outcome = messageOf(publish());
        await delay(Math.random() * usualMs);
        await restart(number);
        const said = await outcome;
        outcomes.push(said);
        const { commit } = await eventually(() => publishedRows(url));
        expect([before, next]).toContain(commit);
        expect(said === "done" ? commit : next).toBe(next);
        expect(said).toMatch(/^(?:done|Unavailable: .*COCOSEARCH_TEAM_URL)$/);
        await publish();
        before = next;
      }
      await eventually(async () => {
        const last = { query: `count_11_in_${RESTARTS}`, indexes: ["*"] };
        expect((await session.search(last)).hits[0]?.path).toBe("many/m11.py");
      });
      const { wrong, ...counts } = await searches.stop();
      process.stderr.write(
        `${JSON.stringify(counts)} searches; publishes: ${outcomes.join("; ")}\n`,
      );
      expect(wrong).toEqual([]);
      expect(readdirSync(join(root, "many")).length).toBeLessThan(FILES);
      await teamOf(clean).publish({ root }, watcher());
      expect(await publishedRows(url)).toEqual(await publishedRows(clean));
    },
    120_000 + RESTARTS * 60_000,
  );
});
