/** Makes the query's vector, once for each model that the indexes use. */

import { messageOf } from "../errors.ts";
import type { Embedder } from "../ports.ts";
import type { Report } from "./ask-lanes.ts";
import type { SearchableIndex } from "./context.ts";

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
