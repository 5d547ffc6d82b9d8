/** Lifts the files that contain most of the question's words, wherever in the file. */

import type { YieldToForeground } from "../../common/slices.ts";
import type { Filter, Lanes } from "../../contracts/lanes.ts";
import { lengthShare, questionTerms } from "../query/open-question.ts";
import type { Query } from "../query/query.ts";
import { type Boost, type FileWords, highest, type Ranked, rescore } from "../ranking.ts";

/** The gain of a file with all words of a long question, as a share of the best score; measured in test/ranking/natural.md. */
const WEIGHT = 0.4;

/** A question of two words gains nothing, since any chunk may contain both; one of twelve words gains in full. */
const MIN_WORDS = 2;
const FULL_WORDS = 12;

/** Only the first files of the list are compared; further ones are never lifted to the top. */
const MAX_FILES = 30;

const NO_WORDS: FileWords = new Map();

/** Reads which of the first files of the list contain which words of the question; only for questions. */
export async function readFileWords(
  hits: readonly Ranked[],
  query: Query,
  filter: Filter | undefined,
  lanes: Lanes,
  pause: YieldToForeground,
): Promise<FileWords> {
  const terms = questionTerms(query);
  if (query.kind !== "sentence" || terms.length <= MIN_WORDS) return NO_WORDS;
  const paths = firstPaths(hits);
  const filesByTerm = await lanes.filesWith(terms, [...paths], { filter, pause });
  const rarities = terms.map((term) => lanes.rarityOf(term));
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  const shares = new Map<string, number>();
  for (const [i, files] of filesByTerm.entries()) {
    const share = (rarities[i] ?? 0) / total;
    for (const path of files) shares.set(path, (shares.get(path) ?? 0) + share);
  }
  return shares;
}

function firstPaths(hits: readonly Ranked[]): Set<string> {
  const paths = new Set<string>();
  for (const { facts } of hits) {
    paths.add(facts.path);
    if (paths.size >= MAX_FILES) break;
  }
  return paths;
}

export const fileWords: Boost = {
  name: "file-words",
  apply: (hits, { query, fileWords: shares }) => {
    if (shares.size === 0) return hits;
    const words = questionTerms(query).length;
    const unit = WEIGHT * lengthShare(words, MIN_WORDS, FULL_WORDS) * highest(hits);
    for (const hit of hits) {
      const share = shares.get(hit.facts.path);
      if (share === undefined) continue;
      const detail = `${Math.round(100 * share)} % of the words`;
      rescore(hit, hit.score + unit * share, "file-words", detail);
    }
    return hits;
  },
};
