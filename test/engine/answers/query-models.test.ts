/** The rerankers and rewriters of sessions are cached by the settings that they depend on. */

import { expect, it } from "vitest";
import { DEFAULTS } from "../../../server/config/settings.ts";
import type { PartialSettings } from "../../../server/contracts/settings.ts";
import { QueryModelsOf } from "../../../server/engine/answers/query-models.ts";
import { noLocalModels } from "../../support/no-local-models.ts";

const REWRITES: PartialSettings = { "rewrite.provider": "ollama" };
const models = new QueryModelsOf(() => 0, noLocalModels);
const modelsOf = (changes: PartialSettings) => models.get({ ...DEFAULTS, ...changes });

it("There are no query models without settings", () => {
  expect(modelsOf({})).toEqual({ reranker: undefined, rewriter: undefined });
});

it.each<PartialSettings>([{}, { "indexing.chunkSize": 900 }, { "embedding.model": "another" }])(
  "Models are shared by sessions that differ by %j",
  (changes) => {
    expect(modelsOf({ ...REWRITES, ...changes })).toBe(modelsOf(REWRITES));
  },
);

it.each<PartialSettings>([
  { "embedding.ollamaUrl": "http://127.0.0.1:11999" },
  { "rewrite.model": "another" },
  { "rerank.url": "http://127.0.0.1:11998" },
  { "rerank.provider": "local" },
])("Models are separate for sessions that differ by %j", (changes) => {
  const others = modelsOf({ ...REWRITES, ...changes });
  expect(others).not.toBe(modelsOf(REWRITES));
  expect(others.rewriter).toBeDefined();
});
