/** Lifts the definition of a queried name above the places that use it. */

import { memoize, memoizeRetained } from "../../common/memoize.ts";
import type { ChunkFacts } from "../../contracts/lanes.ts";
import { bestSymbol, EXACT_GRADE, type Name, toName } from "../lanes/symbol-names.ts";
import { fileNameOf, squash } from "../paths.ts";
import { type Boost, highest, injectCandidates, rescored } from "../ranking.ts";

/** Gain as a multiple of the best score: more than every other boost together, since the name is the whole question. */
const ASKED = 3;

/**
 * The same for a name inside a question, and for a plain word that may be a name: only a hint. 1.5 loses .007 on commit
 * subjects, which mention used names as often as changed ones.
 */
const MENTIONED = 0.5;

/** A file that is named like the definition is its home; a namesake elsewhere is not. */
const HOME = 1.5;

/** `build` is a key in every configuration: by a plain word, code is meant, and by a name, code first. */
const KEY = { named: 0.5, mentioned: 0 };

/** Macros hide definitions from a grammar; then the file that is named like one is the best guess. */
const HIDDEN = 0.5;

export const definition: Boost = {
  name: "definition",
  apply: (hits, question) => {
    const names = question.query.identifiers.map(toName);
    if (names.length === 0) return hits;
    const unit = highest(hits) * (question.query.kind === "symbol" ? ASKED : MENTIONED);
    const filesMatchingIdentifier = injectCandidates(
      question.filesMatchingIdentifier,
      hits,
      question.filter,
      { symbol: EXACT_GRADE },
    );
    const all = [...hits, ...filesMatchingIdentifier].map((hit, i) => ({
      hit,
      found: definedIn(hit.facts, names),
      isInjected: i >= hits.length,
    }));
    const defining = new Set(
      all.flatMap(({ hit, found }) => (found === undefined ? [] : [hit.facts.path])),
    );
    const kept = all.filter(({ found, isInjected }) => found !== undefined || !isInjected);
    return kept.map(({ hit, found }) => {
      const { path } = hit.facts;
      if (found !== undefined) {
        const key = question.query.kind === "symbol" ? KEY.named : KEY.mentioned;
        const kind = hit.facts.category === "config" ? key : 1;
        const factor = kind * found.grade * (isHome(path, found.name) ? HOME : 1);
        return rescored(hit, hit.score + unit * factor, "definition", found.symbol);
      }
      const isHidden = !defining.has(path) && names.some((name) => isHome(path, name));
      return isHidden
        ? rescored(hit, hit.score + unit * HIDDEN, "definition", "the file's name")
        : hit;
    });
  },
};

/** The grade of the best match between the names and the definitions in a chunk; 0 if none matches. */
export function definitionGrade(facts: ChunkFacts, names: readonly Name[]): number {
  return definedIn(facts, names)?.grade ?? 0;
}

function definedIn(
  facts: ChunkFacts,
  names: readonly Name[],
): { name: Name; grade: number; symbol: string } | undefined {
  let best: { name: Name; grade: number; symbol: string } | undefined;
  // A heading mentions definitions of other files.
  if (facts.category === "docs") return undefined;
  for (const name of names) {
    const found = bestSymbol(facts.symbols, name);
    if (found === undefined || found.grade < EXACT_GRADE) continue;
    if (found.grade > (best?.grade ?? 0))
      best = { name, grade: found.grade, symbol: found.symbol.name };
  }
  return best;
}

/** The stems of files that are named after this definition. */
export function homeStems({ last }: Name): readonly string[] {
  const stem = squash(last);
  return stem === "" ? [] : [stem, `${stem}s`];
}

/** Files that searches find again and again, and names that one search compares with each; about 1 MB when full. */
const knownFileName = memoizeRetained((path) => squash(fileNameOf(path)), 10_000);
const knownLast = memoize(squash, 100);

/** `user_service.py` and `UserServices.ts` are filesMatchingIdentifier of `UserService`, `UserService.Json.cs` is not. */
function isHome(path: string, name: Name): boolean {
  const file = knownFileName(path);
  const wanted = knownLast(name.last);
  return file === wanted || file === `${wanted}s`;
}
