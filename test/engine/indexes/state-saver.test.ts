/** When snapshots of lanes and edges are saved: once after each change. */

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LiveLanes } from "../../../server/contracts/lanes.ts";
import { NO_FACTS } from "../../../server/contracts/packed-facts.ts";
import type { IndexStore } from "../../../server/contracts/store.ts";
import { type CurrentData, StateSaver } from "../../../server/engine/indexes/state-saver.ts";
import { AS_STORED, IndexGraph } from "../../../server/graph/live-graph.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function saver() {
  const state = { stateId: "1", pending: 0, isStored: true, written: 0, edges: 0 };
  const store = {
    stateId: async () => state.stateId,
    counts: async () => ({ pending: state.pending }),
  } as unknown as IndexStore;
  const lanes = (generation: string) => ({ generation }) as LiveLanes;
  const graph = new IndexGraph();
  const index: { current: ReturnType<CurrentData> } = {
    current: { store, lanes: lanes("1"), graph },
  };
  const count = (what: "written" | "edges") => ({
    write: async () => {
      state[what]++;
      return state.isStored;
    },
  });
  const files = { lanes: count("written"), graph: count("edges") };
  const made = new StateSaver(files, () => index.current);
  const use = (generation: string) => {
    index.current = { store, lanes: lanes(generation), graph };
  };
  return { made, state, index, store, graph, use };
}

it("Snapshots are saved once per change of the data or the store", async () => {
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
  // Equal data, recreated after a fault of the first.
  use("2");
  expect([await written(), await written()]).toEqual([4, 4]);
});

it("Nothing is saved without lanes or with missing vectors, and a failed save is retried", async () => {
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

it("Loaded snapshots are not saved again, and nothing is saved after `stop`", async () => {
  const { made, state, index, store } = saver();
  await made.noteRead(store, { lanes: index.current?.lanes });
  await made.save();
  expect(state.written).toBe(0);
  await made.stop();
  await made.save();
  expect(state.written).toBe(1);
});

it("The lanes alone are saved at once, and once if several ask for them together", async () => {
  const { made, state, graph } = saver();
  await graph.whenResolved();
  made.saveSoon();
  await Promise.all([made.saveLanes(), made.saveLanes(), made.saveLanes()]);
  expect([state.written, state.edges]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(200_000);
  expect([state.written, state.edges]).toEqual([1, 1]);
});

it("The first save waits ten seconds, later ones two minutes after the last change", async () => {
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

it("Edges are saved only if all are resolved, and loaded ones only after a change", async () => {
  const { made, state, store, graph } = saver();
  await made.save();
  expect(state.edges).toBe(0);
  await graph.whenResolved();
  await made.save();
  await made.save();
  expect(state.edges).toBe(1);
  graph.replace([], [{ path: "a.ts", facts: NO_FACTS }]);
  await made.save();
  expect(state.edges).toBe(1);
  await graph.whenResolved();
  await made.save();
  expect(state.edges).toBe(2);
  expect(graph.generation).not.toBe(AS_STORED);
  await made.noteRead(store, { graph });
  await made.save();
  expect(state.edges).toBe(3);
});

it("Changed edges of a graph in use are resolved before a save in a quiet period", async () => {
  const { made, state, graph } = saver();
  made.saveSoon();
  await vi.advanceTimersByTimeAsync(200_000);
  expect([state.written, state.edges, graph.isResolved]).toEqual([1, 0, false]);
  await graph.whenResolved();
  graph.replace([], [{ path: "a.ts", facts: NO_FACTS }]);
  made.saveSoon();
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(state.edges).toBe(1));
  expect(graph.isResolved).toBe(true);
});
