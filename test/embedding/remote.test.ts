/** The two providers behind a network, against a server that speaks their protocols and fails in all their ways. */

import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import type { Embedder } from "../../server/contracts/embedding.ts";
import { knownModel } from "../../server/embedding/known-models.ts";
import { createOllamaEmbedder } from "../../server/embedding/ollama.ts";
import { createOpenAiEmbedder } from "../../server/embedding/openai.ts";
import type { Patiences } from "../../server/embedding/remote.ts";
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

/** As in earnest, but asked again at once. */
const patiences: Patiences = {
  indexing: { retries: 3, firstDelayMs: 3, requestMs: 60_000 },
  searching: { retries: 0, firstDelayMs: 0, requestMs: 60_000 },
};

const hurried: Patiences = { ...patiences, searching: { ...patiences.searching, requestMs: 100 } };

const openai = (baseUrl: string, apiKey = KEY, patience = patiences) =>
  createOpenAiEmbedder({ baseUrl, model: "m", apiKey, log: silent, patiences: patience });

const PROVIDERS: readonly {
  name: string;
  create: (url: string, patience?: Patiences) => Embedder;
}[] = [
  {
    name: "ollama",
    create: (url, patience = patiences) => createOllamaEmbedder(url, "", silent, patience),
  },
  { name: "openai", create: (url, patience) => openai(url, KEY, patience) },
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
    expect(server.texts[0]?.length).toBe(4_096);
  });

  it("does not cut a character in two", async () => {
    const embedder = create(server.url);
    const free = 4_096 - embedder.textOf(chunk("")).length;
    expect(embedder.textOf(chunk(`${"x".repeat(free - 1)}😀`)).at(-1)).toBe("x");
    expect(embedder.textOf(chunk(`${"x".repeat(free - 2)}😀`)).slice(-2)).toBe("😀");
  });

  it("shortens the one text that the service finds too long, and no other", async () => {
    server.fail("too long");
    const texts = ["a".repeat(200), "b".repeat(1000), "c".repeat(100)];
    const embedder = create(server.url);
    const vectors = await embedder.embedChunks(texts.map(chunk));
    expect(vectors).toHaveLength(3);
    for (const i of [0, 2]) {
      const expected = normal(embedder.textOf(chunk(texts[i] ?? "")));
      expect(vectors[i]?.[0]).toBeCloseTo(expected[0] ?? 0, 5);
    }
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
    ["rest of a minute", /429/],
  ])("does not ask again after: %s", async (fault, remedy) => {
    server.fail(fault);
    const error = await failure(create(server.url).embedChunks([chunk("x")]));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toMatch(remedy);
    expect(server.requests).toBe(1);
  });

  it("leaves a service alone that asked for it, and searches go on without waiting", async () => {
    server.fail("rest of a minute", 1);
    const embedder = create(server.url);
    const first = await failure(embedder.embedQuery("x"));
    expect(await failure(embedder.embedQuery("y"))).toBe(first);
    expect(await failure(embedder.embedChunks([chunk("z")]))).toBe(first);
    expect(server.requests).toBe(1);
    // Asked by a person, it asks all the same; what works again is used again.
    expect(await embedder.probe()).toBe(8);
    expect(await embedder.embedQuery("y")).toHaveLength(8);
  });

  it("asks once for a search, however long it may be asked for indexing", async () => {
    server.fail("server error");
    await failure(create(server.url).embedQuery("x"));
    expect(server.requests).toBe(1);
    await failure(create(server.url).embedChunks([chunk("x")]));
    expect(server.requests).toBe(5);
  });

  it("gives a slow service up, and says after how long", async () => {
    server.fail("silence");
    const error = await failure(create(server.url, hurried).embedQuery("x"));
    expect(error.message).toContain("no answer within 100 ms");
  });

  it.each<[Fault, string]>([
    ["wrong count", "vectors for 2 texts"],
    ["not a number", "not finite"],
    ["too large a number", "not finite"],
    ["NaN", "without a list of vectors"],
    ["all zero", "all zero"],
    ["no JSON", "without a list of vectors"],
  ])("refuses an answer with: %s", async (fault, reason) => {
    server.fail(fault);
    const error = await failure(create(server.url).embedChunks([chunk("a"), chunk("b")]));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toContain(reason);
    expect(server.requests).toBe(1);
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
  it.each(["", "/", "/v1", "/v1/", "/v1/embeddings"])(
    "finds its endpoint from …%s",
    async (path) => {
      expect(await openai(`${server.url}${path}`).probe()).toBe(8);
    },
  );

  it("sends the key, only where there is one, and never repeats it", async () => {
    await openai(server.url).probe();
    await openai(server.url, "").probe();
    expect(server.keys).toEqual([`Bearer ${KEY}`, undefined]);
    server.fail("unauthorized");
    const error = await failure(openai(server.url).probe());
    expect(error.message).toContain("Incorrect API key provided");
    expect(inspect(error, { depth: 9 })).not.toContain(KEY);
  });
});

it.each([
  ["nomic-embed-text:latest", "search_document: ", "search_query: "],
  ["intfloat/multilingual-e5-small", "passage: ", "query: "],
  ["BAAI/bge-small-en-v1.5", "", "Represent this sentence for searching relevant passages: "],
  ["bge-m3", "", ""],
  ["text-embedding-3-small", "", ""],
  ["unknown", "", ""],
])("%s gets its prefixes", (name, document, query) =>
  expect(knownModel(name)).toMatchObject({ document, query }),
);

it("a name and password in an address travel in a header, and are not repeated", async () => {
  const url = server.url.replace("//", "//me:pass%20word@");
  const embedder = createOllamaEmbedder(url, "", silent, patiences);
  await embedder.probe();
  expect(server.keys).toEqual([`Basic ${btoa("me:pass word")}`]);
  server.fail("unauthorized");
  expect(inspect(await failure(embedder.probe()), { depth: 9 })).not.toMatch(/pass(%20| )word/);
});
