/** The health of a remote embedder whose service is stopped and restarted. */

import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { silent } from "../../../server/common/log.ts";
import { dialectAt } from "../../../server/embedding/dialects/dialects.ts";
import { createRemoteEmbedder } from "../../../server/embedding/remote.ts";
import { watchEmbedder } from "../../../server/engine/indexes/embedder-health.ts";
import { embeddingServer } from "../../support/embedding-server.ts";

async function watched() {
  const server = await embeddingServer();
  onTestFinished(() => server.close());
  const embedder = createRemoteEmbedder({
    dialect: dialectAt(server.url),
    baseUrl: server.url,
    model: "m",
    apiKey: "a-key-that-is-wrong",
    context: "none",
    dimensions: 0,
    log: silent,
  });
  const heard: string[] = [];
  const model = watchEmbedder(embedder, () => heard.push(model.failure ?? "well"), 20);
  onTestFinished(() => model.close());
  const until = async (isDone: () => boolean) => {
    while (!isDone()) await delay(5);
  };
  return { server, model, heard, until };
}

it("A failing service is reported with its reason and remedy until it is back", async () => {
  const { server, model, heard, until } = await watched();
  await model.embedder.embedQuery("one");
  expect(heard).toEqual([]);
  server.fail("unauthorized");
  await expect(model.embedder.embedQuery("two")).rejects.toThrow("401");
  expect(heard).toEqual([
    expect.stringMatching(/^only keyword search is available: .*127\.0\.0\.1.*401.*API_KEY$/),
  ]);
  const before = server.requests;
  await until(() => server.requests > before + 1);
  expect(heard).toHaveLength(1);
  server.fail("none");
  await until(() => heard.length === 2);
  expect(heard[1]).toBe("well");
  expect(model.failure).toBeUndefined();
});

it("A cancelled query does not count as a failure", async () => {
  const { model, heard } = await watched();
  await expect(model.embedder.embedQuery("x", AbortSignal.abort())).rejects.toThrow("abort");
  expect([model.failure, heard]).toEqual([undefined, []]);
});
