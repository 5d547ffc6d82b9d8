/** One engine for everybody, and an index that survives its death: real processes, real kills, rows compared. */

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { silent } from "../../server/log.ts";
import type { Session } from "../../server/session.ts";
import { openEmbedded } from "../../server/store/embedded.ts";
import { type TestEngine, testEngine } from "../support/engine.ts";
import { startServer, until } from "../support/lsp-client.ts";

const SOURCES = resolve(import.meta.dirname, "../../node_modules/zod/src");
const KILLS = 20;

const cleanups: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function workspace(): string {
  const root = mkdtempSync(join(tmpdir(), "cocosearch-work-"));
  cleanups.push(() => rmSync(root, { recursive: true }));
  cpSync(SOURCES, root, { recursive: true });
  return root;
}

function engine(): TestEngine {
  const made = testEngine();
  cleanups.push(() => made.dispose());
  return made;
}

/** Every row of the only index in a home whose engine has left. */
async function rowsOf({ home, left }: TestEngine): Promise<string[]> {
  await left();
  const store = await openEmbedded({ directory: home.data, log: silent });
  try {
    const [record] = await store.list();
    const index = await store.find(record?.name ?? "");
    const rows: string[] = [];
    for await (const page of index?.chunks() ?? []) {
      for (const { vector, ...chunk } of page) {
        rows.push(JSON.stringify({ ...chunk, vector: vector && [...vector] }));
      }
    }
    for (const [path, hash] of (await index?.hashes()) ?? []) rows.push(`${path} ${hash}`);
    return rows.toSorted();
  } finally {
    await store.close();
  }
}

async function indexed(session: Session, root: string): Promise<void> {
  await session.openFolders([root]);
  await session.settled();
}

it("gives ten servers that start at once one engine and ten answers", async () => {
  const root = workspace();
  const { env } = engine();
  const servers = Array.from({ length: 10 }, () => startServer(env));
  cleanups.push(() => {
    for (const { child } of servers) child.kill();
  });
  const answers = await Promise.all(
    servers.map(async (server) => {
      await server.initialize(root);
      return await server.searchUntil("parse a string as an email address", () => true);
    }),
  );
  expect(answers).toHaveLength(10);
  const pids = await Promise.all(
    servers.map((server) =>
      until("the engine's process", async () => (await server.status()).engine?.pid),
    ),
  );
  expect(new Set(pids).size).toBe(1);
}, 120_000);

it(`holds the same rows as a clean index after ${KILLS} kills during indexing`, async () => {
  const root = workspace();
  const clean = engine();
  const first = clean.session();
  await indexed(first, root);
  await first.dispose();

  const killed = engine();
  const session = killed.session();
  await session.openFolders([root]);
  for (let kill = 0; kill < KILLS; kill++) {
    // From before the database is open until far into the pass.
    await delay(50 + Math.random() * 2_500);
    const { engine: running } = await session.status();
    process.kill(running.pid, "SIGKILL");
  }
  await session.settled();
  await session.dispose();

  expect(await rowsOf(killed)).toEqual(await rowsOf(clean));
}, 300_000);

it("answers again by itself after the engine was killed", async () => {
  const root = workspace();
  const session = engine().session();
  await indexed(session, root);
  const request = { query: "parse a string as an email address" };
  const before = await session.search(request);
  process.kill((await session.status()).engine.pid, "SIGKILL");
  await session.settled();
  const after = await session.search(request);
  expect(after.hits).toEqual(before.hits);
}, 120_000);

it("makes a damaged database anew, says so, and indexes again", async () => {
  const root = workspace();
  const damaged = engine();
  const first = damaged.session();
  await indexed(first, root);
  const before = await first.search({ query: "parse a string as an email address" });
  await first.dispose();
  await damaged.left();
  rmSync(join(damaged.home.data, "PG_VERSION"));

  const second = damaged.session();
  const told: string[] = [];
  second.onEvent((event) => {
    if (event.kind === "message") told.push(event.text);
  });
  await indexed(second, root);
  await second.settled();
  const after = await second.search({ query: "parse a string as an email address" });
  expect(after.hits).toEqual(before.hits);
  expect(told.join()).toContain("was damaged");
}, 120_000);

it("leaves by itself when nobody is left", async () => {
  const { session, left } = engine();
  const client = session();
  const { engine: running } = await client.status();
  await client.dispose();
  await left();
  // The lock is given back a moment before the process ends.
  await vi.waitFor(() => expect(() => process.kill(running.pid, 0)).toThrow("ESRCH"), 5_000);
});
