/** The server computes the numbers that the training code computes, in any script. */

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { differences, type Reference } from "../../scripts/train/compare.ts";
import { loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";

// Written by scripts/train/run together with the model.
const references = JSON.parse(
  readFileSync(new URL("../fixtures/embedding/reference.json", import.meta.url), "utf8"),
) as Reference[];

it("agrees with training on Greek, Cyrillic, CJK, accents, emoji and broken surrogates", () => {
  const found = differences(loadEmbeddingModel(), references);
  expect(found.length).toBeGreaterThan(25);
  expect(found.filter(({ largest }) => largest > 1e-6)).toEqual([]);
});

it("would notice one word more", () => {
  const changed = references.map((each) => ({ ...each, text: `${each.text} token` }));
  const found = differences(loadEmbeddingModel(), changed);
  expect(found.filter(({ largest }) => largest > 1e-6)).toHaveLength(changed.length);
});
