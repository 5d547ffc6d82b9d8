/** Questions that warm an index up: once for each, behind everybody else's, and none where they would cost something. */

import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { silent } from "../../../server/common/log.ts";
import type { OpenIndex } from "../../../server/engine/indexes/open-index.ts";
import { IndexingThrottle } from "../../../server/engine/threads/indexing-throttle.ts";
import { WarmUp } from "../../../server/engine/threads/warm-up.ts";

const READY = {
  state: "ready",
  compatibility: { kind: "usable" },
  embedder: { isLocal: true },
  settings: { "database.url": "" },
  lanes: { stems: () => ["billing", "pool"], size: 1_000 },
  workspace: { leftMs: undefined },
};

/** A first index, which will take a while. */
const FIRST = { state: "indexing", workspace: { leftMs: 5_000 } };

/** What a warm-up sees of an index. */
const indexWith = (other: object = {}) => ({ ...READY, ...other }) as unknown as OpenIndex;

function warmUp(answer: () => Promise<void> = async () => {}) {
  const asked: string[] = [];
  const throttle = new IndexingThrottle();
  const ask = async (_: OpenIndex, query: string) => {
    asked.push(query);
    await answer();
  };
  const warming = new WarmUp({ throttle, log: silent, ask });
  onTestFinished(() => warming.close());
  return { asked, throttle, warming };
}

it("asks sentences and names of the index, once for each index", async () => {
  const { asked, warming } = warmUp();
  const index = indexWith();
  await Promise.all([warming.indexChanged(index), warming.indexChanged(index)]);
  expect(asked).toEqual(expect.arrayContaining(["where is the configuration read", "pool"]));
  const first = [...asked];
  expect(new Set(first).size).toBe(first.length);
  await warming.indexChanged(indexWith());
  expect(asked.length).toBe(first.length + 2);
});

it("asks a small index about each of its files with every sentence", async () => {
  const { asked, warming } = warmUp();
  await warming.indexChanged(indexWith());
  expect(asked.slice(8).length).toBe(12);
  expect(asked).toContain("how are errors handled billing");
  expect(asked).toContain("how are errors handled pool");
});

it("asks the first index that is ready about more of its files, until a user asks", async () => {
  const stems = Array.from({ length: 200 }, (_, i) => `file${i}`);
  const large = () => indexWith({ lanes: { stems: () => stems, size: 1_000 } });
  const { asked, throttle, warming } = warmUp(async () => {
    if (asked.length === 30) await throttle.whileSearching(async () => {});
  });
  await warming.indexChanged(large());
  expect(asked.length).toBe(30);
  expect(new Set(asked).size).toBe(30);
  await warming.indexChanged(large());
  expect(asked.length).toBe(32);
});

it("asks a later index one question of each kind, and none while it is made", async () => {
  const { asked, warming } = warmUp();
  await warming.indexChanged(indexWith());
  const before = asked.length;
  const later = { ...READY, ...FIRST } as { state: string };
  await warming.indexChanged(later as unknown as OpenIndex);
  expect(asked.length).toBe(before);
  later.state = "ready";
  await warming.indexChanged(later as unknown as OpenIndex);
  expect(asked.slice(before)).toEqual(["where is the configuration read", "billing"]);
});

it("has the importers counted that hits tell of", async () => {
  let resolved = 0;
  const graph = { whenImportersCounted: async () => resolved++ };
  await warmUp().warming.indexChanged(indexWith({ graph }));
  expect(resolved).toBe(1);
});

it("asks a first index while it is made, and nothing twice when it is ready", async () => {
  const { asked, warming } = warmUp();
  const index = { ...READY, ...FIRST } as { state: string };
  await warming.indexChanged(index as unknown as OpenIndex);
  const once = asked.length;
  expect(once).toBeGreaterThan(6);
  index.state = "ready";
  await warming.indexChanged(index as unknown as OpenIndex);
  expect(new Set(asked).size).toBe(asked.length);
});

it.each([
  ["is looked through again", { state: "indexing" }],
  ["is soon ready", { ...FIRST, workspace: { leftMs: 500 } }],
  ["has hardly anything to find yet", { ...FIRST, lanes: { stems: () => [], size: 20 } }],
  ["is searched by a service", { embedder: { isLocal: false } }],
  ["lies in a Postgres of the user", { settings: { "database.url": "postgres://db" } }],
  ["cannot be used", { compatibility: { kind: "rebuild" } }],
])("asks nothing of an index that %s", async (_, other) => {
  const { asked, warming } = warmUp();
  await warming.indexChanged(indexWith(other));
  expect(asked).toEqual([]);
});

it("waits for a search, and ends where there is work to do", async () => {
  const { asked, throttle, warming } = warmUp();
  const index = { ...READY } as { state: string };
  let answered = false;
  const searching = throttle.whileSearching(async () => {
    await delay(100);
    answered = asked.length === 0;
    index.state = "indexing";
  });
  await warming.indexChanged(index as unknown as OpenIndex);
  await searching;
  expect(answered).toBe(true);
  expect(asked).toEqual([]);
});

it("gives up with the first question that fails, or when the engine ends", async () => {
  const failing = warmUp(() => Promise.reject(new Error("the lanes are closed")));
  await failing.warming.indexChanged(indexWith());
  expect(failing.asked.length).toBe(1);
  const ending = warmUp();
  const warming = ending.warming.indexChanged(indexWith());
  ending.warming.close();
  await warming;
  expect(ending.asked).toEqual([]);
});
