/**
 * An engine that can open no more files: it says so, loses nothing, and goes on when it can.
 * @module-tag slow
 */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import type { Session } from "../../server/contracts/session.ts";
import { testEngine } from "../support/engine.ts";
import { commitAll, initRepository } from "../support/git.ts";
import { until } from "../support/lsp-client.ts";
import { workspace, write } from "../support/workspace.ts";

const HAS_PRLIMIT = spawnSync("prlimit", ["--version"]).status === 0;
/** All that is open already has these numbers, so that nothing more can be opened. */
const NO_MORE = 3;
const SAID = "the engine cannot open any more files: raise the limit (ulimit -n 4096)";

/** The soft limit alone: a hard one could not be raised again. */
function limitOpenFiles(pid: number, limit: number | ""): void {
  const hard = /^Max open files +\d+ +(\d+)/m.exec(
    readFileSync(`/proc/${pid}/limits`, "utf8"),
  )?.[1];
  const { status } = spawnSync("prlimit", ["--pid", `${pid}`, `--nofile=${limit || hard}:${hard}`]);
  expect(status).toBe(0);
}

/** The session of an engine of its own in which a folder is indexed, with the engine's process and its log. */
async function indexed(root: string) {
  const engine = testEngine();
  onTestFinished(() => engine.dispose());
  const session = engine.session();
  await session.openFolders([root]);
  await session.whenIdle();
  const { pid } = (await session.status()).engine;
  return { session, pid, log: () => readFileSync(engine.home.log, "utf8") };
}

async function first(session: Session, query: string): Promise<string | undefined> {
  return (await session.search({ query })).hits[0]?.symbol?.name;
}

it.skipIf(!HAS_PRLIMIT)(
  "that can open no more files says so, and indexes what changed meanwhile",
  async () => {
    const root = workspace("//- pool.py\ndef open_pool():\n    return 1\n");
    initRepository(root);
    commitAll(root, "Open the pool");
    const { session, pid, log } = await indexed(root);
    limitOpenFiles(pid, NO_MORE);

    write(root, "//- close.py\ndef close_pool():\n    return 2\n");
    await until("the pass that waits", () => log().includes(`"indexing waits","root":"${root}"`));
    await expect(session.reindex({})).rejects.toThrow(SAID);

    limitOpenFiles(pid, "");
    await until("the new file", async () => (await first(session, "close_pool")) === "close_pool");
    await session.whenIdle();
    const { indexes } = await session.status();
    expect(indexes[0]?.parse).toMatchObject([{ languageId: "python", ok: 2 }]);
    expect(log()).not.toMatch(/"message":"(bug|the database was damaged)/);
  },
);

it.skipIf(!HAS_PRLIMIT)(
  "opens no folder whose settings it cannot read, and leaves open ones as they are until it can",
  async () => {
    const settings = "//- cocosearch.yaml\nindexing:\n  excludePatterns: [drafts/**]\n";
    const files =
      "//- pool.py\ndef open_pool():\n    return 1\n//- drafts/plan.py\ndef secret_plan():\n    return 2\n";
    const [open, other] = [workspace(settings + files), workspace(settings + files)];
    const { session, pid, log } = await indexed(open);
    const countFiles = async () => (await session.status()).indexes.map((index) => index.files);
    expect(await countFiles()).toEqual([2]);
    limitOpenFiles(pid, NO_MORE);

    await expect(session.openFolders([open, other])).rejects.toThrow(SAID);
    write(open, "//- cocosearch.yaml\nindexing:\n  excludePatterns: [drafts/**, '*.py']\n");
    await until("the folder that waits", () => log().includes("opening a folder waits"));
    limitOpenFiles(pid, "");
    await until("both with their settings", async () => (await countFiles()).join() === "1,2");
    expect(log()).not.toContain('"message":"bug');
  },
);

it.skipIf(!HAS_PRLIMIT)(
  "watches a folder, and all that are in it, that it could not watch when it was opened",
  async () => {
    const [open, late] = [workspace("//- a.py\n1\n"), workspace("//- in/it/b.py\n1\n")];
    const { session, pid, log } = await indexed(open);
    limitOpenFiles(pid, NO_MORE);

    await session.openFolders([open, late]);
    await until("the pass that waits", () => log().includes(`"indexing waits","root":"${late}"`));
    limitOpenFiles(pid, "");
    await session.whenIdle();
    write(late, "//- in/it/c.py\ndef late_comer():\n    return 1\n");
    await until("the file", async () => (await first(session, "late_comer")) === "late_comer");
    expect(log()).not.toContain("the folder is not watched");
  },
);
