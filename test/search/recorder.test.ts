import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { Recorder } from "../../server/search/recorder.ts";

/** Longer than the slice after which a search gives the thread away. */
const LONG_MS = 8;

function keepThread(): void {
  const until = performance.now() + LONG_MS;
  while (performance.now() < until);
}

const undescribed = () => ({});

it("lets others have the thread after a long stage, and not after a short one", async () => {
  const order: string[] = [];
  const recorder = new Recorder({ isRecording: false });
  void nextTurn().then(() => order.push("another"));
  await recorder.stage("first", () => order.push("first"), undescribed);
  await recorder.stage("long", () => order.push("long") && keepThread(), undescribed);
  await recorder.stage("last", () => order.push("last"), undescribed);
  expect(order).toEqual(["first", "long", "another", "last"]);
});

it("begins no stage of a search that was taken back", async () => {
  const taken = new AbortController();
  const recorder = new Recorder({ isRecording: true, signal: taken.signal });
  let isBegun = false;
  void nextTurn().then(() => taken.abort(new Error("taken back")));
  await recorder.stage("long", keepThread, undescribed);
  const stage = recorder.stage("next", () => (isBegun = true), undescribed);
  await expect(stage).rejects.toThrow("taken back");
  expect(isBegun).toBe(false);
  expect(recorder.stages.map(({ name }) => name)).toEqual(["long"]);
});
