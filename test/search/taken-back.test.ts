/** A search that its client takes back. */

import { expect, it } from "vitest";
import type { LiveLanes } from "../../server/contracts/lanes.ts";
import { search } from "../../server/search/search.ts";
import { contextOf, createEmbedder, embedded, indexOf, lanesOf, vectorOf } from "./support.ts";

const createLanes = () => lanesOf(embedded("src/pool.ts", "open the pool of connections"));
const contextWith = (lanes: LiveLanes, embedder = createEmbedder()) =>
  contextOf(indexOf("app", lanes, embedder));

it("rejects before it begins, and where a model fails for it", async () => {
  const cancelled = AbortSignal.abort(new Error("cancelled"));
  const context = contextWith(createLanes());
  await expect(search(context, { query: "x" }, cancelled)).rejects.toThrow("cancelled");
  const controller = new AbortController();
  const embedder = createEmbedder();
  embedder.embedQuery = () => {
    controller.abort(new Error("cancelled"));
    return Promise.reject(new Error("connection cut"));
  };
  const running = search(contextWith(createLanes(), embedder), { query: "x y" }, controller.signal);
  await expect(running).rejects.toThrow("cancelled");
});

it("ends on its way", async () => {
  const lanes = createLanes();
  const asked: string[] = [];
  lanes.keyword = async () => {
    asked.push("keyword");
    return [];
  };
  const controller = new AbortController();
  const embedder = createEmbedder();
  embedder.embedQuery = async (text) => {
    // Longer than a slice: what came in meanwhile is heard before the next stage.
    const until = performance.now() + 8;
    while (performance.now() < until);
    return vectorOf(text);
  };
  setImmediate(() => controller.abort(new Error("taken back")));
  const running = search(contextWith(lanes, embedder), { query: "x y" }, controller.signal);
  await expect(running).rejects.toThrow("taken back");
  expect(asked).toEqual([]);
});
