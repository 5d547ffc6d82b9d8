/** Requests during the opening of a stored index wait for it, so that no answer is falsely empty. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { deferred } from "../../server/common/deferred.ts";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import { loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { createPreparers } from "../../server/engine/threads/worker-pool.ts";
import { migrate } from "../../server/store/migrate.ts";
import { PgliteDatabase } from "../../server/store/pglite.ts";
import { createStore } from "../../server/store/store.ts";
import { copyEmptyDatabase } from "../support/empty-database.ts";
import { commitAll, initRepository } from "../support/git.ts";
import { sessionOver } from "../support/session-over.ts";
import { workspace, write } from "../support/workspace.ts";

/** Longer than an earlier time limit of requests. */
const OPENING_MS = 2_500;

const CODE = `
//- vault.ts
export function openVault(key: string) {
  return key;
}
//- visit.ts
import { openVault } from "./vault.ts";
export function visit() {
  return openVault("k");
}
`;

/** A repository with a stored index, and a session whose database is blocked until released. */
async function storedIndex() {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-opening-"));
  const directory = join(folder, "data");
  copyEmptyDatabase(directory);
  const database = new PgliteDatabase({ directory, log: silent, prepare: migrate });
  const store = createStore(database);
  const preparers = createPreparers(1, { table: loadEmbeddingModel() }, silent);
  const root = workspace();
  initRepository(root);
  write(root, CODE);
  commitAll(root, "Open the vault with a key");
  let opening: Promise<void> = Promise.resolve();
  const stores = {
    get: async () => {
      await opening;
      return store;
    },
    suspend: async () => undefined,
    close: () => store.close(),
  };
  const first = sessionOver(folder, { stores, preparers });
  await first.session.openFolders([root]);
  await first.session.whenIdle();
  await first.session.history({ query: "vault" });
  await first.session.dispose();
  await first.pool.close();
  const { promise, resolve } = deferred();
  const failing = deferred();
  opening = Promise.race([
    promise,
    failing.promise.then(() => Promise.reject(new Unavailable("it is down", "start it"))),
  ]);
  const { session, pool } = sessionOver(folder, { stores, preparers });
  await session.openFolders([root]);
  onTestFinished(async () => {
    resolve();
    await session.dispose();
    await pool.close();
    await preparers.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return { session, root, open: resolve, fail: failing.resolve };
}

const QUESTIONS: Readonly<Record<string, (session: Session, root: string) => Promise<unknown>>> = {
  search: async (session) => (await session.search({ query: "openVault" })).hits[0]?.path,
  symbols: async (session) => (await session.symbols("openVault", 5))[0]?.path,
  context: async (session) => (await session.context({ query: "openVault" })).items[0]?.path,
  similar: async (session, root) =>
    (await session.similar({ path: join(root, "vault.ts"), line: 0 })).subject.path,
  callers: async (session) => (await session.callers({ name: "openVault" })).calls[0]?.path,
  callEnds: async (session, root) => {
    const name = { path: join(root, "visit.ts"), line: 2, column: 9, chain: "openVault" };
    return (await session.callEnds(name))[0]?.path;
  },
  history: async (session) => (await session.history({ query: "vault" })).commits[0]?.subject,
};

it("Every request waits until the stored index is loaded", async () => {
  const { session, root, open } = await storedIndex();
  const asked = Object.entries(QUESTIONS).map(async ([name, ask]) => [
    name,
    await ask(session, root),
  ]);
  await delay(OPENING_MS);
  open();
  expect(Object.fromEntries(await Promise.all(asked))).toEqual({
    search: "vault.ts",
    symbols: "vault.ts",
    context: "vault.ts",
    similar: "vault.ts",
    callers: "visit.ts",
    callEnds: "vault.ts",
    history: "Open the vault with a key",
  });
});

it("A cancelled request stops waiting", async () => {
  const { session } = await storedIndex();
  const ending = new AbortController();
  const asked = session.search({ query: "openVault" }, ending.signal);
  ending.abort();
  await expect(asked).rejects.toThrow(/abort/i);
});

it("A search of an index that cannot be opened warns about it", async () => {
  const { session, root, fail } = await storedIndex();
  const asked = session.search({ query: "openVault" });
  fail();
  expect((await asked).warnings).toEqual([`${root} cannot be searched: it is down: start it`]);
});
