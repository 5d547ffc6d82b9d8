/** Puts the definition of a name that was asked for before the places that use it. */

import type { ChunkFacts } from "../../ports.ts";
import { passes } from "../filter.ts";
import { squash, stemOf } from "../paths.ts";
import { type Boost, highest, type Question, type Ranked, rescored } from "../ranking.ts";
import { bestSymbol, EXACT_GRADE, type Name, toName } from "../symbol-index.ts";

/** Gain as a multiple of the best score: more than every other boost together, since the name is the whole question. */
const ASKED = 3;

/**
 * The same for a name inside a question, and for a plain word that may be a name: a hint, not the question.
 * 1.5 loses .007 on commit subjects, which name what they use as often as what they change.
 */
const MENTIONED = 0.5;

/** A file that is named like the definition is its home; a namesake elsewhere is not. */
const HOME = 1.5;

export const definition: Boost = {
  name: "definition",
  apply: (hits, question) => {
    const names = question.query.identifiers.map(toName);
    if (names.length === 0) return hits;
    const best = highest(hits);
    const unit = best * (question.query.kind === "symbol" ? ASKED : MENTIONED);
    return [...hits, ...homes(hits, names, question)].map((hit) => {
      const found = definedIn(hit.facts, names);
      if (found === undefined) return hit;
      const home = isHome(hit.facts, found.name) ? HOME : 1;
      return rescored(hit, hit.score + unit * found.grade * home, "definition", found.symbol);
    });
  },
};

function definedIn(
  facts: ChunkFacts,
  names: readonly Name[],
): { name: Name; grade: number; symbol: string } | undefined {
  let best: { name: Name; grade: number; symbol: string } | undefined;
  for (const name of names) {
    const found = bestSymbol(facts.symbols, name);
    if (found === undefined || found.grade < EXACT_GRADE) continue;
    if (found.grade > (best?.grade ?? 0))
      best = { name, grade: found.grade, symbol: found.symbol.name };
  }
  return best;
}

/** `user_service.py` and `UserServices.ts` are homes of `UserService`. */
function isHome(facts: ChunkFacts, name: Name): boolean {
  const stem = squash(stemOf(facts.path));
  const wanted = squash(name.last);
  return stem === wanted || stem === `${wanted}s`;
}

/** Definitions in files named like the name that no lane brought; they pass the filter like everything else. */
function homes(hits: readonly Ranked[], names: readonly Name[], question: Question): Ranked[] {
  const { lanes, filter } = question;
  const known = new Set(hits.map(({ chunk }) => chunk));
  const stems = names.flatMap(({ last }) => [squash(last), `${squash(last)}s`]);
  const chunks = stems
    .flatMap((stem) => lanes.pathsByStem(stem))
    .flatMap((path) => lanes.chunksOf(path));
  return [...new Set(chunks)].flatMap((chunk) => {
    const facts = known.has(chunk) ? undefined : lanes.facts(chunk);
    if (facts === undefined || !passes(filter, facts)) return [];
    if (definedIn(facts, names) === undefined) return [];
    return [{ chunk, facts, score: 0, evidence: { symbol: EXACT_GRADE }, ranks: {}, reasons: [] }];
  });
}
