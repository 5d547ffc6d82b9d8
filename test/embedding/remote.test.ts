/** The two providers behind a network, against a server that speaks their protocols and fails in all their ways. */

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createOllamaEmbedder } from "../../server/embedding/ollama.ts";
import { createOpenAiEmbedder } from "../../server/embedding/openai.ts";
import { Unavailable } from "../../server/errors.ts";
import { silent } from "../../server/log.ts";
import type { Embedder } from "../../server/ports.ts";
import {
  type EmbeddingServer,
  embeddingServer,
  type Fault,
  vectorOf,
} from "../support/embedding-server.ts";

let server: EmbeddingServer;

beforeEach(async () => {
  server = await embeddingServer();
});
afterEach(() => server.close());

const KEY = "sk-test-key";

const PROVIDERS: readonly { name: string; create: (url: string) => Embedder }[] = [
  { name: "ollama", create: (url) => createOllamaEmbedder(url, "", silent) },
  {
    name: "openai",
    create: (baseUrl) => createOpenAiEmbedder({ baseUrl, model: "m", apiKey: KEY, log: silent }),
  },
];

const chunk = (text: string) => ({ path: "src/a.py", text, names: [] });

function normal(text: string): number[] {
  const vector = vectorOf(text);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  return await promise.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: Error) => error,
  );
}

describe.each(PROVIDERS)("$name", ({ name, create }) => {
  it("gives a vector of length 1 for each text, in order", async () => {
    const embedder = create(server.url);
    const texts = Array.from({ length: 70 }, (_, i) => `text ${"abcdefgh"[i % 8]} ${i}`);
    const vectors = await embedder.embedChunks(texts.map(chunk));
    expect(vectors).toHaveLength(70);
    for (const [i, vector] of vectors.entries()) {
      const expected = normal(embedder.textOf(chunk(texts[i] ?? "")));
      for (const [j, value] of vector.entries()) expect(value).toBeCloseTo(expected[j] ?? 0, 5);
    }
    expect(embedder.dimension).toBe(8);
    expect(server.requests).toBe(3);
  });

  it("puts the path before the text, and the prefixes that the model wants", async () => {
    const embedder = create(server.url);
    await embedder.embedChunks([chunk("body")]);
    await embedder.embedQuery("question");
    const [document, query] =
      name === "ollama" ? ["search_document: ", "search_query: "] : ["", ""];
    expect(server.texts).toEqual([`${document}File: src/a.py\nbody`, `${query}question`]);
  });

  it("cuts what the model's context does not hold", async () => {
    await create(server.url).embedChunks([chunk("x".repeat(100_000))]);
    expect(server.texts[0]?.length).toBe(4_000);
  });

  it.each<Fault>(["rate limit", "server error", "cut connection"])(
    "asks again after: %s",
    async (fault) => {
      server.fail(fault, 2);
      const [vector] = await create(server.url).embedChunks([chunk("body")]);
      expect(vector).toHaveLength(8);
      expect(server.requests).toBe(3);
    },
  );

  it.each<[Fault, RegExp]>([
    ["model not found", /ollama pull nomic-embed-text|has the model "m"/],
    ["unauthorized", /COCOSEARCH_EMBEDDING_API_KEY|address/],
  ])("does not ask again after: %s", async (fault, remedy) => {
    server.fail(fault);
    const error = await failure(create(server.url).embedQuery("x"));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toMatch(remedy);
    expect(server.requests).toBe(1);
  });

  it.each<[Fault, string]>([
    ["wrong count", "vectors for 2 texts"],
    ["not a number", "not finite"],
    ["all zero", "all zero"],
    ["no JSON", ""],
  ])("refuses an answer with: %s", async (fault, reason) => {
    server.fail(fault);
    const error = await failure(create(server.url).embedChunks([chunk("a"), chunk("b")]));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toContain(reason);
  });

  it("refuses a dimension that changes", async () => {
    const embedder = create(server.url);
    await embedder.embedQuery("x");
    server.fail("wrong dimension");
    const error = await failure(embedder.embedQuery("y"));
    expect(error.message).toContain("a vector of 7 dimensions where 8 were expected");
  });

  it("ends at once when it is cancelled", async () => {
    server.fail("silence");
    const controller = new AbortController();
    const asked = create(server.url).embedQuery("x", controller.signal);
    setTimeout(() => controller.abort(), 50);
    const error = await failure(asked);
    expect(error.name).toBe("AbortError");
  });

  it("says what to do when nobody listens", async () => {
    await server.close();
    const error = await failure(create(server.url).embedQuery("x"));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toMatch(/ECONNREFUSED.*(ollama serve|BASE_URL)/);
  });
});

describe("openai", () => {
  const create = (baseUrl: string, apiKey = KEY) =>
    createOpenAiEmbedder({ baseUrl, model: "m", apiKey, log: silent });

  it.each(["", "/", "/v1", "/v1/", "/v1/embeddings"])(
    "finds its endpoint from …%s",
    async (path) => {
      expect(await create(`${server.url}${path}`).probe()).toBe(8);
    },
  );

  it("sends the key, only where there is one, and never repeats it", async () => {
    await create(server.url).probe();
    await create(server.url, "").probe();
    expect(server.keys).toEqual([`Bearer ${KEY}`, undefined]);
    server.fail("unauthorized");
    const error = await failure(create(server.url).probe());
    expect(JSON.stringify([error.message, error.stack])).not.toContain(KEY);
  });
});
