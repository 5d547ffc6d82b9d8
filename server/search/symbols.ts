/** Answers workspace/symbol: names by the words alone, sentences by the whole search. */

import type { CodeSymbol, Hit } from "../contracts/model.ts";
import type { SearchContext } from "./context.ts";
import { EXACT_GRADE, gradeName, type Name, toKnownName, toName } from "./lanes/symbol-index.ts";
import { parseQuery } from "./query/query.ts";
import type { RankedHit } from "./ranking.ts";
import { Recorder } from "./recorder.ts";
import { symbolOf, toSymbolHit } from "./results/answer.ts";
import { find } from "./search.ts";

/** Names are chosen from more chunks than are shown; 200 is the most that a search gives. */
const MAX_CHUNKS = 200;

/**
 * One hit a definition, exact names of code first; a chunk without a definition is itself the hit.
 *
 * What is typed letter by letter is not embedded: one word has little meaning, and each letter would cost a
 * call to the model.
 */
export async function searchSymbols(
  context: SearchContext,
  text: string,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly Hit[]> {
  const { kind } = parseQuery(text, context.resolveLanguage);
  if (kind === "empty") return [];
  const request =
    kind === "sentence"
      ? { query: text, limit }
      : { query: text, limit: Math.min(MAX_CHUNKS, limit * 2), without: ["vector"] };
  // A list that follows each keystroke does not wait for models behind a network.
  const quick = { ...context, reranker: undefined, rewriter: undefined };
  const { placed, query } = await find(
    quick,
    request,
    new Recorder({ isRecording: false }),
    signal,
  );
  if (kind === "sentence") {
    return placed.map((each) => toSymbolHit(each, symbolOf(each.facts, query)));
  }
  const names = query.identifiers.map(toName);
  const found = placed.flatMap((each) => definitionsIn(each, names));
  return codeFirst(found)
    .slice(0, limit)
    .map(({ place, symbol }) => toSymbolHit(place, symbol));
}

interface Definition {
  readonly place: RankedHit;
  readonly symbol: CodeSymbol | undefined;
  readonly grade: number;
}

/** The definitions of a chunk that answer one of the names, best first; without one, the chunk's own. */
function definitionsIn(place: RankedHit, names: readonly Name[]): Definition[] {
  const { symbols } = place.facts;
  const graded = symbols
    .map((symbol) => ({
      place,
      symbol,
      grade: Math.max(0, ...names.map((name) => gradeName(name, toKnownName(symbol.name)))),
    }))
    .filter(({ grade }) => grade > 0)
    .toSorted((a, b) => b.grade - a.grade);
  return graded.length > 0 ? graded : [{ place, symbol: symbols[0], grade: 0 }];
}

/** Code with the name, code named alike, then the rest, each in the order of the ranking: `build` is a key in every configuration. */
function codeFirst(found: readonly Definition[]): Definition[] {
  const groupOf = ({ place, grade }: Definition) => {
    const { category } = place.facts;
    if (grade === 0 || category === "config" || category === "docs") return 2;
    return grade >= EXACT_GRADE ? 0 : 1;
  };
  return found.toSorted((a, b) => groupOf(a) - groupOf(b));
}
