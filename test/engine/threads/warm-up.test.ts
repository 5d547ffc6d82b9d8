/** Tests the questions of the warm-up: the index and the time that they are asked at, and that users come first. */

import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { silent } from "../../../server/common/log.ts";
import type { OpenIndex } from "../../../server/engine/indexes/open-index.ts";
import { IndexingThrottle } from "../../../server/engine/threads/indexing-throttle.ts";
import { WarmUp } from "../../../server/engine/threads/warm-up.ts";

const STEMS = Array.from({ length: 200 }, (_, i) => `file${i}`);
const READY = {
  state: "ready",
  compatibility: { kind: "usable" },
  settings: { "database.url": "", "embedding.provider": "builtin" },
  lanes: { stems: () => STEMS.slice(0, 8), size: 1_000 },
};

/** The part of an index that the warm-up reads. */
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

it("asks questions and names of the first ready index only", async () => {
  const { asked, warming } = warmUp();
  await Promise.all([warming.indexChanged(indexWith()), warming.indexChanged(indexWith())]);
  expect(asked.length).toBe(8);
  expect(new Set(asked).size).toBe(8);
  expect(asked).toEqual(expect.arrayContaining(["where is file0 read and written", "file3"]));
});

it("asks at most 60 questions of a large index", async () => {
  const { asked, warming } = warmUp();
  await warming.indexChanged(indexWith({ lanes: { stems: () => STEMS, size: 1_000 } }));
  expect(asked.length).toBe(60);
});

it.each([
  ["is being indexed", { state: "indexing" }],
  ["is small", { lanes: { stems: () => STEMS, size: 20 } }],
  [
    "has another embedding model",
    { settings: { ...READY.settings, "embedding.provider": "ollama" } },
  ],
  [
    "is in the user's Postgres",
    { settings: { ...READY.settings, "database.url": "postgres://db" } },
  ],
  ["must be rebuilt", { compatibility: { kind: "rebuild" } }],
])("asks nothing of an index that %s", async (_, other) => {
  const { asked, warming } = warmUp();
  await warming.indexChanged(indexWith(other));
  expect(asked).toEqual([]);
  await warming.indexChanged(indexWith());
  expect(asked.length).toBe(8);
});

it("asks nothing while a user searches, and continues afterwards", async () => {
  const { asked, throttle, warming } = warmUp();
  let during = -1;
  const searching = throttle.whileSearching(async () => {
    await delay(700);
    during = asked.length;
  });
  await Promise.all([searching, warming.indexChanged(indexWith())]);
  expect(during).toBe(0);
  expect(asked.length).toBe(8);
});

it("ends with the first question that fails, and when the engine ends", async () => {
  const failing = warmUp(() => Promise.reject(new Error("the lanes are closed")));
  await failing.warming.indexChanged(indexWith());
  expect(failing.asked.length).toBe(1);
  const ending = warmUp();
  const warming = ending.warming.indexChanged(indexWith());
  ending.warming.close();
  await warming;
  expect(ending.asked).toEqual([]);
});
