/** `status` of an idle folder, while the database is busy with another folder of the client. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { Status } from "../../server/contracts/session.ts";
import { migrate } from "../../server/store/migrate.ts";
import { PgliteDatabase } from "../../server/store/pglite.ts";
import { createStore } from "../../server/store/store.ts";
import { copyEmptyDatabase } from "../support/empty-database.ts";
import { fakePreparer, noScanner } from "../support/fake-preparer.ts";
import { sessionOver } from "../support/session-over.ts";
import { workspace } from "../support/workspace.ts";

/** Only a status that waits for the database takes this long. */
const WAITING_MS = 20_000;

interface Held {
  readonly hasBegun: Promise<void>;
  release(): void;
}

function hold(): Held & { wait(): Promise<void> } {
  let tell = () => undefined as void;
  let release = () => undefined as void;
  const hasBegun = new Promise<void>((resolve) => (tell = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const wait = () => (tell(), released);
  return { hasBegun, release: () => release(), wait };
}

/** A session over the built-in database; the preparer blocks at `slow.txt`. */
function begin() {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-status-"));
  const directory = join(folder, "data");
  copyEmptyDatabase(directory);
  const database = new PgliteDatabase({ directory, log: silent, prepare: migrate });
  const store = createStore(database);
  const indexing = hold();
  const preparer = fakePreparer((path) => (path === "slow.txt" ? indexing.wait() : undefined));
  const stores = {
    get: async () => store,
    suspend: async () => undefined,
    close: () => store.close(),
  };
  const preparers = {
    background: preparer,
    interactive: preparer,
    commits: { readCommits: async () => [] },
    scanner: noScanner,
    restBackground: async () => undefined,
    rest: async () => undefined,
    close: async () => undefined,
  };
  const { session, pool } = sessionOver(folder, { stores, preparers });
  onTestFinished(async () => {
    indexing.release();
    await session.dispose();
    await pool.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return { database, session, indexing };
}

it("`status` does not wait for the database's work for another folder", async () => {
  const { database, session, indexing } = begin();
  const [ready, slow] = [workspace("//- a.txt\nready\n"), workspace("//- slow.txt\nslow\n")];
  await session.openFolders([ready]);
  await session.whenIdle();
  await session.status();
  await session.openFolders([ready, slow]);
  await indexing.hasBegun;

  const batch = hold();
  const committed = database.transaction(async (tx) => {
    await tx.query("select");
    await batch.wait();
  });
  await batch.hasBegun;
  const waiting = { indexes: "waits" } as const;
  const answer = await Promise.race<Status | typeof waiting>([
    session.status(),
    delay(WAITING_MS, waiting, { ref: false }),
  ]);
  batch.release();
  await committed;

  expect(answer).toMatchObject({
    state: "indexing",
    indexes: [{ root: ready, state: "ready", files: 1, chunks: 1 }, { root: slow }],
  });
});

it("`status` has exact counts after indexing", async () => {
  const { session, indexing } = begin();
  const [ready, slow] = [workspace("//- a.txt\nready\n"), workspace("//- slow.txt\nslow\n")];
  await session.openFolders([ready, slow]);
  await indexing.hasBegun;
  await session.status();
  indexing.release();
  await session.whenIdle();
  const { state, indexes } = await session.status();
  expect(state).toBe("ready");
  expect(indexes.map(({ root, files, chunks }) => [root, files, chunks])).toEqual([
    [ready, 1, 1],
    [slow, 1, 1],
  ]);
});
