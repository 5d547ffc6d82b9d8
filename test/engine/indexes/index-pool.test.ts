/** Indexes shared by several sessions, at once and in succession: the real engine over the built-in database. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { isOnLocalDisk } from "../../../server/common/local-disk.ts";
import { type Log, silent } from "../../../server/common/log.ts";
import type { Session } from "../../../server/contracts/session.ts";
import { engineInProcess } from "../../support/engine-in-process.ts";
import { workspace, write } from "../../support/workspace.ts";

const POOL = "//- pool.py\ndef open_pool():\n    return Pool()\n";
const ASKED = { query: "open_pool" };

/** More files than one commit takes, so that folders close between two commits. */
const FILES = 250;
/** Sessions close at different times of the pass. */
const ROUNDS = 10;

/** The number of files that each pass looked at. */
const passes: unknown[] = [];
const log: Log = {
  ...silent,
  info: (message, fields) => {
    if (message === "indexed") passes.push(fields?.["files"]);
  },
};
const { engine, dispose } = engineInProcess(log);
afterAll(dispose);

/** Worker threads of this process: of the database and of file preparation. */
function threads(): number {
  // Report generation would resolve the names of addresses otherwise.
  Object.assign(process.report, { excludeNetwork: true });
  const { workers } = process.report.getReport() as { readonly workers: readonly unknown[] };
  return workers.length;
}

async function opened(root: string): Promise<Session> {
  const session = engine.session();
  await session.openFolders([root]);
  await session.whenIdle();
  return session;
}

it("The pool keeps an index for a while after its last session", {
  tags: ["slow"],
}, async () => {
  const root = workspace(POOL);
  await (await opened(root)).dispose();
  const next = engine.session();
  await next.openFolders([root]);
  expect((await next.search(ASKED)).hits).toHaveLength(1);
  await next.dispose();
});

it("The pool frees the memory of unused indexes, and answers the next session", {
  tags: ["slow"],
}, async () => {
  const root = workspace(POOL);
  const first = await opened(root);
  await engine.freeMemory();
  expect(threads()).not.toBe(0);
  expect((await first.search(ASKED)).hits).toHaveLength(1);
  await first.dispose();
  await engine.freeMemory();
  expect(threads()).toBe(0);
  const next = await opened(root);
  expect((await next.search(ASKED)).hits).toHaveLength(1);
  await next.dispose();
});

it("An unused index is updated for the next session", async () => {
  const root = workspace(POOL);
  await (await opened(root)).dispose();
  write(root, "//- more.py\ndef open_pool_again():\n    return Pool()\n");
  const next = await opened(root);
  expect((await next.search({ query: "open_pool_again" })).hits[0]?.path).toBe("more.py");
  await next.dispose();
});

it("The next session reads only changed files, however soon it comes", async () => {
  const root = workspace(`${POOL}//- other.py\ndef other():\n    pass\n`);
  await (await opened(root)).dispose();
  for (const round of [1, 2, 3]) {
    passes.length = 0;
    write(root, `//- more.py\ndef open_pool_${round}():\n    return Pool()\n`);
    const next = await opened(root);
    const { hits } = await next.search({ query: `open_pool_${round}`, includeText: true });
    expect(hits.map(({ text }) => text).join()).toContain(`open_pool_${round}`);
    await next.dispose();
    const known = (await isOnLocalDisk(root)) ? 1 : 3;
    expect(passes).toEqual([known]);
  }
});

it("A session with other settings reopens an unused index", async () => {
  const root = workspace(POOL);
  await (await opened(root)).dispose();
  const next = engine.session();
  await next.configure({ "indexing.excludePatterns": ["pool.py"] });
  expect(await next.openFolders([root])).toEqual([]);
  await next.whenIdle();
  expect((await next.search(ASKED)).hits).toEqual([]);
  await next.dispose();
});

it("A cleared index is dropped although another session has it open", async () => {
  const root = workspace(POOL);
  const user = await opened(root);
  const name = (await user.status()).indexes[0]?.name ?? "";
  expect(await engine.session().clear(name)).toBe(true);
  expect(await user.status()).toMatchObject({ state: "paused", indexes: [{ chunks: 0 }] });
  expect((await user.search(ASKED)).hits).toEqual([]);
  await user.dispose();
});

it("A search by name sees the stored index, not an earlier copy", async () => {
  const root = workspace(POOL);
  const first = await opened(root);
  const name = (await first.status()).indexes[0]?.name ?? "";
  // With other settings the index is reopened, so that searches by name load the stored one.
  await first.dispose();
  const other = engine.session();
  await other.configure({ "indexing.chunkSize": 900 });
  await other.openFolders([root]);
  await other.whenIdle();
  await other.pause();
  await other.dispose();
  const reader = engine.session();
  const ask = async (query: string) =>
    (await reader.search({ query, indexes: [name] })).hits.map(({ path }) => path);
  expect(await ask("open_pool")).toContain("pool.py");
  write(root, "//- more.py\ndef drained_basin():\n    return Pool()\n");
  const writer = engine.session();
  await writer.configure({ "indexing.chunkSize": 900 });
  await writer.openFolders([root]);
  await writer.resume();
  await writer.whenIdle();
  await writer.pause();
  await writer.dispose();
  expect(await ask("drained_basin")).toContain("more.py");
  await reader.dispose();
});

it("A paused folder finds its stored index at once", async () => {
  const root = workspace(POOL);
  const user = await opened(root);
  await user.pause();
  await user.dispose();
  const next = engine.session();
  await next.openFolders([root]);
  expect((await next.search(ASKED)).hits).toHaveLength(1);
  await next.whenIdle();
  await next.resume();
  await next.dispose();
});

it("An index is cleared after all sessions have closed", async () => {
  const root = workspace(POOL);
  const user = await opened(root);
  const name = (await user.status()).indexes[0]?.name ?? "";
  await user.dispose();
  expect(await engine.session().clear(name)).toBe(true);
  const next = await opened(root);
  expect((await next.search(ASKED)).hits).toHaveLength(1);
  expect(await next.list()).toContainEqual(expect.objectContaining({ root, state: "complete" }));
  await next.dispose();
});

it("An index that is closed and reopened during a pass loses nothing", {
  tags: ["slow"],
}, async () => {
  const root = workspace();
  const name = (i: number) => `file_${i}.py`;
  const fill = (round: number) => {
    for (let i = 0; i < FILES; i++) {
      writeFileSync(join(root, name(i)), `def function_${i}_of_round_${round}():\n    pass\n`);
    }
  };
  const editors = [engine.session(), engine.session()];
  for (let round = 0; round < ROUNDS; round++) {
    fill(round);
    const [editor = engine.session(), other = engine.session()] = editors;
    // Sessions do not wait for each other: the last one leaves while another comes.
    const opening = editor.openFolders([root]);
    await delay(20 * round);
    await Promise.all([opening, editor.openFolders([]), other.openFolders([root])]);
    await other.openFolders([]);
    editors.reverse();
  }
  const last = engine.session();
  await last.openFolders([root]);
  await last.whenIdle();
  const { indexes } = await last.status();
  expect(indexes[0]).toMatchObject({ files: FILES, chunks: FILES });
  for (let i = 0; i < FILES; i += 7) {
    const { hits } = await last.search({ query: `function_${i}_of_round_${ROUNDS - 1}`, limit: 1 });
    expect(hits[0]?.symbol?.name).toBe(`function_${i}_of_round_${ROUNDS - 1}`);
  }
  await Promise.all([...editors, last].map((session) => session.dispose()));
});
