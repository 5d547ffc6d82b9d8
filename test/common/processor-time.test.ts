/** Processor time of a job in another thread: what it uses counts, and what it waits does not. */

import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { JobMeter, processorMs } from "../../server/common/processor-time.ts";

const MODULE = new URL("../../server/common/processor-time.ts", import.meta.url).href;

/** A thread that notes that its job begins, and then does this for some time. */
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

it.runIf(process.platform === "linux")("counts nothing of what a job waits", async () => {
  expect(await used("waits", 400)).toBeLessThan(200);
});

it("counts what a job works", async () => {
  // How much of a busy machine the thread gets is not known; some of it, it does.
  expect(await used("works", 400)).toBeGreaterThan(5);
});

it("counts the processor time of the calling thread", () => {
  const before = processorMs();
  const until = performance.now() + 50;
  while (performance.now() < until);
  expect(processorMs()).toBeGreaterThan(before);
});
