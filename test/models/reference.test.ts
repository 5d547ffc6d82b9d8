/** The vectors and scores of the real runtime equal the values that were computed without it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dotProduct } from "../../server/common/dot-product.ts";
import {
  type Converted,
  converted,
  emptyInstaller,
  HAS_LOCAL_MODEL,
  installedIn,
  LOCAL_MODEL,
  modelsIn,
} from "../support/local-model.ts";

interface Vector {
  readonly text: string;
  readonly vector: readonly number[];
}

interface Score {
  readonly query: string;
  readonly document: string;
  readonly score: number;
}

function referencesOf(kind: Converted): unknown {
  return JSON.parse(readFileSync(join(converted(kind), "reference.json"), "utf8"));
}

async function installed(kind: Converted) {
  const installer = emptyInstaller();
  await installedIn(installer, "tried", converted(kind));
  return modelsIn(installer);
}

const FOREVER = new AbortController().signal;

/** The cosine of each text with its reference. */
async function cosines(kind: Converted, dimensions = 0): Promise<number[]> {
  const references = referencesOf(kind) as readonly Vector[];
  const models = await installed(kind);
  const texts = references.map(({ text }) => text);
  const vectors = await models.embed("tried", { texts, isQuery: false, dimensions }, FOREVER);
  return references.map(({ vector }, i) => {
    const whole = Float32Array.from(vector).subarray(0, dimensions || vector.length);
    const length = Math.sqrt(dotProduct(whole, whole));
    return dotProduct(vectors[i] as Float32Array, whole) / length;
  });
}

describe.skipIf(!HAS_LOCAL_MODEL)(`A local model ${LOCAL_MODEL}`, () => {
  it("has the vectors of the reference in float32, also of a text that is cut", async () => {
    const found = await cosines("float32");
    expect(found.length).toBeGreaterThan(6);
    expect(Math.min(...found)).toBeGreaterThan(0.999);
  });

  it("has nearly its vectors in eight bits", async () => {
    expect(Math.min(...(await cosines("int8")))).toBeGreaterThan(0.98);
  });

  it("shortens vectors to the dimensions that are asked for, of length 1", async () => {
    expect(Math.min(...(await cosines("float32", 128)))).toBeGreaterThan(0.999);
  });

  it("has the scores of a cross-encoder, with the question before the document", async () => {
    const models = await installed("pairs");
    for (const { query, document, score } of referencesOf("pairs") as readonly Score[]) {
      const [found] = await models.score(
        "tried",
        { query, documents: [document], budgetMs: 60_000 },
        undefined,
      );
      expect(found).toBeCloseTo(score, 3);
    }
  });

  it("scores with an embedding model by the cosine", async () => {
    const models = await installed("int8");
    const [first] = referencesOf("int8") as readonly Vector[];
    const text = first?.text ?? "";
    const documents = ["a list of prime numbers", text];
    const scores = await models.score(
      "tried",
      { query: text, documents, budgetMs: 60_000 },
      undefined,
    );
    expect(scores[1]).toBeCloseTo(1, 5);
    expect(scores[0]).toBeLessThan(0.5);
  });
});
