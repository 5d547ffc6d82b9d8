/** Ranks one index: lanes -> fuse -> boost -> score. */

import type { Lanes } from "../ports.ts";
import { type Asked, askLanes, type Report } from "./ask-lanes.ts";
import { BOOSTS } from "./boosts/boosts.ts";
import type { SearchableIndex } from "./context.ts";
import { fuse } from "./fuse.ts";
import { inOrder, type Placed, type Question, type Ranked, withRanks } from "./ranking.ts";
import { scoresOf } from "./score.ts";

/** An index whose lanes are open. */
export interface OpenIndex {
  readonly index: SearchableIndex;
  readonly lanes: Lanes;
}

export async function rank(
  { index, lanes }: OpenIndex,
  asked: Asked,
  report: Report,
  signal: AbortSignal | undefined,
): Promise<Placed[]> {
  const { query, filter, without } = asked;
  const answers = await askLanes(index, lanes, asked, report, signal);
  const fused = await report.recorder.stage(
    "fusion",
    () => fuse(answers, query.kind, lanes),
    (hits) => ({ count: hits.length, notes: { index: index.name, ...agreement(hits) } }),
  );
  const question: Question = { query, filter, lanes };
  let hits = fused;
  for (const boost of BOOSTS.filter(({ name }) => !without.has(name))) {
    const before = hits;
    hits = await report.recorder.stage(
      boost.name,
      () => withRanks(inOrder(boost.apply(before, question)), boost.name),
      (after) => ({
        count: after.length,
        notes: { index: index.name, moved: movedIn(before, after, asked.limit) },
      }),
    );
  }
  const scores = scoresOf(hits);
  return hits.slice(0, asked.limit).map((hit, i) => ({
    ...hit,
    index: index.name,
    root: index.root,
    score: scores[i] ?? 0,
  }));
}

/** How many chunks the lanes share, and how many only one of them brought. */
function agreement(hits: readonly Ranked[]): Record<string, number> {
  const lanesOf = hits.map(({ evidence }) => Object.keys(evidence));
  const only = (lane: string) =>
    lanesOf.filter((lanes) => lanes.length === 1 && lanes[0] === lane).length;
  return {
    several: lanesOf.filter((lanes) => lanes.length > 1).length,
    vectorOnly: only("vector"),
    keywordOnly: only("keyword"),
    symbolOnly: only("symbol"),
  };
}

/** Of the first `limit` places, those that another chunk has now. */
function movedIn(before: readonly Ranked[], after: readonly Ranked[], limit: number): number {
  return after.slice(0, limit).filter(({ chunk }, i) => before[i]?.chunk !== chunk).length;
}
