/** Makes the query's vector, once for each model that the indexes use. */

import { messageOf } from "../../common/errors.ts";
import type { Embedder } from "../../contracts/embedding.ts";
import type { SearchableIndex } from "../context.ts";
import type { Report } from "../lanes/ask-lanes.ts";

/** By model id. A model that fails is named in the warnings and has no vector: the other lanes go on. */
export async function embedQuery(
  text: string,
  indexes: readonly SearchableIndex[],
  report: Report,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Float32Array>> {
  const models = new Map<string, Embedder>();
  for (const { embedder } of indexes) if (embedder) models.set(embedder.modelId, embedder);
  const vectors = await Promise.all(
    [...models].map(async ([modelId, embedder]): Promise<[string, Float32Array][]> => {
      try {
        const vector = await report.recorder.stage(
          "embed",
          () => embedder.embedQuery(text, signal),
          ({ length }) => ({ notes: { model: modelId, dimension: length } }),
        );
        return [[modelId, vector]];
      } catch (error) {
        signal?.throwIfAborted();
        const reason = messageOf(error);
        report.log.warn("the query was not embedded", { model: modelId, reason });
        report.warnings.push(`searched without meaning: ${reason}`);
        return [];
      }
    }),
  );
  return new Map(vectors.flat());
}
