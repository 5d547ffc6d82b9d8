/**
 * Thousands of bad files of every kind; some change or vanish while they are read. Indexing finishes and contains all good files.
 * @module-tag slow
 */

import { execFileSync } from "node:child_process";
import {
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Session } from "../../server/contracts/session.ts";
import { type TestEngine, testEngine } from "../support/engine.ts";
import { eventually } from "../support/eventually.ts";
import { type HostileTree, hostileTree, OUTSIDE } from "../support/hostile-tree.ts";
import { random } from "../support/random.ts";

/** 10,000 take some minutes. */
const FILES = Number(process.env["COCOSEARCH_TEST_FILES"] ?? 400);
const TIMEOUT_MS = 1_200_000;
/** The engine's memory with the model, the database and its threads; parsed trees of hostile files are freed. */
const MAX_MEMORY = 1_500_000_000;
const LONG_AGO = new Date("2001-01-01");

let engine: TestEngine;
let session: Session;
let tree: HostileTree;

beforeAll(async () => {
  tree = hostileTree(FILES, random(1));
  for (const name of ["stolen.py", "sub/stolen.md"]) {
    utimesSync(join(tree.outside, name), LONG_AGO, LONG_AGO);
  }
  engine = testEngine();
  session = engine.session();
}, TIMEOUT_MS);
afterAll(async () => {
  await engine.dispose();
  execFileSync("chmod", ["-R", "u+rwX", tree.root]);
  rmSync(tree.root, { recursive: true });
  rmSync(tree.outside, { recursive: true });
}, TIMEOUT_MS);

/** Rewrites, deletes and replaces files until stopped, then restores them. */
function churn(root: string, outside: string): { stop(): Promise<number> } {
  const chance = random(9);
  let isOver = false;
  let changes = 0;
  const at = (n: number) => join(root, `churn${n}.py`);
  const work = (async () => {
    while (!isOver) {
      const path = at(chance.int(50));
      rmSync(path, { force: true });
      const what = chance.int(5);
      if (what === 0) writeFileSync(path, `churning = ${changes}\n`);
      if (what === 1) writeFileSync(path, "x = 1\n".repeat(chance.int(3_000)));
      if (what === 2) symlinkSync(join(outside, "stolen.py"), path);
      if (what === 3) execFileSync("mkfifo", [path]);
      changes++;
      await turn();
    }
    for (let n = 0; n < 50; n++) rmSync(at(n), { force: true });
  })();
  return {
    stop: async () => {
      isOver = true;
      await work;
      return changes;
    },
  };
}

describe("a hostile tree", () => {
  it(
    "is indexed completely while files change and vanish",
    async ({ annotate }) => {
      const start = performance.now();
      const pid = await engine.pid();
      const churning = churn(tree.root, tree.outside);
      try {
        await session.openFolders([tree.root]);
        await session.whenIdle();
      } finally {
        await annotate(`${await churning.stop()} changes meanwhile`);
      }
      await session.reindex({});
      const status = await session.status();
      expect(status).toMatchObject({ state: "ready", warnings: [] });
      expect(status.indexed).toBe(status.total);
      expect(status.engine.pid).toBe(pid);
      expect(status.engine.memoryBytes).toBeLessThan(MAX_MEMORY);
      const seconds = Math.round((performance.now() - start) / 1000);
      const megabytes = Math.round(status.engine.memoryBytes / 1e6);
      await annotate(
        `${FILES} files of ${tree.kinds.size} kinds, ${status.indexed} indexed, ${status.indexes[0]?.chunks} chunks, ${seconds} s, ${megabytes} MB`,
      );
      await annotate(JSON.stringify(status.indexes[0]?.excluded));
    },
    TIMEOUT_MS,
  );

  it(
    "has all of its good files in the index",
    async () => {
      const missing: string[] = [];
      for (const [path, word] of tree.good) {
        const { hits } = await session.search({ query: word, limit: 1 });
        if (hits[0]?.path !== path) missing.push(path);
      }
      expect(missing).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it("has each file counted as indexed or as excluded by a rule", async () => {
    const excluded = await session.excluded(tree.root, 1_000_000);
    const rules = new Set(excluded.map(({ rule }) => rule.replace(/[:(].*/, "").trim()));
    for (const rule of [
      "binary",
      "larger than maxFileBytes",
      "link out of the workspace",
      "broken link",
      "link to an indexed path",
      "pipe, socket or device",
      "name is not valid UTF-8",
      "path is longer than 2000 bytes",
    ]) {
      expect(rules).toContain(rule);
    }
    const [index] = (await session.status()).indexes;
    const counted = Object.values(index?.excluded ?? {}).reduce((sum, n) => sum + n, 0);
    expect(counted).toBe(new Set(excluded.map(({ path }) => path)).size);
  });

  it("gives no access to files outside the root", async () => {
    // A file may have become a link since it was read; the index follows a moment later.
    const { hits } = await eventually(async () => {
      const answer = await session.search({ query: OUTSIDE, limit: 50 });
      const led = answer.hits.filter(({ path }) => /stolen|out\d|via\d/.test(path));
      expect(led.map(({ path }) => path)).toEqual([]);
      return answer;
    });
    const texts = await Promise.all(hits.map(({ path }) => session.why(join(tree.root, path))));
    expect(texts.join()).not.toContain(OUTSIDE);
    // The access time of a file shows that it was read, if the file system records it.
    const control = join(tree.outside, "control");
    writeFileSync(control, "x");
    utimesSync(control, LONG_AGO, LONG_AGO);
    readFileSync(control);
    const isKept = statSync(control).atimeMs > LONG_AGO.getTime();
    unlinkSync(control);
    const wasRead = ["stolen.py", "sub/stolen.md"].filter(
      (name) => statSync(join(tree.outside, name)).atimeMs !== LONG_AGO.getTime(),
    );
    expect(isKept ? wasRead : []).toEqual([]);
  });

  it("leaves no bug in the log", () => {
    const lines = readFileSync(engine.home.log, "utf8").split("\n");
    expect(lines.filter((line) => /\bbug\b/.test(line))).toEqual([]);
  });
});
