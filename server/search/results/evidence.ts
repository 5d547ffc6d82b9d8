/** Computes the features of a hit and its list: the input of the score model. */

import type { Reason } from "../../contracts/model.ts";
import type { Query, QueryKind } from "../query/query.ts";
import type { LaneFindings, Ranked } from "../ranking.ts";
import {
  FEATURE_NAMES,
  type FeatureName,
  type Features,
  LIST_FEATURES,
  type ListFeature,
} from "./features.ts";

/** Only this many hits enter the features of the list. */
const TOP = 10;

/** The number of per-hit features, which come first in FEATURE_NAMES. */
const OWN_FEATURES = FEATURE_NAMES.length - LIST_FEATURES.length;

/** Gives the features of a hit of a list by its number, as numbers in the order of FEATURE_NAMES; the next call overwrites them. */
type ReadFeatures = (at: number) => Float64Array;

/** Best first; a list of one index in its final order. */
export function featureReader(hits: readonly Ranked[], query: Query): ReadFeatures {
  const row = new Float64Array(FEATURE_NAMES.length);
  const list = listFeatures(hits, query);
  LIST_FEATURES.forEach((name, i) => {
    row[OWN_FEATURES + i] = list[name];
  });
  const best = hits[0]?.score || 1;
  const inFile = new Map<string, number>();
  for (const { facts } of hits.slice(0, TOP))
    inFile.set(facts.path, (inFile.get(facts.path) ?? 0) + 1);
  return (at) => {
    const hit = hits[at] as Ranked;
    const { score, reasons, facts } = hit;
    const { evidence, ranks } = findingsOf(hit);
    const { vector, keyword, symbol } = evidence;
    const next = hits[at + 1]?.score ?? 0;
    row[0] = Math.log(at + 1);
    row[1] = Math.max(0, score / best);
    row[2] = (score - next) / best;
    row[3] = at === 0 ? 1 : 0;
    row[4] = vector ?? 0;
    row[5] = reciprocal(ranks["vector"]);
    row[6] = keyword ?? 0;
    row[7] = reciprocal(ranks["keyword"]);
    row[8] = symbol ?? 0;
    row[9] =
      Number(vector !== undefined) + Number(keyword !== undefined) + Number(symbol !== undefined);
    row[10] = 0;
    row[11] = 0;
    row[12] = 0;
    for (let i = 0; i < reasons.length; i++) noteGain(row, reasons[i] as Reason);
    row[13] = Math.min(3, inFile.get(facts.path) ?? 0);
    return row;
  };
}

/** Names the features of a row. Called for few hits: an object for each candidate would cost more than the numbers. */
export function toFeatures(row: ArrayLike<number>): Features {
  const features: Partial<Record<FeatureName, number>> = {};
  for (const [i, name] of FEATURE_NAMES.entries()) features[name] = row[i] ?? 0;
  return features as Features;
}

function listFeatures(hits: readonly Ranked[], query: Query): Pick<Features, ListFeature> {
  const top = hits.slice(0, TOP);
  const highest = (lane: "vector" | "keyword" | "symbol") =>
    Math.max(0, ...top.map((hit) => findingsOf(hit).evidence[lane] ?? 0));
  const first = hits[0];
  const isKind = (...kinds: readonly QueryKind[]) => (kinds.includes(query.kind) ? 1 : 0);
  const near = (hit: Ranked, lane: string) => (findingsOf(hit).ranks[lane] ?? Infinity) <= TOP;
  return {
    bestVector: highest("vector"),
    bestKeyword: highest("keyword"),
    bestSymbol: highest("symbol"),
    firstAgrees: first !== undefined && near(first, "vector") && near(first, "keyword") ? 1 : 0,
    agreement: countAgreeing(hits) / TOP,
    logTerms: Math.log(1 + new Set(query.words).size),
    isName: isKind("symbol", "path"),
    isWord: isKind("word"),
    isError: isKind("error"),
  };
}

/** Hits that the vector lane and the keyword lane both have near their tops. */
function countAgreeing(hits: readonly Ranked[]): number {
  let count = 0;
  for (let i = 0; i < hits.length; i++) {
    const { ranks } = findingsOf(hits[i] as Ranked);
    const { vector = Infinity, keyword = Infinity } = ranks;
    if (vector <= TOP && keyword <= TOP) count++;
  }
  return count;
}

/** The order within a file says nothing of how well the file answers, so a chunk is judged by the one it took the place of. */
function findingsOf(hit: Ranked): LaneFindings {
  return hit.standsFor ?? hit;
}

function reciprocal(rank: number | undefined): number {
  return rank === undefined ? 0 : 1 / rank;
}

function noteGain(row: Float64Array, { name, contribution }: Reason): void {
  if (contribution <= 0) return;
  if (name === "definition") row[10] = 1;
  else if (name === "literal") row[11] = 1;
  else if (name === "path-words") row[12] = 1;
}
