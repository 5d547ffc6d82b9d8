/** What is known of a hit and its list as numbers: what the score is computed from. */

import type { Query, QueryKind } from "../query/query.ts";
import type { Ranked } from "../ranking.ts";
import type { Features, ListFeature } from "./features.ts";

/** Hits further down say nothing about the list. */
const TOP = 10;

/** Best first; a list of one index in its final order. */
export function featuresOf(hits: readonly Ranked[], query: Query): Features[] {
  const list = listFeatures(hits, query);
  const best = hits[0]?.score || 1;
  const inFile = new Map<string, number>();
  for (const { facts } of hits.slice(0, TOP))
    inFile.set(facts.path, (inFile.get(facts.path) ?? 0) + 1);
  return hits.map((hit, i) => {
    const { evidence, ranks, score } = hit;
    const next = hits[i + 1]?.score ?? 0;
    const lanes = Object.keys(evidence).length;
    return {
      logRank: Math.log(i + 1),
      share: Math.max(0, score / best),
      margin: (score - next) / best,
      leads: i === 0 ? 1 : 0,
      vector: evidence.vector ?? 0,
      vectorRank: reciprocal(ranks["vector"]),
      keyword: evidence.keyword ?? 0,
      keywordRank: reciprocal(ranks["keyword"]),
      symbol: evidence.symbol ?? 0,
      lanes,
      definition: has(hit, "definition"),
      phrase: has(hit, "phrase"),
      path: has(hit, "path-words"),
      fileHits: Math.min(3, inFile.get(hit.facts.path) ?? 0),
      ...list,
    };
  });
}

function listFeatures(hits: readonly Ranked[], query: Query): Pick<Features, ListFeature> {
  const top = hits.slice(0, TOP);
  const highest = (lane: "vector" | "keyword" | "symbol") =>
    Math.max(0, ...top.map(({ evidence }) => evidence[lane] ?? 0));
  const first = hits[0];
  const isKind = (...kinds: readonly QueryKind[]) => (kinds.includes(query.kind) ? 1 : 0);
  const near = ({ ranks }: Ranked, lane: string) => (ranks[lane] ?? Infinity) <= TOP;
  return {
    bestVector: highest("vector"),
    bestKeyword: highest("keyword"),
    bestSymbol: highest("symbol"),
    firstAgrees: first !== undefined && near(first, "vector") && near(first, "keyword") ? 1 : 0,
    agreement: hits.filter((hit) => near(hit, "vector") && near(hit, "keyword")).length / TOP,
    logTerms: Math.log(1 + new Set(query.words).size),
    isName: isKind("symbol", "path"),
    isWord: isKind("word"),
    isError: isKind("error"),
  };
}

function reciprocal(rank: number | undefined): number {
  return rank === undefined ? 0 : 1 / rank;
}

function has({ reasons }: Ranked, name: string): number {
  return reasons.some((reason) => reason.name === name && reason.contribution > 0) ? 1 : 0;
}
