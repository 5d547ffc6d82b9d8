/** When lanes and edges of an index are stored: after what changed them, and not again. */

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LiveLanes } from "../../../server/contracts/lanes.ts";
import { NO_FACTS } from "../../../server/contracts/packed-facts.ts";
import type { IndexStore } from "../../../server/contracts/store.ts";
import { StateSaver, type StateSaverOptions } from "../../../server/engine/indexes/state-saver.ts";
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
  const index: { current: ReturnType<StateSaverOptions["current"]> } = {
    current: { store, lanes: lanes("1"), graph },
  };
  const count = (what: "written" | "edges") => ({
    write: async () => {
      state[what]++;
      return state.isStored;
    },
  });
  const made = new StateSaver({
    lanesFiles: count("written"),
    edgesFiles: count("edges"),
    current: () => index.current,
  });
  const use = (generation: string) => {
    index.current = { store, lanes: lanes(generation), graph };
  };
  return { made, state, index, store, graph, use };
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
  await made.noteRead(store, { lanes: index.current?.lanes });
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

it("stores edges only when all are resolved, and those that were read only after a change", async () => {
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

it("resolves what has changed since somebody asked, before it stores edges in a quiet moment", async () => {
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
