/** What embedding with a remote provider has taken since the engine started, and what is still to come. */

import type { EmbeddingProgress } from "../../contracts/session.ts";
import type { OpenIndex } from "./open-index.ts";

/** Before any chunk was embedded: chunks are on average a little over half their largest size. */
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
