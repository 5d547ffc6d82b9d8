/** Lifts the definition of a queried name above the places that use it. */

import { memoizeRetained } from "../../common/memoize.ts";
import type { ChunkFacts } from "../../contracts/lanes.ts";
import { EXACT_GRADE, exactSymbol, type Name, toName } from "../lanes/symbol-names.ts";
import { fileNameOf, squash } from "../paths.ts";
import { type Boost, highest, injectCandidates, type Ranked, rescore } from "../ranking.ts";

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
    const found = hits.map(({ facts }) => definedIn(facts, names));
    const defining = new Set<string>();
    for (let i = 0; i < hits.length; i++)
      if (found[i] !== undefined) defining.add((hits[i] as Ranked).facts.path);
    const key = question.query.kind === "symbol" ? KEY.named : KEY.mentioned;
    const lift = (hit: Ranked, { name, grade, symbol }: Found): void => {
      const kind = hit.facts.category === "config" ? key : 1;
      const factor = kind * grade * (isHome(hit.facts.path, homesOf(name)) ? HOME : 1);
      rescore(hit, hit.score + unit * factor, "definition", symbol);
    };
    const injected: Ranked[] = [];
    for (const hit of filesMatchingIdentifier) {
      const own = definedIn(hit.facts, names);
      if (own === undefined) continue;
      defining.add(hit.facts.path);
      lift(hit, own);
      injected.push(hit);
    }
    const homes = names.flatMap(homesOf);
    for (let i = 0; i < hits.length; i++) {
      const hit = hits[i] as Ranked;
      const own = found[i];
      const { path } = hit.facts;
      if (own !== undefined) lift(hit, own);
      else if (isHome(path, homes) && !defining.has(path))
        rescore(hit, hit.score + unit * HIDDEN, "definition", "the file's name");
    }
    return injected.length === 0 ? hits : [...hits, ...injected];
  },
};

/** The grade of the best match between the names and the definitions in a chunk; 0 if none matches. */
export function definitionGrade(facts: ChunkFacts, names: readonly Name[]): number {
  return definedIn(facts, names)?.grade ?? 0;
}

interface Found {
  readonly name: Name;
  readonly grade: number;
  readonly symbol: string;
}

function definedIn(facts: ChunkFacts, names: readonly Name[]): Found | undefined {
  let best: Found | undefined;
  // A heading mentions definitions of other files.
  if (facts.category === "docs") return undefined;
  for (const name of names) {
    const found = exactSymbol(facts.symbols, name);
    if (found === undefined) continue;
    if (found.grade > (best?.grade ?? 0))
      best = { name, grade: found.grade, symbol: found.symbol.name };
  }
  return best;
}

/** The stems of files that are named after this definition. */
export function homeStems(name: Name): readonly string[] {
  const homes = homesOf(name);
  return homes[0] === "" ? [] : homes;
}

/** Files that searches find again and again; about 1 MB when full. */
const knownFileName = memoizeRetained((path) => squash(fileNameOf(path)), 10_000);

/** The squashed names of files that are homes of a definition. */
function homesOf({ last }: Name): readonly string[] {
  const wanted = squash(last);
  return [wanted, `${wanted}s`];
}

/** `user_service.py` and `UserServices.ts` are filesMatchingIdentifier of `UserService`, `UserService.Json.cs` is not. */
function isHome(path: string, homes: readonly string[]): boolean {
  return homes.includes(knownFileName(path));
}
