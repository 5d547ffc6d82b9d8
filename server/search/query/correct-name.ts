/** Typo tolerance: corrects a name that is not in the index to the closest name of a definition or file. */

import { editsBetween } from "../../common/edit-distance.ts";
import { baseNameOf } from "../../common/relative-path.ts";
import type { YieldToForeground } from "../../common/slices.ts";
import { tokensOf } from "../../common/words.ts";
import { ABSENT_TERM, type Lanes } from "../../contracts/lanes.ts";
import { termsInText } from "../lanes/pair-terms.ts";
import { recallOf } from "../lanes/partial-names.ts";
import {
  gradeHalfRemembered,
  gradeName,
  gradeTypo,
  MAX_TYPOS,
  type Name,
  toName,
} from "../lanes/symbol-names.ts";
import { squash, stemOf } from "../paths.ts";
import { parseQuery, type Query } from "./query.ts";
import { stem } from "./stem.ts";

/** Maximum number of candidate definitions per index. */
const MAX_CANDIDATES = 50;

/** Shorter file names differ from each other by less than a typo. */
const MIN_STEM_LENGTH = 4;
const MIN_STEM_WITH_TWO_SLIPS = 9;
const SAME_EXTENSION = 0.2;

export interface CorrectedName {
  readonly query: Query;
  readonly from: string;
  readonly to: string;
}

/** Returns undefined unless the query is one unknown name or path with a similar indexed name. */
export async function correctName(
  query: Query,
  lanes: readonly Lanes[],
  pause: YieldToForeground,
): Promise<CorrectedName | undefined> {
  const [written] = query.identifiers;
  const isName = query.kind === "symbol" || query.kind === "word";
  if (query.kind !== "path" && (!isName || written === undefined)) return undefined;
  if (await mayOccurVerbatim(query.text, lanes)) return undefined;
  if (query.kind === "path") return correctPath(query, lanes);
  if (written === undefined) return undefined;
  const wanted = toName(written);
  if (lanes.some((each) => isKnown(wanted, each))) return undefined;
  const found = await Promise.all(lanes.map((each) => namesLike(wanted, each, pause)));
  // A name that is only longer, or has the same words, is an answer already.
  if (found.some(({ hasReal }) => hasReal)) return undefined;
  const counts = new Map<string, { grade: number; count: number }>();
  for (const { name, grade } of found.flatMap(({ near }) => near)) {
    counts.set(name, { grade, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  // `RequetsBody` is the class, however many variables are called `requestBody`.
  const isCased = wanted.last !== wanted.lowerLast;
  const hasItsCapital = (name: string) => isCased && name.startsWith(wanted.last.slice(0, 1));
  const [best] = [...counts].toSorted(
    ([a, first], [b, second]) =>
      second.grade - first.grade ||
      Number(hasItsCapital(b)) - Number(hasItsCapital(a)) ||
      second.count - first.count ||
      (a < b ? -1 : 1),
  );
  if (best === undefined) return undefined;
  const [to] = best;
  return replaced(query, wanted.last, to);
}

/** Whether a chunk may contain the text exactly as written. Pair terms index only text that punctuation joins. */
async function mayOccurVerbatim(text: string, lanes: readonly Lanes[]): Promise<boolean> {
  if (tokensOf(text).length < 2) return false;
  const terms = [termsInText(text)];
  const found = await Promise.all(lanes.map((each) => each.containing(terms, { limit: 1 })));
  return found.some(([chunks]) => chunks !== undefined && chunks.length > 0);
}

function replaced(query: Query, from: string, to: string): CorrectedName | undefined {
  const at = query.text.lastIndexOf(from);
  if (at < 0) return undefined;
  const text = query.text.slice(0, at) + to + query.text.slice(at + from.length);
  const read = parseQuery(text, () => undefined);
  return { query: { ...read, filters: query.filters }, from, to };
}

/** Corrects a path to the file whose stem differs by a typo, or whose words begin with the typed letters. */
function correctPath(query: Query, lanes: readonly Lanes[]): CorrectedName | undefined {
  const [path] = query.paths;
  const from = path?.slice(path.lastIndexOf("/") + 1) ?? "";
  const wanted = squash(stemOf(from));
  if (wanted.length < MIN_STEM_LENGTH) return undefined;
  const alike = lanes.flatMap((each) => each.pathsByStem(wanted));
  if (alike.some((each) => stemOf(each) === stemOf(from))) return undefined;
  const extension = from.slice(stemOf(from).length);
  const names = lanes.flatMap((lane) =>
    [...lane.stems()]
      .filter((found) => gradeStem(wanted, found) > 0)
      .flatMap((found) => lane.pathsByStem(found))
      .map((found) => baseNameOf(found)),
  );
  const grades = new Map(
    names.map((name) => {
      const isOfKind = name.endsWith(extension);
      return [name, gradeStem(wanted, squash(stemOf(name))) + (isOfKind ? SAME_EXTENSION : 0)];
    }),
  );
  const [best] = [...grades].toSorted(([a, first], [b, second]) =>
    first === second ? (a < b ? -1 : 1) : second - first,
  );
  return best === undefined ? undefined : replaced(query, from, best[0]);
}

/** The grade of a stem, 0..1: a typo is closer than a partial name. */
function gradeStem(wanted: string, found: string): number {
  const edits = editsBetween(
    wanted,
    found,
    wanted.length < MIN_STEM_WITH_TWO_SLIPS ? 1 : MAX_TYPOS,
  );
  return edits === undefined ? 0.5 * recallOf(wanted, [found]) : 1 - edits / wanted.length;
}

/** Suffixes of inflected English words; a doubled letter is a typo. */
const INFLECTED = /(?:s|e|ed|ing)$/;

/** Whether the whole name, or another form of the word, is in the text of any chunk. */
export function isKnown({ lowerLast }: Name, lanes: Lanes): boolean {
  const nowhere = lanes.rarityOf(ABSENT_TERM);
  const forms = INFLECTED.test(lowerLast) ? [lowerLast, stem(lowerLast)] : [lowerLast];
  return forms.some((term) => lanes.rarityOf(term) < nowhere);
}

interface Alike {
  readonly hasReal: boolean;
  /** Last segments as they are defined, one for each chunk. */
  readonly near: readonly { readonly name: string; readonly grade: number }[];
}

async function namesLike(wanted: Name, lanes: Lanes, pause: YieldToForeground): Promise<Alike> {
  const alike = await namesOf(wanted, lanes, pause);
  const letters = toName(wanted.squashed);
  const isNothing = !alike.hasReal && alike.near.length === 0 && wanted.text === wanted.last;
  // A query of one name may be a partial name in any spelling.
  return isNothing && letters.text !== wanted.text ? await namesOf(letters, lanes, pause) : alike;
}

async function namesOf(wanted: Name, lanes: Lanes, pause: YieldToForeground): Promise<Alike> {
  const candidates = await lanes.symbol(wanted.text, { limit: MAX_CANDIDATES, pause });
  const facts = await lanes.facts(candidates.map(({ chunk }) => chunk));
  const names = [...facts.values()].map(({ symbols }) => symbols.map(({ name }) => toName(name)));
  const hasReal = names.flat().some((name) => gradeName(wanted, name) > 0);
  const near = names.flatMap((ofChunk) => {
    const graded = ofChunk
      .map((name) => ({ name: name.last, grade: gradeUnsure(wanted, name) }))
      .filter(({ grade }) => grade > 0)
      .toSorted((a, b) => b.grade - a.grade);
    return graded.slice(0, 1);
  });
  return { hasReal, near };
}

function gradeUnsure(wanted: Name, defined: Name): number {
  return gradeTypo(wanted, defined) || gradeHalfRemembered(wanted, defined);
}
