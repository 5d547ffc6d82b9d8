/**
 * The findings of `doctor` about models that the user runs: whether they answer, and how many tokens they used and
 * will use.
 */

import { formatTokens } from "../../common/format-tokens.ts";
import type { Finding } from "../../contracts/session.ts";
import { embeddingProgress } from "../indexes/embedding-progress.ts";
import type { OpenIndex } from "../indexes/open-index.ts";
import { finding } from "./doctor.ts";
import type { QueryModels } from "./query-models.ts";

export async function diagnoseModels(
  { reranker, rewriter }: QueryModels,
  indexes: readonly OpenIndex[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const index of indexes) findings.push(...(await embeddingTokens(index)));
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

async function embeddingTokens(index: OpenIndex): Promise<Finding[]> {
  if (index.store === undefined) return [];
  const { pending } = await index.store.counts();
  const progress = embeddingProgress(index, pending);
  const detail = progress === undefined ? "" : formatTokens(progress);
  return detail === "" ? [] : [{ what: `embedding tokens for ${index.root}`, ok: true, detail }];
}
