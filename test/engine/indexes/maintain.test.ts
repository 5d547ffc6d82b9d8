/** Maintenance after a pass, over a store and a graph that record their calls. */

import { expect, it } from "vitest";
import { maintain } from "../../../server/engine/indexes/maintain.ts";

type Maintained = Parameters<typeof maintain>[0];

function setUp(setDependencies = async () => undefined) {
  const calls: string[] = [];
  const index = {
    database: { vacuum: async () => void calls.push("vacuum") },
    store: { setDependencies },
    graph: {
      takeChangedEdges: async () => [["a.py", []]],
      markUnstored: () => calls.push("unstored"),
    },
    workspace: { hasWork: false },
    preparers: { restBackground: async () => undefined },
    throttle: { whenQuiet: async () => undefined },
  } as unknown as Maintained;
  return { index, calls };
}

it.each([
  [199, []],
  [200, ["vacuum"]],
])("Maintenance vacuums the database only after many changes (%i)", async (changed, expected) => {
  const { index, calls } = setUp();
  await maintain(index, changed, new AbortController().signal);
  expect(calls).toEqual(expected);
});

it("A cancelled pass is not followed by a vacuum", async () => {
  const { index, calls } = setUp();
  await maintain(index, 200, AbortSignal.abort());
  expect(calls).toEqual([]);
});

it("Edges that could not be stored are stored by the next pass", async () => {
  const { index, calls } = setUp(() => Promise.reject(new Error("the store is down")));
  await expect(maintain(index, 0, new AbortController().signal)).rejects.toThrow("is down");
  expect(calls).toEqual(["unstored"]);
});
