/** Ranks the definitions first whose names the query begins or abbreviates, if no index has the query as a word. */

import type { OpenLanes } from "./context.ts";
import { gradeName, type Name, toKnownName, toName } from "./lanes/symbol-names.ts";
import type { LiteralPlacement } from "./literal/place-literals.ts";
import type { NamedDefinition } from "./names.ts";
import { isKnown } from "./query/correct-name.ts";
import type { Query } from "./query/query.ts";
import { highest, newHit, type Ranked, rescore } from "./ranking.ts";

/** The name under which a request leaves it out, and of the reason in an explanation. */
export const BEGUN_NAMES = "begun-names";

/** Exceeds the best score of any list, so that the rest of the ranking only breaks ties between equal grades. */
const STEP = 1.05;

/** The one name that the query may begin or abbreviate: none of the indexes has it as a word. */
export function begunNameOf(
  { kind, identifiers }: Query,
  open: readonly OpenLanes[],
): Name | undefined {
  const [name, ...others] = identifiers;
  const isName = (kind === "symbol" || kind === "word") && others.length === 0;
  if (!isName || name === undefined) return undefined;
  const wanted = toName(name);
  return open.some(({ lanes }) => isKnown(wanted, lanes)) ? undefined : wanted;
}

/** The reordered list; `places` has the chunks of the names. */
export function placeBegunNames(
  hits: readonly Ranked[],
  wanted: Name,
  named: readonly NamedDefinition[],
): { readonly hits: readonly Ranked[]; readonly places: ReadonlyMap<number, LiteralPlacement> } {
  const best = new Map<number, NamedDefinition>();
  for (const each of named) {
    // A name that is only similar is a typo, which has been corrected before.
    if (gradeName(wanted, toKnownName(each.symbol.name)) === 0) continue;
    if (each.grade > (best.get(each.hit.chunk)?.grade ?? 0)) best.set(each.hit.chunk, each);
  }
  const known = new Set(hits.map(({ chunk }) => chunk));
  const others = [...best].flatMap(([chunk, { hit }]): Ranked[] => {
    if (known.has(chunk)) return [];
    const evidence = { symbol: hit.share };
    return [newHit(chunk, hit.facts, evidence)];
  });
  const unit = highest(hits) || 1;
  const grades = [...new Set(Array.from(best.values(), ({ grade }) => grade))].toSorted(
    (a, b) => a - b,
  );
  const all = [...hits, ...others];
  for (const hit of all) {
    const found = best.get(hit.chunk);
    if (found === undefined) continue;
    const gain = STEP * unit * (1 + grades.indexOf(found.grade));
    rescore(hit, hit.score + gain, BEGUN_NAMES, found.symbol.name);
  }
  const places = new Map<number, LiteralPlacement>();
  for (const [chunk, { grade, symbol }] of best)
    places.set(chunk, { match: undefined, begun: symbol, steps: 0, share: grade, isSure: true });
  return { hits: all, places };
}
