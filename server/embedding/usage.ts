/** Counts what a remote provider does: tokens and their rate. */

import type { EmbeddingUsage } from "../contracts/embedding.ts";
import { estimateTokens } from "./batches.ts";

interface UsageMeter {
  /** Runs a request and records its usage; resolves to its vectors. */
  count(
    texts: readonly string[],
    run: () => Promise<{ readonly vectors: Float32Array[]; readonly tokens: number | undefined }>,
  ): Promise<Float32Array[]>;
  usage(): EmbeddingUsage;
}

/** `now` in milliseconds, for tests. */
export function createUsageMeter(now: () => number = () => performance.now()): UsageMeter {
  let [tokens, chunks, active, busyMs, since] = [0, 0, 0, 0, 0];
  const begin = () => {
    if (active++ === 0) since = now();
  };
  const end = () => {
    if (--active === 0) busyMs += now() - since;
  };
  return {
    count: async (texts, run) => {
      begin();
      try {
        const answer = await run();
        const estimate = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
        tokens += answer.tokens ?? estimate;
        chunks += texts.length;
        return answer.vectors;
      } finally {
        end();
      }
    },
    usage: () => {
      const ms = busyMs + (active > 0 ? now() - since : 0);
      return {
        tokens,
        chunks,
        tokensPerSecond: ms === 0 ? 0 : Math.round((tokens * 1000) / ms),
      };
    },
  };
}
