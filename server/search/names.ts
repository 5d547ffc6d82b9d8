/** Finds definitions by a typed name: exact, prefix, words, initials, or with a typo. */

import type { Filter } from "../contracts/lanes.ts";
import type { CodeSymbol } from "../contracts/model.ts";
import { purposesOf } from "./boosts/file-category.ts";
import type { OpenLanes } from "./context.ts";
import {
  GRADES,
  gradeHalfRemembered,
  gradeName,
  gradeTypo,
  type Name,
  toKnownName,
} from "./lanes/symbol-names.ts";
import type { RankedHit } from "./ranking.ts";
import type { Recorder } from "./recorder.ts";

/** A definition with its chunk. */
export interface NamedDefinition {
  readonly hit: RankedHit;
  readonly symbol: CodeSymbol;
  /** The grade of the match, 0 to 1, lowered for tests and the like. */
  readonly grade: number;
}

/** Maximum number of chunks to fetch: a prefix of three letters matches hundreds of names, ordered by path. */
const MAX_CHUNKS = 200;

/**
 * Tie-break penalties of equal matches: tests, examples and generated code rank below product code, a member below a class,
 * a constructor below its class, and another letter case below the typed capitals. For an exact name, a penalty is less
 * than a step between two grades; for a prefix, it equals a few more letters.
 */
const LOSSES = {
  whole: { noProduct: 0.08, noType: 0.01, constructor: 0.01, otherCase: 0 },
  part: { noProduct: 0.12, noType: 0.05, constructor: 0.12, otherCase: 0.1 },
} as const;

/** Minimum grade of an exact match; a lower grade is a fuzzy match. */
export const EXACT_NAME = 0.7;

/**
 * This many definitions of one name that differs from the typed one, and this many overloads of one function, keep their place: forty methods
 * `writeTo` would hide `WriteToDisk`. The others lose more than the step from another letter case to the half of a name.
 */
const NAMESAKES = 2;
const CROWDED = 0.4;

/** Best first, at most `limit`. */
export async function findNames(
  open: readonly OpenLanes[],
  wanted: Name,
  filter: Filter | undefined,
  limit: number,
  recorder: Recorder,
): Promise<readonly NamedDefinition[]> {
  const lists = await Promise.all(open.map((each) => namesIn(each, wanted, filter, recorder)));
  const found = lists.flat().toSorted((a, b) => b.grade - a.grade || compare(a, b));
  const places = new Set<string>();
  const distinct = found.filter(({ hit, symbol }) => {
    // A long definition is in several chunks.
    const place = `${symbol.nameLine} ${symbol.name} ${hit.root}/${hit.facts.path}`;
    return !places.has(place) && places.add(place);
  });
  return thinnedOut(distinct, wanted).slice(0, limit);
}

/** Puts further namesakes behind other names; best first. */
function thinnedOut(found: readonly NamedDefinition[], wanted: Name): readonly NamedDefinition[] {
  const hasCapital = wanted.last !== wanted.lowerLast;
  const counts = new Map<string, number>();
  const graded = found.map((each) => {
    const { last, lowerLast } = toKnownName(each.symbol.name);
    const isAsTyped = hasCapital ? last === wanted.last : lowerLast === wanted.lowerLast;
    const { root, facts } = each.hit;
    const key = isAsTyped ? `${each.symbol.name} ${root}/${facts.path}` : lowerLast;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= NAMESAKES) return each;
    const grade = Math.max(0, each.grade - CROWDED);
    return { ...each, grade, hit: { ...each.hit, score: grade, probability: grade } };
  });
  return graded.toSorted((a, b) => b.grade - a.grade);
}

async function namesIn(
  { index, lanes }: OpenLanes,
  wanted: Name,
  filter: Filter | undefined,
  { pause }: Recorder,
): Promise<NamedDefinition[]> {
  const candidates = await lanes.symbol(wanted.text, { filter, limit: MAX_CHUNKS, pause });
  const grades = new Map(candidates.map(({ chunk, score }) => [chunk, score]));
  await pause();
  const facts = await lanes.facts([...grades.keys()]);
  const found: NamedDefinition[] = [];
  for (const [chunk, own] of facts) {
    const isProduct = purposesOf(own).length === 0 && own.category === "implementation";
    for (const symbol of own.symbols) {
      const grade = gradeOf(wanted, symbol);
      if (grade === 0) continue;
      const score = Math.max(0, grade - lossOf(wanted, symbol, grade, isProduct));
      const hit: RankedHit = {
        chunk,
        facts: own,
        score,
        evidence: { symbol: grade },
        ranks: {},
        reasons: [],
        share: grade,
        index: index.name,
        root: index.root,
        symbols: [symbol],
        otherSymbols: [],
        places: [],
        probability: score,
        isChance: false,
      };
      found.push({ hit, symbol, grade: score });
    }
  }
  return found;
}

function gradeOf(wanted: Name, { name }: CodeSymbol): number {
  const defined = toKnownName(name);
  return (
    gradeName(wanted, defined) || gradeTypo(wanted, defined) || gradeHalfRemembered(wanted, defined)
  );
}

function lossOf(
  wanted: Name,
  { name, type }: CodeSymbol,
  grade: number,
  isProduct: boolean,
): number {
  const losses = grade >= GRADES.otherSpelling ? LOSSES.whole : LOSSES.part;
  const { last, text } = toKnownName(name);
  const isType = type === "class" || type === "interface";
  const isConstructor = !isType && text.endsWith(`${last}.${last}`);
  const hasCapital = wanted.last !== wanted.lowerLast;
  const isOtherCase = hasCapital && !last.startsWith(wanted.last.slice(0, 1));
  return (
    (isProduct ? 0 : losses.noProduct) +
    (isType ? 0 : losses.noType) +
    (isConstructor ? losses.constructor : 0) +
    (isOtherCase ? losses.otherCase : 0)
  );
}

function compare(a: NamedDefinition, b: NamedDefinition): number {
  const [first, second] = [a.hit.facts.path, b.hit.facts.path];
  if (first !== second) return first < second ? -1 : 1;
  // Among several declarations, the declaration with the body comes first.
  return lengthOf(b.symbol) - lengthOf(a.symbol) || a.symbol.nameLine - b.symbol.nameLine;
}

function lengthOf({ lines }: CodeSymbol): number {
  return lines.end - lines.start;
}
