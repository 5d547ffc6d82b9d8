/**
 * The remote providers, against a local server that speaks their published protocols and fails in all their ways: the
 * pages are named in test/support/embedding-server.ts.
 */

import { setTimeout as delay } from "node:timers/promises";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import type { EmbeddableChunk, Embedder } from "../../server/contracts/embedding.ts";
import {
  dialectAt,
  namedDialect,
  type ServiceDialectName,
} from "../../server/embedding/dialects/dialects.ts";
import { knownModel } from "../../server/embedding/known-models.ts";
import {
  createRemoteEmbedder,
  type RemoteOptions,
  type RetryPolicies,
} from "../../server/embedding/remote.ts";
import {
  type EmbeddingServer,
  embeddingServer,
  type Fault,
  vectorOf,
} from "../support/embedding-server.ts";
import { eventually } from "../support/eventually.ts";
import { failure } from "../support/failure.ts";

let server: EmbeddingServer;

beforeEach(async () => {
  server = await embeddingServer();
});
afterEach(() => server.close());

const KEY = "sk-test-key";

/** The real policies, with retries at once. */
const policies: RetryPolicies = {
  indexing: { retries: 3, firstDelayMs: 3, requestMs: 60_000 },
  searching: { retries: 0, firstDelayMs: 0, requestMs: 60_000 },
};

const hurried: RetryPolicies = {
  ...policies,
  searching: { ...policies.searching, requestMs: 100 },
};

type Create = (url: string, options?: Partial<RemoteOptions>) => Embedder;

const creating =
  (dialect: ServiceDialectName, model = "m"): Create =>
  (baseUrl, options = {}) =>
    createRemoteEmbedder({
      dialect: namedDialect(dialect),
      baseUrl,
      model,
      apiKey: dialect === "ollama" ? "" : KEY,
      context: "none",
      dimensions: 0,
      log: silent,
      policies,
      ...options,
    });

const openai = creating("openai");

const PROVIDERS: readonly { name: ServiceDialectName; create: Create }[] = [
  { name: "ollama", create: creating("ollama", "") },
  { name: "openai", create: openai },
  { name: "jina", create: creating("jina", "") },
  { name: "voyage", create: creating("voyage", "") },
  { name: "cohere", create: creating("cohere", "") },
];

const textOf = (embedder: Embedder, one: EmbeddableChunk) => embedder.cacheTexts([one])[0] ?? "";

const chunk = (text: string) => ({ path: "src/a.py", text, names: [] });

function normal(text: string): number[] {
  const vector = vectorOf(text);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** The number of characters that each provider's model takes of a text of 100,000 characters with its path. */
const CUT: Readonly<Record<ServiceDialectName, number>> = {
  ollama: 4_096,
  openai: 4_096,
  jina: 16_384,
  voyage: 64_000,
  cohere: 100_015,
};

describe.each(PROVIDERS)("$name", ({ name, create }) => {
  it("gives a vector of length 1 for each text, in order", async () => {
    const embedder = create(server.url);
    const texts = Array.from({ length: 70 }, (_, i) => `text ${"abcdefgh"[i % 8]} ${i}`);
    const vectors = await embedder.embedChunks(texts.map(chunk));
    expect(vectors).toHaveLength(70);
    for (const [i, vector] of vectors.entries()) {
      const expected = normal(textOf(embedder, chunk(texts[i] ?? "")));
      for (const [j, value] of vector.entries()) expect(value).toBeCloseTo(expected[j] ?? 0, 5);
    }
    expect(embedder.dimension).toBe(8);
    // Local models get small requests, services that bill by the token large ones.
    expect(server.requests).toBe(["ollama", "openai"].includes(name) ? 3 : 1);
    expect(embedder.usage?.()).toMatchObject({ tokens: 490, chunks: 70 });
  });

  it("puts the path before the text, and the prefixes that the model wants", async () => {
    const embedder = create(server.url);
    await embedder.embedChunks([chunk("body")]);
    await embedder.embedQuery("question");
    const [document, query] =
      name === "ollama" ? ["search_document: ", "search_query: "] : ["", ""];
    expect(server.texts).toEqual([`${document}File: src/a.py\nbody`, `${query}question`]);
  });

  it("cuts texts that are longer than the model's context", async () => {
    await create(server.url).embedChunks([chunk("x".repeat(100_000))]);
    expect(server.texts[0]?.length).toBe(CUT[name]);
  });

  it("does not cut a character in two", async () => {
    const embedder = create(server.url);
    const free =
      knownModel(create(server.url).modelId.split(":")[1] ?? "", name).characters -
      textOf(embedder, chunk("")).length;
    expect(textOf(embedder, chunk(`${"x".repeat(free - 1)}😀`)).at(-1)).toBe("x");
    expect(textOf(embedder, chunk(`${"x".repeat(free - 2)}😀`)).slice(-2)).toBe("😀");
  });

  it("shortens the one text that the service finds too long, and no other", async () => {
    server.fail("too long");
    const texts = ["a".repeat(200), "b".repeat(1000), "c".repeat(100)];
    const embedder = create(server.url);
    const vectors = await embedder.embedChunks(texts.map(chunk));
    expect(vectors).toHaveLength(3);
    for (const i of [0, 2]) {
      const expected = normal(textOf(embedder, chunk(texts[i] ?? "")));
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
    ["model not found", /ollama pull nomic-embed-text|has the model "/],
    ["unauthorized", /COCOSEARCH_EMBEDDING_API_KEY|address/],
    ["rest of a minute", /429/],
  ])("does not ask again after: %s", async (fault, remedy) => {
    server.fail(fault);
    const error = await failure(create(server.url).embedChunks([chunk("x")]));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toMatch(remedy);
    expect(server.requests).toBe(1);
  });

  it("sends no request to a service that asked for a delay, and searches continue without waiting", async () => {
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

  it("asks once for a probe", async () => {
    server.fail("server error");
    await failure(create(server.url).probe());
    expect(server.requests).toBe(1);
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
    const error = await failure(create(server.url, { policies: hurried }).embedQuery("x"));
    expect(error.message).toContain("no answer within 100 ms");
  });

  it.each<[Fault, string]>([
    ["wrong count", "vectors for 2 texts"],
    ["not a number", "not finite"],
    ["too large a number", "not finite"],
    ["NaN", "something that is no JSON"],
    ["all zero", "all zero"],
    ["no JSON", "something that is no JSON: check that its address leads to the service"],
    ["error in an answer", "does not embed (No endpoint for "],
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
    const ended = failure(asked);
    await eventually(() => expect(server.requests).toBe(1));
    controller.abort();
    expect((await ended).name).toBe("AbortError");
  });

  it("sends nothing to the target of a redirect, and warns once", async () => {
    const other = await embeddingServer();
    server.redirectTo = `${other.url}/v1/embeddings?token=secret-of-the-redirect`;
    server.fail("redirect");
    const error = await failure(create(server.url).embedChunks([chunk("x")]));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toContain(
      `it redirects to ${new URL(other.url).host}, which is not followed`,
    );
    expect(error.message).not.toContain("secret-of-the-redirect");
    expect([server.requests, other.requests]).toEqual([1, 0]);
    // Redirects within its own host are not followed either.
    server.redirectTo = "/v1/embeddings";
    await failure(create(server.url).embedChunks([chunk("x")]));
    expect([server.requests, other.requests]).toEqual([2, 0]);
    await other.close();
  });

  it("names a remedy if no process listens", async () => {
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

  it("sends the key if one is set, and never repeats it", async () => {
    await openai(server.url).probe();
    await openai(server.url, { apiKey: "" }).probe();
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
  expect(knownModel(name, "ollama").prefixes).toEqual({ document, query }),
);

it("a name and password in an address travel in a header, and are not repeated", async () => {
  const url = server.url.replace("//", "//me:pass%20word@");
  const embedder = creating("ollama", "")(url);
  await embedder.probe();
  expect(server.keys).toEqual([`Basic ${btoa("me:pass word")}`]);
  server.fail("unauthorized");
  expect(inspect(await failure(embedder.probe()), { depth: 9 })).not.toMatch(/pass(%20| )word/);
});

it.each([
  ["", "openai"],
  ["https://api.openai.com/v1", "openai"],
  ["http://127.0.0.1:8080", "openai"],
  ["https://api.jina.ai/v1", "jina"],
  ["https://api.voyageai.com/v1/embeddings", "voyage"],
  ["https://api.cohere.com", "cohere"],
  ["https://api.cohere.ai/compatibility/v1", "openai"],
  ["https://jina.ai.example.com", "openai"],
])("the address %j selects the dialect %s", (url, dialect) =>
  expect(dialectAt(url).name).toBe(dialect),
);

it.each<[ServiceDialectName, string, object, object]>([
  ["jina", "jina-embeddings-v3", { task: "retrieval.passage" }, { task: "retrieval.query" }],
  ["jina", "jina-embeddings-v4", { task: "code.passage" }, { task: "code.query" }],
  ["jina", "jina-code-embeddings-1.5b", { task: "nl2code.passage" }, { task: "nl2code.query" }],
  ["voyage", "voyage-code-3", { input_type: "document" }, { input_type: "query" }],
  ["cohere", "embed-v4.0", { input_type: "search_document" }, { input_type: "search_query" }],
])("%s gets the task of %s", async (dialect, model, document, query) => {
  const embedder = creating(dialect, model)(server.url);
  await embedder.embedChunks([chunk("body")]);
  await embedder.embedQuery("question");
  expect(server.bodies).toMatchObject([
    { model, ...document },
    { model, ...query },
  ]);
  expect(server.texts).toEqual(["File: src/a.py\nbody", "question"]);
});

it.each<[ServiceDialectName, object]>([
  ["ollama", { dimensions: 8 }],
  ["openai", { dimensions: 8 }],
  ["jina", { dimensions: 8 }],
  ["voyage", { output_dimension: 8 }],
  ["cohere", { output_dimension: 8 }],
])("%s is asked for fewer dimensions, and must give as many", async (dialect, field) => {
  const embedder = creating(dialect)(server.url, { dimensions: 8 });
  expect(embedder.modelId).toBe(`${dialect}:m:8`);
  const [vector] = await embedder.embedChunks([chunk("body")]);
  expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
  expect(server.bodies[0]).toMatchObject(field);
  const other = creating(dialect)(server.url, { dimensions: 4 });
  expect((await failure(other.embedQuery("x"))).message).toContain("where 4 were expected");
});

describe("embedding.context", () => {
  const place = { languageId: "python", hierarchy: "Shop.pay", lines: { start: 9, end: 19 } };

  it("header names language, enclosing definitions and lines", async () => {
    const embedder = openai(server.url, { context: "header" });
    await embedder.embedChunks([{ ...chunk("body"), ...place }, chunk("bare")]);
    expect(server.texts).toEqual([
      "File: src/a.py\nLanguage: python\nInside: Shop.pay\nLines: 10-20\nbody",
      "File: src/a.py\nbare",
    ]);
    expect(embedder.modelId).toBe("openai:m:header");
  });

  const jina = (context: RemoteOptions["context"] = "late") =>
    creating("jina", "")(server.url, { context });
  const fileOf = (path: string, count: number, length: number): EmbeddableChunk[] =>
    Array.from({ length: count }, (_, i) => ({
      path,
      text: `${String(i).padStart(2, "0")} ${"x".repeat(length)}`,
      names: [],
    }));

  it("late sends all 40 chunks of a file in one request, in order, and each file in its own", async () => {
    const [first, second] = [fileOf("a.py", 40, 100), fileOf("b.py", 2, 100)];
    const vectors = await jina().embedChunks([...first, ...second]);
    expect(vectors).toHaveLength(42);
    const sent = server.bodies.toSorted(
      (a, b) => (b["input"] as string[]).length - (a["input"] as string[]).length,
    );
    const common = { late_chunking: true, task: "retrieval.passage", model: "jina-embeddings-v3" };
    expect(sent).toEqual([
      { ...common, embedding_type: "float", input: first.map(({ text }) => text) },
      { ...common, embedding_type: "float", input: second.map(({ text }) => text) },
    ]);
  });

  it("late cuts a file beyond the model's length into windows that overlap", async () => {
    // 999 tokens each where the model takes 8,192: eight fit, and two of them are shared.
    const file = fileOf("a.py", 20, 2_994);
    const vectors = await jina().embedChunks(file);
    const numbers = server.bodies
      .map(({ input }) => (input as string[]).map((text) => Number(text.split(" ")[0])))
      .toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
    expect(numbers).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7],
      [6, 7, 8, 9, 10, 11, 12, 13],
      [12, 13, 14, 15, 16, 17, 18, 19],
    ]);
    expect(vectors).toHaveLength(20);
    for (const [i, vector] of vectors.entries()) {
      expect(vector[0]).toBeCloseTo(normal(file[i]?.text ?? "")[0] ?? 0, 5);
    }
  });

  it("late makes every vector of a file depend on the whole file", () => {
    const embedder = jina();
    const file = fileOf("a.py", 3, 10);
    const edited = file.map((each, i) => (i === 2 ? { ...each, text: "edited" } : each));
    const before = embedder.cacheTexts(file);
    expect(new Set(before).size).toBe(3);
    expect(embedder.cacheTexts(edited).filter((text) => before.includes(text))).toEqual([]);
    expect(embedder.cacheTexts(fileOf("b.py", 3, 10))).toEqual(before);
    expect(embedder.embedsWholeFiles).toBe(true);
    const plain = jina("none");
    const shared = plain.cacheTexts(file).filter((text) => plain.cacheTexts(edited).includes(text));
    expect(shared).toHaveLength(2);
  });

  it("late is none where the provider does not offer it", () => {
    const embedder = openai(server.url, { context: "late" });
    expect([embedder.embedsWholeFiles, embedder.modelId]).toEqual([false, "openai:m"]);
    expect(textOf(embedder, chunk("body"))).toBe("File: src/a.py\nbody");
  });

  it("each context is a model of its own", () => {
    const ids = (["none", "header", "late"] as const).map((context) => jina(context).modelId);
    expect(ids).toEqual([
      "jina:jina-embeddings-v3",
      "jina:jina-embeddings-v3:header",
      "jina:jina-embeddings-v3:late",
    ]);
  });
});

it("sends one request at a time after the service has limited the rate", async () => {
  server.delayMs = 20;
  server.fail("rate limit", 1);
  const file = Array.from({ length: 24 }, (_, i) => chunk(`${i} ${"x".repeat(60_000)}`));
  const vectors = await creating("voyage")(server.url).embedChunks(file);
  expect(vectors).toHaveLength(24);
  expect(Math.max(...server.concurrent)).toBeGreaterThan(1);
  expect(server.concurrent.slice(-4)).toEqual([1, 1, 1, 1]);
});

it("ends the requests beside one that failed, and sends no more", async () => {
  server.delayMs = 20;
  server.fail("unauthorized", 1);
  const file = Array.from({ length: 24 }, (_, i) => chunk(`${i} ${"x".repeat(60_000)}`));
  await failure(creating("voyage")(server.url).embedChunks(file));
  const beside = Math.max(...server.concurrent);
  // Long enough for several more.
  await delay(200);
  // Requests beside it may have been answered earlier, and others may have begun in their place.
  expect(server.requests).toBeLessThanOrEqual(2 * beside);
});
