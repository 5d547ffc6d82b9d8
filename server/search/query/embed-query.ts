/** Embeds the query once per model that the indexes use. */

import { messageOf } from "../../common/errors.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { SearchableIndex } from "../context.ts";
import type { SearchTrace } from "../lanes/ask-lanes.ts";
import type { WeightedText } from "../report/report.ts";

/**
 * By model id. A model that fails is named in the warnings and has no vector: the other lanes are searched. So is an index
 * with the vectors of another model.
 */
export async function embedQuery(
  texts: readonly Pick<WeightedText, "text" | "weight">[],
  indexes: readonly SearchableIndex[],
  trace: SearchTrace,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Float32Array>> {
  for (const { mismatch } of indexes) {
    // A rewritten query is embedded too.
    if (mismatch && !trace.warnings.includes(mismatch)) trace.warnings.push(mismatch);
  }
  const models = new Map<string, Embedder>();
  for (const { embedder } of indexes) if (embedder) models.set(embedder.modelId, embedder);
  const vectors = await Promise.all(
    [...models].map(async ([modelId, embedder]): Promise<[string, Float32Array][]> => {
      try {
        const stage = await trace.recorder.start("embed");
        const vector = await embedAll(embedder, texts, signal);
        stage.end(() => ({ notes: { model: modelId, dimension: vector.length } }));
        return [[modelId, vector]];
      } catch (error) {
        signal?.throwIfAborted();
        const reason = messageOf(error);
        trace.log.warn("the query was not embedded", { model: modelId, reason });
        trace.warnings.push(`searched without meaning: ${reason}`);
        return [];
      }
    }),
  );
  return new Map(vectors.flat());
}

/** The parts of a text, each with its weight: the cosine with their sum is the sum of the cosines with each. */
async function embedAll(
  embedder: Embedder,
  texts: readonly Pick<WeightedText, "text" | "weight">[],
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const vectors = await Promise.all(texts.map(({ text }) => embedder.embedQuery(text, signal)));
  const [first] = vectors;
  if (first === undefined || vectors.length === 1) return first ?? new Float32Array();
  const sum = first.map((_, i) =>
    vectors.reduce((total, vector, k) => total + (vector[i] ?? 0) * (texts[k]?.weight ?? 0), 0),
  );
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}
