/** The processor time of a job in another thread excludes its waiting time. */

import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { JobMeter, processorMs } from "../../server/common/processor-time.ts";

const MODULE = new URL("../../server/common/processor-time.ts", import.meta.url).href;

/** A worker that notes the start of its job and then runs the given code. */
async function used(what: "works" | "waits", ms: number): Promise<number> {
  const meter = new JobMeter();
  expect(meter.usedMs).toBe(0);
  const work = {
    works: `const until = performance.now() + ${ms}; while (performance.now() < until);`,
    waits: `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});`,
  };
  const code = `
    import("tsx/esm/api").then(({ register }) => { register(); return import(${JSON.stringify(MODULE)}); }).then(({ noteBegin }) => {
      const { parentPort, workerData } = require("node:worker_threads");
      noteBegin(workerData);
      ${work[what]}
      parentPort.postMessage("done");
      setInterval(() => {}, 1_000);
    });`;
  const worker = new Worker(code, { eval: true, workerData: meter.memory });
  try {
    await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    return meter.usedMs;
  } finally {
    await worker.terminate();
  }
}

it.runIf(process.platform === "linux")(
  "JobMeter does not count the time that a job waits",
  async () => {
    expect(await used("waits", 400)).toBeLessThan(200);
  },
);

it("JobMeter counts the time that a job computes", async () => {
  // The share of a busy machine that the thread gets is unknown, but not zero.
  expect(await used("works", 400)).toBeGreaterThan(5);
});

it("processorMs counts the processor time of the calling thread", () => {
  const before = processorMs();
  const until = performance.now() + 50;
  while (performance.now() < until);
  expect(processorMs()).toBeGreaterThan(before);
});
