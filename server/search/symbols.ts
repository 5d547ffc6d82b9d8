/** Answers workspace/symbol: the list of a search, then what else its chunks define of what was asked for. */

import { inBatches } from "../common/slices.ts";
import type { CodeSymbol, Hit, Relevance } from "../contracts/model.ts";
import type { SearchContext } from "./context.ts";
import { gradeName, type Name, toKnownName, toName } from "./lanes/symbol-names.ts";
import { parseQuery } from "./query/query.ts";
import type { RankedHit } from "./ranking.ts";
import { Recorder } from "./recorder.ts";
import { HITS_AT_ONCE, showingOf, toSymbolHit, withoutRanks } from "./results/answer.ts";
import { relevanceOf } from "./results/score.ts";
import { find, show } from "./search.ts";

/**
 * Hits that are looked through for names that begin like a typed one: as many as a lane gives. Of a large file the further
 * chunks rank low, whatever they define.
 */
const MAX_LOOKED_THROUGH = 150;

/** The same order as everywhere else. */
export async function searchSymbols(
  context: SearchContext,
  text: string,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly Hit[]> {
  const { kind } = parseQuery(text, context.resolveLanguage);
  if (kind === "empty") return [];
  // A name is typed letter by letter, and each would cost a call to a model behind a network.
  const isRemote = context.indexes.some(({ embedder }) => embedder?.isLocal === false);
  const byWords = kind !== "sentence" && isRemote ? { without: ["vector"] } : {};
  const request = { query: text, limit, ...byWords };
  // A list that follows each keystroke does not wait for models behind a network.
  const keep = kind === "word" || kind === "symbol" ? MAX_LOOKED_THROUGH : undefined;
  const quick = { ...context, reranker: undefined, rewriter: undefined, keep };
  const recorder = new Recorder({ isRecording: false, signal });
  const whole = await find(quick, request, recorder, signal);
  const found = { ...whole, placed: worthShowing(whole.placed, limit) };
  const hits = (await show(quick, request, found, recorder)).map(withoutRanks);
  const names = found.query.identifiers.map(toName);
  const shown = showingOf(found.query, found.open, context.readLines);
  const others = found.placed
    .flatMap((placed, i) => otherDefinitions(placed, hits[i]?.symbol, names))
    .slice(0, limit - hits.length);
  const more = await inBatches(others, HITS_AT_ONCE, recorder.pause, ({ placed, symbol }) =>
    toSymbolHit(placed, symbol, shown),
  );
  const last = hits.at(-1)?.score ?? 0;
  return [...hits, ...more.map((hit) => ({ ...hit, score: Math.min(hit.score, last) }))];
}

/**
 * A picker shows no headings: weak matches only where there is nothing better, chance never. What is named so stays, also
 * from beyond the limit, in the place of weak matches that are not.
 */
function worthShowing(placed: readonly RankedHit[], limit: number): readonly RankedHit[] {
  const isOf = (wanted: Relevance) => (hit: RankedHit) => relevanceOf(hit) === wanted;
  const isNamed = ({ evidence }: RankedHit) => evidence.symbol !== undefined;
  const isWeak = isOf("weak");
  const within = placed.slice(0, limit);
  const wanted = within.some(isOf("strong")) ? isOf("strong") : isWeak;
  const shown = within.filter((hit) => wanted(hit) || isNamed(hit));
  const further = placed.slice(limit).filter(isNamed);
  for (let at = shown.length - 1; at > 0 && shown.length + further.length > limit; at--)
    if (!isNamed(shown[at] as RankedHit) && isWeak(shown[at] as RankedHit)) shown.splice(at, 1);
  return [...shown, ...further].slice(0, limit);
}

/** The definitions of a chunk that answer one of the names, besides the one that the hit is shown as; best first. */
function otherDefinitions(
  placed: RankedHit,
  shown: CodeSymbol | undefined,
  names: readonly Name[],
): { readonly placed: RankedHit; readonly symbol: CodeSymbol }[] {
  return placed.facts.symbols
    .filter(({ name, nameLine }) => name !== shown?.name || nameLine !== shown.nameLine)
    .map((symbol) => ({
      placed,
      symbol,
      grade: Math.max(0, ...names.map((name) => gradeName(name, toKnownName(symbol.name)))),
    }))
    .filter(({ grade }) => grade > 0)
    .toSorted((a, b) => b.grade - a.grade);
}
