/** What `doctor` says of models that the user runs: whether they answer, what they have cost, and what is still to come. */

import type { EmbeddingUsage } from "../contracts/embedding.ts";
import type { Finding } from "../contracts/session.ts";
import { finding } from "./doctor.ts";
import type { OpenIndex } from "./open-index.ts";
import type { QueryModels } from "./query-models.ts";

/** Tokens of a chunk before any was embedded: chunks are on average a little over half their largest size. */
const SHARE_OF_CHUNK_SIZE = 0.6;
const BYTES_PER_TOKEN = 3;

export async function diagnoseModels(
  { reranker, rewriter }: QueryModels,
  indexes: readonly OpenIndex[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const index of indexes) findings.push(...(await embeddingCost(index)));
  if (reranker !== undefined) {
    findings.push(
      await finding("reranker", async () => {
        await reranker.rerank("greeting", ["hello", "a list of numbers"]);
        return `${reranker.id}, the best ${reranker.candidates} chunks of a search`;
      }),
    );
  }
  if (rewriter !== undefined) {
    findings.push(
      await finding("query rewriting", async () => {
        await rewriter.rewrite("where are errors handled");
        return rewriter.id;
      }),
    );
  }
  return findings;
}

async function embeddingCost({ root, embedder, store, settings }: OpenIndex): Promise<Finding[]> {
  const usage = embedder.usage?.();
  if (usage === undefined || store === undefined) return [];
  const { pending } = await store.counts();
  const expected = (settings["indexing.chunkSize"] * SHARE_OF_CHUNK_SIZE) / BYTES_PER_TOKEN;
  const detail = [
    ...(usage.chunks === 0 ? [] : [spent(usage)]),
    ...(pending === 0 ? [] : [remaining(usage, pending, expected)]),
  ].join("; ");
  if (detail === "") return [];
  return [{ what: `embedding cost for ${root}`, ok: true, detail }];
}

function spent(usage: EmbeddingUsage): string {
  const { tokens, tokensPerSecond } = usage;
  const rate = `${tokensPerSecond.toLocaleString("en")} tokens per second`;
  return `${amount(tokens, usage)} since the engine started, ${rate}`;
}

function remaining(usage: EmbeddingUsage, pending: number, expected: number): string {
  const perChunk = usage.chunks === 0 ? expected : usage.tokens / usage.chunks;
  const tokens = Math.round(perChunk * pending);
  return `about ${amount(tokens, usage)} for the ${pending.toLocaleString("en")} chunks that are still to be embedded`;
}

function amount(tokens: number, { dollarsPerMillionTokens: price }: EmbeddingUsage): string {
  const counted = `${tokens.toLocaleString("en")} tokens`;
  if (price === undefined) return counted;
  return `${counted} ($${((tokens * price) / 1_000_000).toFixed(2)} by list price)`;
}
