/**
 * The reranker's client, against a local server with the published schemas: https://docs.cohere.com/reference/rerank,
 * https://api.jina.ai/redoc and https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md (one form, which
 * vLLM has too), https://docs.voyageai.com/docs/reranker, and https://huggingface.github.io/text-embeddings-inference
 * (/rerank).
 */

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { DEFAULTS } from "../../server/config/settings.ts";
import type { Reranker } from "../../server/contracts/query-models.ts";
import type { PartialSettings } from "../../server/contracts/settings.ts";
import { createReranker } from "../../server/rerank/create.ts";
import { type RerankDialectName, rerankDialectAt } from "../../server/rerank/dialects.ts";
import { eventually } from "../support/eventually.ts";
import { failure } from "../support/failure.ts";
import {
  type ModelFault,
  type ModelServer,
  modelServer,
  type Received,
} from "../support/model-server.ts";
import { noLocalModels } from "../support/no-local-models.ts";

const KEY = "sk-rerank-key";

let server: ModelServer;
beforeEach(async () => {
  server = await modelServer(answerProperly);
});
afterEach(() => server.close());

const documentsIn = ({ body }: Received) => (body["documents"] ?? body["texts"]) as string[];

/** Scores a document by its number; best first, as the services sort. Logits: half of them are negative. */
function scoresFor(request: Received, name: string) {
  return documentsIn(request)
    .map((text, index) => ({ index, [name]: Number(/\d+/.exec(text)?.[0] ?? 0) - 5 }))
    .toSorted((a, b) => Number(b[name]) - Number(a[name]));
}

function answerProperly(request: Received): unknown {
  if (request.path === "/rerank") return scoresFor(request, "score");
  const scores = scoresFor(request, "relevance_score");
  if (request.path === "/v1/rerank") {
    return { object: "list", data: scores, model: "rerank-2.5", usage: { total_tokens: 26 } };
  }
  return { id: "x", results: scores, meta: { billed_units: { search_units: 1 } } };
}

const PATHS: Readonly<Record<RerankDialectName, string>> = {
  standard: "/v2/rerank",
  voyage: "/v1/rerank",
  tei: "/rerank",
};

function create(dialect: RerankDialectName, more: PartialSettings = {}, minOpenMs = 60_000) {
  return createReranker(
    {
      ...DEFAULTS,
      "rerank.url": `${server.url}${PATHS[dialect]}`,
      "rerank.dialect": dialect,
      "rerank.apiKey": KEY,
      ...more,
    },
    noLocalModels,
    minOpenMs,
  ) as Reranker;
}

const DOCUMENTS = ["text 3", "text 9", "text 1"];

describe.each<RerankDialectName>(["standard", "voyage", "tei"])("%s", (dialect) => {
  it("gives the scores in the order of the documents, also logits", async () => {
    expect(await create(dialect).rerank("question", DOCUMENTS)).toEqual([-2, 4, -4]);
    expect(server.received[0]?.authorization).toBe(`Bearer ${KEY}`);
  });

  it.each<[ModelFault, RegExp]>([
    ["unauthorized", /401.*COCOSEARCH_RERANK_API_KEY/],
    ["not found", /404.*Ollama has no rerank endpoint/],
    ["rate limit", /429/],
    ["server error", /500/],
    ["cut connection", /does not answer/],
    ["no JSON", /without a list of scores/],
  ])("is left alone after: %s", async (fault, message) => {
    server.fail(fault);
    const reranker = create(dialect);
    const error = await failure(reranker.rerank("question", DOCUMENTS));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(KEY);
    expect(reranker.isAvailable).toBe(false);
    expect(await failure(reranker.rerank("question", DOCUMENTS))).toBe(error);
    expect(server.received).toHaveLength(1);
  });

  it("is tried again later", async () => {
    server.fail("cut connection");
    const reranker = create(dialect, {}, 0);
    await failure(reranker.rerank("question", DOCUMENTS));
    server.fail("none");
    expect(reranker.isAvailable).toBe(true);
    expect(await reranker.rerank("question", DOCUMENTS)).toHaveLength(3);
  });

  it("is given up after its time limit, and the request with it", async () => {
    server.fail("silence");
    const error = await failure(
      create(dialect, { "rerank.timeoutMs": 50 }).rerank("question", DOCUMENTS),
    );
    expect(error.message).toContain("no answer within 50 ms");
    await server.abandoned;
  });

  it("is cancelled with the search, which is not its failure", async () => {
    server.fail("silence");
    const controller = new AbortController();
    const reranker = create(dialect, { "rerank.timeoutMs": 60_000 });
    const asked = failure(reranker.rerank("question", DOCUMENTS, controller.signal));
    await eventually(() => expect(server.received).toHaveLength(1));
    controller.abort();
    expect((await asked).name).toBe("AbortError");
    expect(reranker.isAvailable).toBe(true);
    await server.abandoned;
  });

  it("does not follow a redirect to another host", async () => {
    const other = await modelServer(answerProperly);
    server.redirectTo = `${other.url}${PATHS[dialect]}`;
    server.fail("redirect");
    const error = await failure(create(dialect).rerank("question", DOCUMENTS));
    expect(error.message).toContain("which is not followed");
    expect(other.received).toEqual([]);
    await other.close();
  });

  const name = dialect === "tei" ? "score" : "relevance_score";
  const wrap = (entries: string) =>
    ({ standard: `{"results": ${entries}}`, voyage: `{"data": ${entries}}`, tei: entries })[
      dialect
    ];
  const scored = (score: string, ...indexes: readonly number[]) =>
    `[${indexes.map((i) => `{"index": ${i}, "${name}": ${score}}`).join()}]`;
  it.each([
    [scored("1", 0), "1 scores for 3 documents"],
    [scored("1", 0, 1, 1), "several scores for one"],
    [scored("1", 0, 1, 3), "was not sent"],
    [scored("1e999", 0, 1, 2), "not a finite number"],
    [scored("null", 0, 1, 2), "not a finite number"],
    [scored("NaN", 0, 1, 2), "without a list"],
  ])("refuses %s", async (entries, problem) => {
    server.answer = () => wrap(entries);
    const reranker = create(dialect);
    expect((await failure(reranker.rerank("question", DOCUMENTS))).message).toContain(problem);
    expect(reranker.isAvailable).toBe(false);
  });
});

it("sends requests in the form of each dialect", async () => {
  const model = { "rerank.model": "bge-reranker-base" };
  for (const dialect of ["standard", "voyage", "tei"] as const) {
    await create(dialect, model).rerank("question", DOCUMENTS);
  }
  const shared = { query: "question", documents: DOCUMENTS };
  expect(server.received.map(({ body }) => body)).toEqual([
    { model: "bge-reranker-base", ...shared, top_n: 3 },
    { model: "bge-reranker-base", ...shared, top_k: 3 },
    { query: "question", texts: DOCUMENTS, truncate: true },
  ]);
});

it("cuts documents to the model's length, and no character in two", async () => {
  const long = `${"x".repeat(1015)}😀${"x".repeat(5000)}`;
  await create("standard", { "rerank.model": "bge-reranker-base" }).rerank("question", [long, "a"]);
  // 512 tokens of two characters, less the question.
  expect(server.received[0]?.body["documents"]).toEqual(["x".repeat(1015), "a"]);
});

it.each([
  ["https://api.cohere.com/v2/rerank", "rerank-v3.5", "standard"],
  ["https://api.jina.ai/v1/rerank", "jina-reranker-v2-base-multilingual", "standard"],
  ["http://127.0.0.1:8080/v1/rerank", "", "standard"],
  ["https://api.voyageai.com/v1/rerank", "rerank-2.5", "voyage"],
  ["http://127.0.0.1:8080/rerank", "", "tei"],
  ["http://127.0.0.1:8000/rerank", "BAAI/bge-reranker-v2-m3", "standard"],
])("the address %s with the model %j selects the dialect %s", (url, model, dialect) =>
  expect(rerankDialectAt(new URL(url), model)).toBe(dialect),
);

it.each<PartialSettings>([
  {},
  { "rerank.provider": "http" },
  { "rerank.provider": "none", "rerank.url": "http://127.0.0.1:1/rerank" },
])("is off with %j", (settings) =>
  expect(createReranker({ ...DEFAULTS, ...settings }, noLocalModels)).toBeUndefined(),
);
