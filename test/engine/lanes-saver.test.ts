/** When the lanes of an index are stored: after what changed them, and not again. */

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LiveLanes } from "../../server/contracts/lanes.ts";
import type { IndexStore } from "../../server/contracts/store.ts";
import type { LanesFiles } from "../../server/engine/lanes-files.ts";
import { LanesSaver } from "../../server/engine/lanes-saver.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function saver() {
  const state = { stateId: "1", pending: 0, isStored: true, written: 0 };
  const store = {
    stateId: async () => state.stateId,
    counts: async () => ({ pending: state.pending }),
  } as unknown as IndexStore;
  const lanes = (generation: string) => ({ generation }) as LiveLanes;
  const index: { current: { store: IndexStore; lanes: LiveLanes } | undefined } = {
    current: { store, lanes: lanes("1") },
  };
  const files = {
    write: async () => {
      state.written++;
      return state.isStored;
    },
  } as unknown as LanesFiles;
  const made = new LanesSaver({ files, current: () => index.current });
  const use = (generation: string) => {
    index.current = { store, lanes: lanes(generation) };
  };
  return { made, state, index, store, use };
}

it("stores them once for each change of them or of the store", async () => {
  const { made, state, use } = saver();
  const written = async () => {
    await made.save();
    return state.written;
  };
  expect([await written(), await written()]).toEqual([1, 1]);
  state.stateId = "2";
  expect([await written(), await written()]).toEqual([2, 2]);
  use("2");
  expect([await written(), await written()]).toEqual([3, 3]);
  // Others that have come as far: made again after a fault of the first.
  use("2");
  expect([await written(), await written()]).toEqual([4, 4]);
});

it("stores nothing without lanes or before all vectors are there, and tries again what failed", async () => {
  const { made, state, index, use } = saver();
  state.pending = 1;
  await made.save();
  index.current = undefined;
  await made.save();
  expect(state.written).toBe(0);
  use("1");
  state.pending = 0;
  state.isStored = false;
  await made.save();
  await made.save();
  expect(state.written).toBe(2);
});

it("knows what was read, until nothing is stored any more", async () => {
  const { made, state, index, store } = saver();
  await made.noteRead(store, index.current?.lanes as LiveLanes);
  await made.save();
  expect(state.written).toBe(0);
  await made.stop();
  await made.save();
  expect(state.written).toBe(1);
});

it("waits ten seconds the first time, and two minutes after the last change later", async () => {
  const { made, state, use } = saver();
  made.saveSoon();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(state.written).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(state.written).toBe(1);
  use("2");
  made.saveSoon();
  await vi.advanceTimersByTimeAsync(60_000);
  made.saveSoon();
  await vi.advanceTimersByTimeAsync(119_999);
  expect(state.written).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(state.written).toBe(2);
  made.saveSoon();
  await made.stop();
  await vi.advanceTimersByTimeAsync(200_000);
  expect(state.written).toBe(2);
});
