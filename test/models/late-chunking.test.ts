/** Late chunking by a local model: chunks of one file share a pass, and each vector depends on the chunks around it. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dotProduct } from "../../server/common/dot-product.ts";
import { silent } from "../../server/common/log.ts";
import { localDialect } from "../../server/embedding/dialects/local.ts";
import { createRemoteEmbedder } from "../../server/embedding/remote.ts";
import { groupsWithin, specialTokens } from "../../server/models/late-chunking.ts";
import { createLocalModels } from "../../server/models/local-models.ts";
import { MANIFEST_FILE, type ModelManifest, poolsAllTokens } from "../../server/models/manifest.ts";
import {
  HAS_LOCAL_MODEL,
  LOCAL_MODEL,
  modelsIn,
  NAME,
  readyInstaller,
  temporaryFolder,
} from "../support/local-model.ts";

const MODEL: ModelManifest = {
  name: "m",
  kind: "embedding",
  license: "MIT",
  source: "",
  dimension: 2,
  pooling: "mean",
  maxTokens: 256,
  dtype: "q8",
  files: [],
};

const FOREVER = new AbortController().signal;

describe("late chunking", () => {
  it("puts as many chunks into a pass as fit, in order, and a chunk that fills it alone", () => {
    const chunk = (length: number) => Array.from({ length }, () => length);
    const groups = groupsWithin([3, 4, 3, 9, 10, 1].map(chunk), 10);
    expect(groups.map((group) => group.map(({ length }) => length))).toEqual([
      [3, 4, 3],
      [9],
      [10],
      [1],
    ]);
  });

  it("puts the special tokens around the whole pass", () => {
    const framed = (before: number[], after: number[]) => ({
      encode: (_text: string, { add_special_tokens: isFramed }: { add_special_tokens: boolean }) =>
        isFramed ? [...before, 7, 8, ...after] : [7, 8],
    });
    expect(specialTokens(framed([101], [102]))).toEqual({ before: [101], after: [102] });
    expect(specialTokens(framed([], [2]))).toEqual({ before: [], after: [2] });
    expect(specialTokens(framed([], []))).toEqual({ before: [], after: [] });
  });

  it("is for networks whose vector of a text is the mean over its tokens", () => {
    expect(poolsAllTokens(MODEL)).toBe(true);
    expect(poolsAllTokens({ ...MODEL, pooling: "cls" })).toBe(false);
    expect(poolsAllTokens({ ...MODEL, dtype: "static" })).toBe(false);
    expect(poolsAllTokens({ ...MODEL, kind: "reranker" })).toBe(false);
  });
});

it("a model whose manifest is missing, damaged or of another pooling says whether it embeds chunks together", () => {
  const models = temporaryFolder();
  for (const name of ["damaged", "first-token"]) mkdirSync(join(models, name));
  writeFileSync(join(models, "damaged", MANIFEST_FILE), "{");
  writeFileSync(
    join(models, "first-token", MANIFEST_FILE),
    JSON.stringify({ ...MODEL, name: "first-token", pooling: "cls" }),
  );
  const { embedsTogether } = createLocalModels({ models, log: silent });
  expect(["missing", "damaged", "first-token"].map(embedsTogether)).toEqual([true, true, false]);
});

describe.skipIf(!HAS_LOCAL_MODEL)(`late chunking ${LOCAL_MODEL}`, () => {
  const CITY = "Berlin is the capital of Germany.";
  const CROP = "The potato is a crop of the Andes.";
  const CHUNK = "It has grown to almost four million.";

  async function ready() {
    const models = modelsIn(await readyInstaller());
    const embed = (texts: readonly string[], isLate: boolean) =>
      models.embed(NAME, { texts, isQuery: false, dimensions: 0, isLate }, FOREVER);
    return { models, embed };
  }

  it("changes the vector of a chunk by its neighbors: a pronoun is near to its noun", async () => {
    const { embed } = await ready();
    const [question] = await embed(["how many people live in Berlin"], false);
    const [alone] = await embed([CHUNK], false);
    const [, afterCity] = await embed([CITY, CHUNK], true);
    const [, afterCrop] = await embed([CROP, CHUNK], true);
    const near = (vector: Float32Array | undefined) =>
      dotProduct(question as Float32Array, vector as Float32Array);
    expect(near(afterCity)).toBeGreaterThan(near(alone) + 0.05);
    expect(near(afterCity)).toBeGreaterThan(near(afterCrop) + 0.05);
  });

  it("gives a chunk without neighbors about the vector that it has alone", async () => {
    const { embed } = await ready();
    const [alone] = await embed([CHUNK], false);
    const [late] = await embed([CHUNK], true);
    expect(dotProduct(alone as Float32Array, late as Float32Array)).toBeGreaterThan(0.95);
  });

  it("has a vector of length 1 for each chunk, also of a long file, an empty one and one that is cut", async () => {
    const { embed } = await ready();
    const long = "where tokens are renewed ".repeat(300);
    const texts = ["", long, ...Array.from({ length: 40 }, (_, i) => `const value${i} = ${i};`)];
    const vectors = await embed(texts, true);
    expect(vectors).toHaveLength(texts.length);
    for (const vector of vectors) expect(dotProduct(vector, vector)).toBeCloseTo(1, 4);
  });

  it("is used by the setting embedding.context, as a model of its own", async () => {
    const { models } = await ready();
    const embedderOf = (context: "none" | "late") =>
      createRemoteEmbedder({
        dialect: localDialect(models),
        baseUrl: "",
        model: NAME,
        apiKey: "",
        context,
        dimensions: 0,
        log: silent,
      });
    const chunks = [CITY, CHUNK].map((text) => ({ path: "notes.md", names: [], text }));
    const late = embedderOf("late");
    expect([late.modelId, late.embedsWholeFiles]).toEqual([`local:${NAME}:late`, true]);
    const [, vector] = await late.embedChunks(chunks);
    const [, plain] = await embedderOf("none").embedChunks(chunks);
    const question = await late.embedQuery("how many people live in Berlin");
    const nearness = [vector, plain].map((each) => dotProduct(question, each as Float32Array));
    expect(nearness[0]).toBeGreaterThan((nearness[1] as number) + 0.05);
  });
});
