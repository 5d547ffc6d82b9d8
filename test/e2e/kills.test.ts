/**
 * Server and engine killed at random moments of indexing, while files change: afterwards the index is a clean one, row by row.
 * @module-tag slow
 */

import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { lockHolder } from "../../server/daemon/lock.ts";
import { createDatabase, dropDatabase, NO_POSTGRES } from "../support/databases.ts";
import { disturb } from "../support/disturb.ts";
import { commitAll, git, initRepository } from "../support/git.ts";
import { type LspClient, until } from "../support/lsp-client.ts";
import { expectSameRows, type Place, place, sourceTree } from "../support/place.ts";

/** Each test kills so often. */
const KILLS = Number(process.env["COCOSEARCH_TEST_KILLS"] ?? 4);
/** Half of them after edits, half after branch switches. */
const ENGINE_KILLS = KILLS + 2;
/** From before the database is open until after the end of the pass. */
const LATEST_KILL_MS = 2_000;
const QUESTION = "parse a string as an email address";
const TIMEOUT_MS = 120_000 + ENGINE_KILLS * 10_000;

async function postgresPlace(): Promise<Place> {
  const url = await createDatabase();
  onTestFinished(() => dropDatabase(url));
  return place(url);
}

/** Milliseconds until the pending search is answered, without being sent again. */
async function killEngine({ engine }: Place, client: LspClient): Promise<number> {
  process.kill(await until("the engine", () => lockHolder(engine.home.lock)), "SIGKILL");
  const start = performance.now();
  const { state } = await client.search(QUESTION);
  expect(state).not.toBe("unavailable");
  return performance.now() - start;
}

/** A repository of these files with the branches `main` and `other`, where half of the files differ; `other` is checked out. */
function makeBranches(root: string): void {
  initRepository(root);
  commitAll(root, "Begin");
  git(root, "checkout", "-q", "-b", "other");
  for (const [i, path] of git(root, "ls-files").split("\n").entries()) {
    if (i % 10 === 0) rmSync(join(root, path));
    else if (i % 2 === 0) appendFileSync(join(root, path), `\nexport const other_${i} = 1;\n`);
  }
  commitAll(root, "Differ");
}

describe.each([
  { name: "the built-in database", missing: undefined, make: async () => place("") },
  { name: "a native Postgres", missing: NO_POSTGRES, make: postgresPlace },
])("in $name", ({ missing, make }) => {
  describe.skipIf(missing !== undefined)(missing ?? "the same rows as a clean index", () => {
    it(
      `after ${ENGINE_KILLS} kills of the engine, which is back each time, during edits and branch switches`,
      async () => {
        const root = sourceTree();
        makeBranches(root);
        const killed = await make();
        const client = await killed.edit(root);
        const backMs: number[] = [];
        for (let kill = 0; kill < ENGINE_KILLS; kill++) {
          if (kill % 2 === 0) disturb(root);
          else git(root, "checkout", "-q", "-f", kill % 4 === 1 ? "main" : "other");
          await delay(Math.random() * LATEST_KILL_MS);
          backMs.push(await killEngine(killed, client));
        }
        git(root, "checkout", "-q", "-f", "main");
        await killed.settle(root);
        await client.shutdown();
        const slowest = Math.round(Math.max(...backMs));
        process.stderr.write(
          `answered again after at most ${slowest} ms (${ENGINE_KILLS} kills)\n`,
        );
        await expectSameRows(killed, await make(), root);
      },
      TIMEOUT_MS,
    );

    it(
      `after ${KILLS} kills of the server`,
      async () => {
        const root = sourceTree();
        const killed = await make();
        let client = await killed.edit(root);
        await client.searchUntil(QUESTION, () => true);
        for (let kill = 0; kill < KILLS; kill++) {
          disturb(root);
          await delay(Math.random() * LATEST_KILL_MS);
          client.child.kill("SIGKILL");
          await client.exited;
          client = await killed.edit(root);
        }
        await killed.settle(root);
        await client.shutdown();
        await expectSameRows(killed, await make(), root);
      },
      TIMEOUT_MS,
    );
  });
});
