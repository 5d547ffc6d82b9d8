/** Token counts of a remote embedding provider: used since the engine started, and estimated for pending chunks. */

import type { EmbeddingProgress } from "../../contracts/session.ts";
import type { OpenIndex } from "./open-index.ts";

/** Estimate before the first chunk: chunks are on average a little over half of the maximum size. */
const SHARE_OF_CHUNK_SIZE = 0.6;
const BYTES_PER_TOKEN = 3;

/** Undefined for the built-in model. */
export function embeddingProgress(
  { embedder, settings }: Pick<OpenIndex, "embedder" | "settings">,
  pending: number,
): EmbeddingProgress | undefined {
  const usage = embedder.usage?.();
  if (usage === undefined) return undefined;
  const { tokens, chunks, tokensPerSecond } = usage;
  const expected = (settings["indexing.chunkSize"] * SHARE_OF_CHUNK_SIZE) / BYTES_PER_TOKEN;
  const perChunk = chunks === 0 ? expected : tokens / chunks;
  return {
    tokens,
    tokensPerSecond,
    remainingTokens: Math.round(perChunk * pending),
  };
}
