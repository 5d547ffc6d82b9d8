/**
 * Several jobs per thread: they do not wait for the engine's thread, and survive a job that hangs or crashes.
 * @module-tag slow
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { deferred } from "../../../server/common/deferred.ts";
import { silent } from "../../../server/common/log.ts";
import type { PrepareJob, PrepareResult } from "../../../server/contracts/preparer.ts";
import { loadEmbeddingModel } from "../../../server/embedding/embedding-model.ts";
import { createPreparers } from "../../../server/engine/threads/worker-pool.ts";
import { forEachLimited } from "../../../server/indexing/concurrency.ts";
import { writeBrokenGrammar } from "../../support/broken-grammar.ts";
import { leaveNothingBehind } from "../../support/left-behind.ts";

/** The parser limit in processor time; it takes long on a busy machine. */
const HANGING_MS = 3_000;
/** Many times the duration of three of the files. */
const BUSY_MS = 2_000;

function poolWithOneThread(how: "breaks" | "hangs") {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-pool-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const wasm = join(folder, "python.wasm");
  writeBrokenGrammar(wasm, how);
  const preparers = createPreparers(1, { table: loadEmbeddingModel() }, silent, {
    processorMs: HANGING_MS,
  });
  onTestFinished(() => preparers.close());
  const job = (path: string, text: string): PrepareJob => ({
    root: folder,
    path,
    text,
    chunkSize: 1_500,
    chunkOverlap: 0,
    grammars: [{ language: "python", wasm }],
    maxFileBytes: 1_000_000,
    embed: false,
  });
  const python = (name: string) => job(`${name}.py`, "def open_pool(): pass\n");
  const javascript = (name: string, functions = 1) =>
    job(
      `${name}.js`,
      Array.from({ length: functions }, (_, i) => `function ${name}${i}() {}\n`).join(""),
    );
  return { pool: preparers.background, python, javascript };
}

function health(prepared: readonly PrepareResult[]): string[] {
  return prepared.map((one) => (one.kind === "prepared" ? one.file.parse.status : ""));
}

it("Files keep their parsers when another file hangs", async () => {
  const { pool, python, javascript } = poolWithOneThread("hangs");
  const jobs = [python("a"), ...["b", "c", "d"].map((name) => javascript(name))];
  const prepared = await Promise.all(jobs.map((job) => pool.prepare(job)));
  expect(health(prepared)).toEqual(["error", "ok", "ok", "ok"]);
});

it("A small workspace does not wait for a large one", async () => {
  const { pool, javascript } = poolWithOneThread("hangs");
  const began = deferred();
  let ended = 0;
  const large = forEachLimited(Array(12).fill("large"), pool.concurrency, async (root) => {
    await pool.prepare({ ...javascript("a", 6_000), root });
    ended++;
    began.resolve();
  });
  await began.promise;
  await forEachLimited(Array(12).fill("small"), pool.concurrency, async (root) => {
    await pool.prepare({ ...javascript("b"), root });
  });
  expect(ended).toBeLessThan(8);
  await large;
});

it("Files keep their parsers when other files crash theirs", async () => {
  const { pool, python, javascript } = poolWithOneThread("breaks");
  const jobs = ["a", "b", "c", "d", "e", "f"].flatMap((name) => [python(name), javascript(name)]);
  const prepared = await Promise.all(jobs.map((job) => pool.prepare(job)));
  expect(health(prepared)).toEqual(jobs.map(({ path }) => (path.endsWith(".py") ? "error" : "ok")));
});

it("Files keep their parsers when another file is cancelled", async () => {
  const { pool, python, javascript } = poolWithOneThread("hangs");
  await pool.prepare(javascript("first"));
  const ending = new AbortController();
  const hanging = pool.prepare(python("a"), ending.signal);
  const others = ["b", "c", "d"].map((name) => pool.prepare(javascript(name)));
  setTimeout(() => ending.abort(), 200);
  await expect(hanging).rejects.toThrow("aborted");
  expect(health(await Promise.all(others))).toEqual(["ok", "ok", "ok"]);
});

it("A thread starts its next jobs while the engine's own thread is busy", async () => {
  const { pool, javascript } = poolWithOneThread("hangs");
  // Long enough that the second job is still running shortly after its start.
  const began = performance.now();
  await pool.prepare(javascript("first", 1_500));
  const busyMs = Math.max(BUSY_MS, 10 * (performance.now() - began));
  let ended = 0;
  const jobs = ["a", "b", "c"].map((name) =>
    pool.prepare(javascript(name, 1_500)).then(() => ended++),
  );
  await new Promise(setImmediate);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs);
  await jobs[0];
  await new Promise(setImmediate);
  expect(ended).toBe(3);
});

leaveNothingBehind();
