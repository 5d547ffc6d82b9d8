import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { Recorder } from "../../server/search/recorder.ts";

/** Longer than the slice after which a search yields. */
const LONG_MS = 8;

function keepThread(): void {
  const until = performance.now() + LONG_MS;
  while (performance.now() < until);
}

async function stage(recorder: Recorder, name: string, run: () => unknown): Promise<void> {
  const span = await recorder.start(name);
  run();
  span.end(() => ({}));
}

it("Recorder.start yields the thread after a long stage, and not after a short one", async () => {
  const order: string[] = [];
  const recorder = new Recorder({ isRecording: false });
  void nextTurn().then(() => order.push("another"));
  await stage(recorder, "first", () => order.push("first"));
  await stage(recorder, "long", () => order.push("long") && keepThread());
  await stage(recorder, "last", () => order.push("last"));
  expect(order).toEqual(["first", "long", "another", "last"]);
});

it("Recorder.start rejects after the search was cancelled", async () => {
  const cancelled = new AbortController();
  const recorder = new Recorder({ isRecording: true, signal: cancelled.signal });
  let hasRun = false;
  void nextTurn().then(() => cancelled.abort(new Error("cancelled")));
  await stage(recorder, "long", keepThread);
  const next = stage(recorder, "next", () => (hasRun = true));
  await expect(next).rejects.toThrow("cancelled");
  expect(hasRun).toBe(false);
  expect(recorder.stages.map(({ name }) => name)).toEqual(["long"]);
});
