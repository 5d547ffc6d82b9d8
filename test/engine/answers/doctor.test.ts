/** The findings of `doctor` about an engine, its database, models and indexes. */

import { expect, it } from "vitest";
import { Unavailable } from "../../../server/common/errors.ts";
import type { Finding } from "../../../server/contracts/session.ts";
import { diagnose, diagnoseModels } from "../../../server/engine/answers/doctor.ts";
import type { EngineFacts } from "../../../server/engine/answers/status.ts";
import type { OpenIndex } from "../../../server/engine/indexes/open-index.ts";
import type { Stores } from "../../../server/engine/indexes/stores.ts";

const down = () => Promise.reject(new Unavailable("the service is down", "start it"));
const broken = () => Promise.reject(new Error("boom"));

const index = (more: object = {}) =>
  ({
    root: "/code/shop",
    name: "shop",
    embedder: { modelId: "m1", probe: async () => 384, usage: undefined },
    workspace: { status: { indexed: 3, total: 4 } },
    compatibility: { kind: "usable" },
    unfinished: 0,
    state: "ready",
    store: undefined,
    ...more,
  }) as unknown as OpenIndex;

const facts = (more: object = {}) =>
  ({
    version: "1.2.3",
    log: "/home/ada/engine.log",
    clientsOf: () => 1,
    eventLoop: () => undefined,
    ...more,
  }) as unknown as EngineFacts;

const stores = (get: () => Promise<unknown> = async () => STORE) => ({ get }) as unknown as Stores;
const STORE = { place: "/data", version: async () => ({ postgres: "18.1", pgvector: "0.8.1" }) };

/** `what: detail`, with `!` before a problem, and the remedy after an arrow. */
function shown(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ what }) => what !== "engine")
    .map(({ what, ok, detail, remedy }) => {
      const advice = remedy === undefined ? "" : ` -> ${remedy}`;
      return `${ok ? "" : "!"}${what}: ${detail}${advice}`;
    });
}

const DATABASE = "database: /data: Postgres 18.1, pgvector 0.8.1";
const ALONE = expect.stringMatching(/^editors in \/code\/shop: no editor has it open -> open/);
const EMBEDDING = "embedding for /code/shop: m1, 384 dimensions";

it.each<[string, EngineFacts, readonly OpenIndex[], readonly unknown[]]>([
  [
    "nothing is open",
    facts(),
    [],
    [DATABASE, "!workspace: no folder is open -> open a project folder, or name one with --root"],
  ],
  [
    "all is well",
    facts(),
    [index()],
    [DATABASE, EMBEDDING, ALONE, "index shop: ready, 3 of 4 files"],
  ],
  [
    "the main thread was measured",
    facts({ eventLoop: () => ({ p50Ms: 1, p99Ms: 2, maxMs: 3 }) }),
    [index({ name: undefined })],
    [
      "main thread: delay while indexing: 1 ms (median), 2 ms (p99), 3 ms (maximum)",
      DATABASE,
      EMBEDDING,
      ALONE,
      "index /code/shop: ready, 3 of 4 files",
    ],
  ],
  [
    "an editor has it open",
    facts({ clientsOf: () => 2 }),
    [index()],
    [
      DATABASE,
      EMBEDDING,
      "editors in /code/shop: 1 has it open",
      "index shop: ready, 3 of 4 files",
    ],
  ],
  [
    "three have it open, and a file was not parsed",
    facts({ clientsOf: () => 4 }),
    [index({ unfinished: 1 })],
    [
      DATABASE,
      "parsing in /code/shop: 1 file was chunked without a grammar because parsing timed out -> run cocosearch-lsp index when the machine is less busy",
      EMBEDDING,
      "editors in /code/shop: 3 have it open",
      "index shop: ready, 3 of 4 files",
    ],
  ],
  [
    "the model is down",
    facts(),
    [index({ embedder: { probe: down }, state: "degraded", reason: "no vectors", unfinished: 2 })],
    [
      DATABASE,
      expect.stringContaining("2 files were chunked"),
      "!embedding for /code/shop: the service is down -> start it",
      ALONE,
      "!index shop: degraded, 3 of 4 files: no vectors",
    ],
  ],
  [
    "the index is of another version",
    facts(),
    [
      index({
        compatibility: { kind: "rebuild", reason: "another model" },
        state: "unavailable",
        reason: "another model: do this",
      }),
    ],
    [
      DATABASE,
      EMBEDDING,
      ALONE,
      expect.stringMatching(
        /^!index shop: unavailable, 3 of 4 files: another model -> run cocosearch-lsp index --full /,
      ),
    ],
  ],
])("`diagnose` reports the findings if %s", async (_, known, indexes, expected) => {
  expect(shown(await diagnose(known, stores(), "", indexes))).toEqual(expected);
});

it("`diagnose` reports the versions, and why the database is unavailable", async () => {
  const [engine] = await diagnose(facts(), stores(), "", []);
  expect(engine?.detail).toBe(
    `version 1.2.3, process ${process.pid}, Node ${process.versions.node}, log /home/ada/engine.log`,
  );
  for (const [get, expected] of [
    [down, "!database: the service is down -> start it"],
    [broken, "!database: boom"],
  ] as const)
    expect(shown(await diagnose(facts(), stores(get), "", []))[0]).toBe(expected);
});

it("`diagnoseModels` probes the user's models and counts tokens per index", async () => {
  const model = { id: "r1", candidates: 50, rerank: async () => [], rewrite: async () => [] };
  const models = (more: object) => more as unknown as Parameters<typeof diagnoseModels>[0];
  expect(await diagnoseModels(models({}), [index()])).toEqual([]);
  expect(shown(await diagnoseModels(models({ reranker: model, rewriter: model }), []))).toEqual([
    "reranker: r1, the best 50 chunks of a search",
    "query rewriting: r1",
  ]);
  const failing = { reranker: { ...model, rerank: down }, rewriter: { ...model, rewrite: broken } };
  expect(shown(await diagnoseModels(models(failing), []))).toEqual([
    "!reranker: the service is down -> start it",
    "!query rewriting: boom",
  ]);
});

it.each([
  [
    { tokens: 1000, chunks: 10, tokensPerSecond: 50 },
    5,
    "1,000 tokens embedded, 50 per second; about 500 tokens to embed",
  ],
  [{ tokens: 0, chunks: 0, tokensPerSecond: 0 }, 5, "about 1,500 tokens to embed"],
  [{ tokens: 1000, chunks: 10, tokensPerSecond: 50 }, 0, "1,000 tokens embedded, 50 per second"],
  [{ tokens: 0, chunks: 0, tokensPerSecond: 0 }, 0, undefined],
])(
  "`diagnoseModels` reports the tokens of %j with %d pending chunks",
  async (usage, pending, detail) => {
    const used = index({
      embedder: { usage: () => usage },
      settings: { "indexing.chunkSize": 1500 },
      store: { counts: async () => ({ pending }) },
    });
    const found = await diagnoseModels({ reranker: undefined, rewriter: undefined }, [used]);
    expect(found).toEqual(
      detail === undefined ? [] : [{ what: "embedding tokens for /code/shop", ok: true, detail }],
    );
  },
);
