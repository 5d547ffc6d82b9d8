/** Keys, passwords and unusable addresses: a remote provider gets them, and no message repeats them. */

import { inspect } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import { fromEnvironment, merge } from "../../server/config/settings.ts";
import { createEmbedder } from "../../server/embedding/create.ts";
import type { EmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { type EmbeddingServer, embeddingServer } from "../support/embedding-server.ts";
import { noLocalModels } from "../support/no-local-models.ts";

let server: EmbeddingServer;
beforeEach(async () => {
  server = await embeddingServer();
});
afterEach(() => server.close());

const embedder = (env: Readonly<Record<string, string>>) =>
  createEmbedder(
    merge(fromEnvironment({ COCOSEARCH_EMBEDDING_PROVIDER: "openai", ...env }).settings),
    { model: {} as EmbeddingModel, localModels: noLocalModels, log: silent },
  );
const openai = (url: string, key = "") =>
  embedder({ COCOSEARCH_EMBEDDING_BASE_URL: url, COCOSEARCH_EMBEDDING_API_KEY: key });

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error : new Error("it did not fail");
}

it("a key is not repeated if the service's message is cut inside it", async () => {
  server.fail("long echo");
  const error = await failureOf(openai(server.url, "sk-of-somebody-else").probe());
  expect(inspect(error, { depth: 9 })).not.toContain("sk-of");
});

it("an answer of no entries is refused, as other wrong ones are", async () => {
  server.fail("no entries");
  const error = await failureOf(
    openai(server.url).embedChunks(["a", "b"].map((text) => ({ path: "a.py", text, names: [] }))),
  );
  expect(error).toBeInstanceOf(Unavailable);
  expect(error.message).toContain("something that is not a vector");
});

it("a percent sign in a password is literal if it encodes nothing", async () => {
  await openai(server.url.replace("//", "//me:100%@")).probe();
  expect(server.keys).toEqual([`Basic ${btoa("me:100%")}`]);
});

it("nothing is sent to the address that replaces an unusable one", async () => {
  const error = await failureOf(openai("localhost:1234/v1").embedQuery("x"));
  expect(error.message).toContain("the address is not an http or https URL");
  expect(error.message).not.toContain("api.openai.com");
});
