/** Grades how well a definition's name matches a wanted name: exact, qualified suffix, prefix, words, abbreviation, typo. */

import { lastSegment } from "../../common/dotted-name.ts";
import { editsBetween, lettersOf } from "../../common/edit-distance.ts";
import { getOrCreate } from "../../common/get-or-create.ts";
import { memoize } from "../../common/memoize.ts";
import { containsInOrder } from "../../common/text.ts";
import { identifierPartsOf } from "../../common/words.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import { humpsShare, initialsOf, startsOf } from "./humps.ts";
import { recallOf } from "./partial-names.ts";

/** Grades of a match, 0 to 1. Only their order matters. */
export const GRADES = {
  /** `UserService.get_user` for the same qualified name. */
  qualified: 1,
  /** `UserService.get_user` for `get_user`, and `app.UserService.get_user` for `UserService.get_user`. */
  lastSegments: 0.95,
  /** The two above without regard to case. */
  otherCase: 0.85,
  /** `getUser` for `get_user`, `$ZodType` for `ZodType`. */
  otherSpelling: 0.8,
  /** `get_user_by_id` for `get_user`; scaled by the share of the name that was typed. */
  prefix: 0.7,
  /** `get_user` for `get_usre`, if no name is spelled like that; less with each edit. */
  typo: 0.6,
  /** `get_user_by_id` for `getusbyid`, if no name is within the edit distance; scaled by the share that was typed. */
  halfRemembered: 0.4,
  /** `SeriesMetadataService` for `SMS`, `SQLException` for `SQLE`; scaled by how much of it the letters abbreviate. */
  initials: 0.68,
  /** The same for `SeMeSe`, which may also be the beginning of a name. */
  humps: 0.52,
  /** The same for `sms`, which may also be a word. */
  lowerHumps: 0.45,
  /** `fetchUser` for `user fetch`; scaled by the share of the words on both sides. */
  words: 0.5,
} as const;

/**
 * Penalty for each scope that the wanted name lacks: `Schema` means `Ecto.Schema` rather than `Ecto.Repo.Schema`. Five
 * penalties are less than the loss for another letter case.
 */
const DEEPER = 0.015;
const MAX_EXTRA_SCOPES = 5;

/**
 * From this grade on a definition has the name as it was written, with its scopes or the last of them: the grade with the most
 * penalties. It is above the grade for another letter case, whose text may not contain the name.
 */
export const SAME_NAME: number = GRADES.lastSegments - DEEPER * MAX_EXTRA_SCOPES;

/** Shorter words are within one edit of each other. */
const MIN_LENGTH_WITH_TYPO = 5;
const MIN_LENGTH_WITH_TWO_TYPOS = 9;
/** Maximum edit distance of typo tolerance. */
export const MAX_TYPOS = 2;

/** A name normalized for comparison, with `.` between its scopes. */
export interface Name {
  readonly text: string;
  readonly lower: string;
  readonly last: string;
  readonly lowerLast: string;
  /** The whole name in lower case without separators. */
  readonly squashed: string;
  readonly parts: readonly string[];
}

/** Normalizes scope separators (`a::b`, `a->b`, `a#b`, `a\b` and `a > b` in headings become `a.b`) and Unicode (NFC). */
export function toName(text: string): Name {
  const joined = joinedOf(text);
  const lower = joined.toLowerCase();
  const last = lastSegment(joined);
  return {
    text: joined,
    lower,
    last,
    lowerLast: last.toLowerCase(),
    squashed: lower.replaceAll(/[_$-]+/g, ""),
    parts: identifierPartsOf(last),
  };
}

/** The last part of a name, as `toName` gives it. */
export function lastPartOf(text: string): string {
  return lastSegment(joinedOf(text));
}

function joinedOf(text: string): string {
  const composed = text.normalize("NFC");
  const joined = MAY_BE_SEPARATED.test(composed)
    ? composed.replaceAll(/::|->| > |[#\\/]/g, ".")
    : composed;
  // Most names have no such edges; to look for them with the expression took a fortieth of a search.
  const hasEdge = joined.startsWith(".") || EDGES.has(joined.charAt(joined.length - 1));
  return hasEdge ? joined.replaceAll(/^\.+|\.+$|\(\)$|(?<=^[^:]{1,300}):$/g, "") : joined;
}

/** The first character of a separator, or its last one. */
const MAY_BE_SEPARATED = /[:>#\\/]/;
/** The last characters of names with such an edge at the end. */
const EDGES: ReadonlySet<string> = new Set([".", ")", ":"]);

/** Cached names of definitions; about 4 MB when full. */
const REMEMBERED_NAMES = 10_000;

/** `toName` with a cache, for names of definitions. */
export const toKnownName = memoize(toName, REMEMBERED_NAMES);

/** The grade of `defined` for `wanted`; zero for no match. */
export function gradeName(wanted: Name, defined: Name): number {
  return gradeExact(wanted, defined) || gradeSimilar(wanted, defined);
}

/** The same for grades from EXACT_GRADE on; zero for a lower one. */
function gradeExact(wanted: Name, defined: Name): number {
  if (defined.text === wanted.text) return GRADES.qualified;
  if (endsAtSegment(defined.text, wanted.text)) {
    const deeper = scopesOf(defined) - scopesOf(wanted) - 1;
    return GRADES.lastSegments - DEEPER * Math.min(deeper, MAX_EXTRA_SCOPES);
  }
  if (defined.lower === wanted.lower || endsAtSegment(defined.lower, wanted.lower)) {
    return GRADES.otherCase;
  }
  const isSpelledOtherwise = wanted.squashed !== "" && defined.squashed === wanted.squashed;
  return isSpelledOtherwise ? GRADES.otherSpelling : 0;
}

/** The lower grades. They compare the last segment; a wanted scope must match exactly. */
function gradeSimilar(wanted: Name, defined: Name): number {
  if (wanted.last !== wanted.text && !hasScope(defined, wanted)) return 0;
  if (wanted.lowerLast.length >= 2 && defined.lowerLast.startsWith(wanted.lowerLast)) {
    const start = gradeStart(wanted, defined.lowerLast.length);
    return mayAbbreviateWhatItBegins(wanted) ? Math.max(start, gradeHumps(wanted, defined)) : start;
  }
  return Math.max(GRADES.words * overlap(wanted.parts, defined.parts), gradeHumps(wanted, defined));
}

/**
 * The grade of a name for an abbreviation of its words. Each capital of the abbreviation begins a word or is a capital of
 * the name; in lower case, each letter may.
 */
function gradeHumps(wanted: Name, { parts, last }: Pick<Name, "parts" | "last">): number {
  const grade = humpsGrader(wanted)?.(parts, () => last) ?? 0;
  if (grade === 0) return 0;
  const starts = lettersOf(startsOf(last, parts));
  return (lettersOf(sureStartsOf(wanted)) & ~starts) === 0 ? grade : 0;
}

/**
 * The same for many names that have the sure starts: the function takes the words of a name, and its last segment as it
 * is spelled. Undefined if the wanted name abbreviates none.
 */
export function humpsGrader(
  wanted: Name,
): ((words: readonly string[], last: () => string) => number) | undefined {
  const { text, last, lowerLast } = wanted;
  if (text !== last || !isAbbreviation(last)) return undefined;
  if (last === lowerLast) return (words) => GRADES.lowerHumps * humpsShare(lowerLast, words);
  if (/\p{Ll}/u.test(last)) return (words) => GRADES.humps * humpsShare(lowerLast, words);
  return (words, defined) => {
    const share = humpsShare(lowerLast, words);
    if (share === 0) return 0;
    const isOfInitials = containsInOrder(initialsOf(defined(), words), lowerLast);
    return share * (isOfInitials ? GRADES.initials : GRADES.humps);
  };
}

/**
 * Whether a name that begins with the wanted one may be abbreviated by it better than it is begun: `RePl` for
 * `ReplicaPlacer`. A single capital begins a name and nothing else.
 */
export function mayAbbreviateWhatItBegins({ last }: Name): boolean {
  return /\p{Lu}.*\p{Lu}/u.test(last);
}

/** Whether a text can abbreviate a name: letters and digits only. */
function isAbbreviation(text: string): boolean {
  return /^[\p{L}\p{N}]+$/u.test(text);
}

/** The letters of an abbreviation that must begin words, in lower case. */
export function sureStartsOf({ last, lowerLast }: Name): string {
  const capitals = last.replaceAll(/\P{Lu}/gu, "").toLowerCase();
  return capitals === "" ? lowerLast : capitals;
}

/** The prefix grade, by the length of the last segment. */
export function gradeStart({ lowerLast }: Name, length: number): number {
  return GRADES.prefix * Math.sqrt(lowerLast.length / length);
}

/** From this grade on a definition has the wanted name, and is not only similar. */
export const EXACT_GRADE: number = GRADES.otherSpelling;

/** The best-graded definition of a chunk; the first one on a tie. */
export function bestSymbol(symbols: readonly CodeSymbol[], wanted: Name): GradedSymbol | undefined {
  return bestBy(gradeName, symbols, wanted);
}

/** The same among the definitions that have the wanted name. */
export function exactSymbol(
  symbols: readonly CodeSymbol[],
  wanted: Name,
): GradedSymbol | undefined {
  return bestBy(gradeExact, symbols, wanted);
}

interface GradedSymbol {
  readonly symbol: CodeSymbol;
  readonly grade: number;
}

function bestBy(
  gradeOf: (wanted: Name, defined: Name) => number,
  symbols: readonly CodeSymbol[],
  wanted: Name,
): GradedSymbol | undefined {
  if (symbols.length === 0) return undefined;
  let best: GradedSymbol | undefined;
  const names = namesOf(symbols);
  for (let i = 0; i < names.length; i++) {
    const grade = gradeOf(wanted, names[i] as Name);
    if (grade > (best?.grade ?? 0)) best = { symbol: symbols[i] as CodeSymbol, grade };
  }
  return best;
}

/** Names by symbol list, which lanes reuse: looking each name up by its text took a twentieth of a search. */
const namesOfLists = new WeakMap<readonly CodeSymbol[], readonly Name[]>();

function namesOf(symbols: readonly CodeSymbol[]): readonly Name[] {
  return getOrCreate(namesOfLists, symbols, () => symbols.map(({ name }) => toKnownName(name)));
}

function scopesOf({ text }: Name): number {
  return text.split(".").length - 1;
}

/** The grade of a name for a misspelled one, by edit distance; zero for no match. */
export function gradeTypo(wanted: Name, defined: Pick<Name, "lowerLast">): number {
  const { length } = wanted.lowerLast;
  if (length < MIN_LENGTH_WITH_TYPO) return 0;
  const most = length < MIN_LENGTH_WITH_TWO_TYPOS ? 1 : MAX_TYPOS;
  const edits = editsBetween(wanted.lowerLast, defined.lowerLast, most);
  return edits === undefined ? 0 : GRADES.typo * (1 - edits / length);
}

/** Whether a wanted name may be half remembered: lower-case letters only. Capitals or underscores mean the exact spelling. */
export function isOfSmallLetters(wanted: Name): boolean {
  return wanted.text === squashLast(wanted);
}

/** The grade of a name for a partial name (partial-names.ts); zero for no match. */
export function gradeHalfRemembered(wanted: Name, defined: Pick<Name, "parts">): number {
  if (!isOfSmallLetters(wanted)) return 0;
  return GRADES.halfRemembered * recallOf(squashLast(wanted), defined.parts);
}

function endsAtSegment(name: string, ending: string): boolean {
  return ending !== "" && name.endsWith(ending) && name[name.length - ending.length - 1] === ".";
}

function hasScope(defined: Name, wanted: Name): boolean {
  const scope = wanted.lower.slice(0, -wanted.last.length - 1);
  const definedScope = defined.lower.slice(0, -defined.last.length - 1);
  return definedScope === scope || definedScope.endsWith(`.${scope}`);
}

/** The share of common words; zero unless all wanted words are present. */
function overlap(wanted: readonly string[], defined: readonly string[]): number {
  if (wanted.length === 0 || !wanted.every((part) => defined.includes(part))) return 0;
  return Math.min(1, wanted.length / defined.length);
}

/** The last segment without separators; empty if it has nothing else. */
export function squashLast({ lowerLast }: Pick<Name, "lowerLast">): string {
  return lowerLast.replaceAll(/[_$-]+/g, "");
}
