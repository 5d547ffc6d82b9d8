/** Worker threads end after a pass, unless they have jobs; the next job starts new ones. */

import type { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { PrepareJob } from "../../server/contracts/preparer.ts";
import { loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { createPreparers } from "../../server/engine/threads/worker-pool.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";

const JOB: PrepareJob = {
  root: "/",
  path: "a.py",
  text: "def open_pool(): pass\n",
  chunkSize: 1_500,
  chunkOverlap: 0,
  maxFileBytes: 1_000_000,
  embed: false,
};

function poolWithThreads() {
  const running = new Set<Worker>();
  const started: Worker[] = [];
  const count = (worker: Worker) => {
    started.push(worker);
    running.add(worker);
    worker.on("exit", () => running.delete(worker));
  };
  process.on("worker", count);
  const preparers = createPreparers(1, { table: loadEmbeddingModel() }, silent);
  onTestFinished(async () => {
    process.off("worker", count);
    await preparers.close();
  });
  return { preparers, running, started };
}

it("Background threads end, the interactive thread stays", async () => {
  const { preparers, running } = poolWithThreads();
  await preparers.interactive.prepare(JOB);
  const [users] = running;
  await preparers.background.prepare(JOB);
  expect(running.size).toBe(2);
  await preparers.restBackground();
  expect([...running]).toEqual([users]);
  expect(await preparers.background.prepare(JOB)).toMatchObject({ kind: "prepared" });
  expect(running.size).toBe(2);
});

it("A busy thread does not end", async () => {
  const { preparers, started } = poolWithThreads();
  const job = preparers.background.prepare(JOB);
  await preparers.restBackground();
  expect(await job).toMatchObject({ kind: "prepared" });
  // Another thread would have been chosen instead.
  expect(started).toHaveLength(1);
});

it("A queued job starts no thread after the pool is closed", async () => {
  const { preparers, started } = poolWithThreads();
  await preparers.background.prepare(JOB);
  const jobs = Array.from({ length: 8 }, () => preparers.background.prepare(JOB));
  const outcomes = Promise.allSettled(jobs);
  // By now the thread has its maximum number of jobs.
  await new Promise(process.nextTick);
  await preparers.close();
  expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(["rejected"]));
  expect(started).toHaveLength(1);
});

leaveNothingBehind();
