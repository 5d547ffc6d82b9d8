/** The third stage: orders the passages by relevance, by diversity of files, or by both. */

import type { ContextStrategy } from "../contracts/context-request.ts";
import { fileKey, type Passage } from "./passage.ts";

/** The share of relevance in the balanced order. */
const RELEVANCE_SHARE: Readonly<Record<ContextStrategy, number>> = {
  relevance: 1,
  balanced: 0.7,
  diversity: 0.3,
};

/** How fast relevance falls down the list of a search: half of it at this rank. */
const HALF_RELEVANCE_RANK = 8;

/** Scores of neighbors in a list are often equal, so that rank counts as much as score. */
export function rankRelevance(rank: number): number {
  return HALF_RELEVANCE_RANK / (HALF_RELEVANCE_RANK + rank);
}

/** The first passage of a file keeps its diversity; the next ones have a half, a third and so on. */
export function rankPassages(passages: readonly Passage[], strategy: ContextStrategy): Passage[] {
  const share = RELEVANCE_SHARE[strategy];
  const seen = new Map<string, number>();
  return passages
    .toSorted((a, b) => b.relevance - a.relevance)
    .map((passage) => {
      const count = seen.get(fileKey(passage)) ?? 0;
      seen.set(fileKey(passage), count + 1);
      const { relevance } = passage;
      return { ...passage, relevance: share * relevance + (1 - share) * (relevance / (count + 1)) };
    })
    .toSorted((a, b) => b.relevance - a.relevance);
}
