/** How well the name of a definition answers one that was asked for: exact, by suffix, by prefix, by words, mistyped. */

import { editsBetween, lettersOf } from "../../common/edit-distance.ts";
import { memoize } from "../../common/memoize.ts";
import { partsOf } from "../../common/words.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import { recallOf } from "./half-remembered.ts";
import { humpsShare, startsOf } from "./humps.ts";

/** How well a definition's name answers a name that was asked for, 0 to 1. The steps only have to be in this order. */
export const GRADES = {
  /** `UserService.get_user` for the same. */
  qualified: 1,
  /** `UserService.get_user` for `get_user`, and `app.UserService.get_user` for `UserService.get_user`. */
  lastSegments: 0.95,
  /** The two above without regard to case. */
  otherCase: 0.85,
  /** `getUser` for `get_user`, `$ZodType` for `ZodType`. */
  otherSpelling: 0.8,
  /** `get_user_by_id` for `get_user`; scaled by the share of the name that was typed. */
  prefix: 0.7,
  /** `get_user` for `get_usre`, where nothing is spelt like that; less with each slip. */
  typo: 0.6,
  /** `get_user_by_id` for `getusbyid`, where nothing is spelt nearly so; scaled by how much of it was remembered. */
  halfRemembered: 0.4,
  /** `SeriesMetadataService` for `SMS`; scaled by how much of it the letters abbreviate. */
  initials: 0.68,
  /** The same for `SeMeSe`, which may also be the beginning of a name. */
  humps: 0.52,
  /** The same for `sms`, which may also be a word. */
  lowerHumps: 0.45,
  /** `fetchUser` for `user fetch`; scaled by the share of the words on both sides. */
  words: 0.5,
} as const;

/**
 * Lost with each scope more than was asked for: who asks for `Schema` means `Ecto.Schema` before `Ecto.Repo.Schema`.
 * Five of them are still better than a name in another case.
 */
const DEEPER = 0.015;
const MAX_EXTRA_SCOPES = 5;

/** Shorter words differ from each other by less than a slip. */
const MIN_LENGTH_WITH_TYPO = 5;
const MIN_LENGTH_WITH_TWO_TYPOS = 9;
/** A name with more of them is another name. */
export const MAX_TYPOS = 2;

/** A name as it is compared: scopes are separated in many ways, but mean the same. */
export interface Name {
  readonly text: string;
  readonly lower: string;
  readonly last: string;
  readonly lowerLast: string;
  /** The whole in lower case without what only joins words. */
  readonly squashed: string;
  readonly parts: readonly string[];
}

/** `a::b`, `a->b`, `a#b`, `a\b`, `a > b` (headings) and `a.b` are one way of writing; so are an accent and its letter apart. */
export function toName(text: string): Name {
  const joined = joinedOf(text);
  const last = lastOf(joined);
  return {
    text: joined,
    lower: joined.toLowerCase(),
    last,
    lowerLast: last.toLowerCase(),
    squashed: joined.toLowerCase().replaceAll(/[_$-]+/g, ""),
    parts: partsOf(last),
  };
}

/** The last part of a name, as `toName` gives it. */
export function lastPartOf(text: string): string {
  return lastOf(joinedOf(text));
}

function joinedOf(text: string): string {
  const composed = text.normalize("NFC");
  return composed
    .replaceAll(/::|->| > |[#\\/]/g, ".")
    .replaceAll(/^\.+|\.+$|\(\)$|(?<=^[^:]{1,300}):$/g, "");
}

function lastOf(joined: string): string {
  return joined.slice(joined.lastIndexOf(".") + 1);
}

/** The names of the definitions that are looked at while a list is ranked; about 4 MB when full. */
const REMEMBERED_NAMES = 10_000;

/** The same as `toName`, for a definition that the next search is likely to look at again. */
export const toKnownName = memoize(toName, REMEMBERED_NAMES);

/** How well `defined` answers `wanted`; zero when it does not. */
export function gradeName(wanted: Name, defined: Name): number {
  if (defined.text === wanted.text) return GRADES.qualified;
  if (endsAtSegment(defined.text, wanted.text)) {
    const deeper = scopesOf(defined) - scopesOf(wanted) - 1;
    return GRADES.lastSegments - DEEPER * Math.min(deeper, MAX_EXTRA_SCOPES);
  }
  if (defined.lower === wanted.lower || endsAtSegment(defined.lower, wanted.lower)) {
    return GRADES.otherCase;
  }
  if (wanted.squashed !== "" && defined.squashed === wanted.squashed) return GRADES.otherSpelling;
  // What follows is about the last segment; a scope that was asked for must still be there.
  if (wanted.last !== wanted.text && !hasScope(defined, wanted)) return 0;
  if (wanted.lowerLast.length >= 2 && defined.lowerLast.startsWith(wanted.lowerLast)) {
    return gradeStart(wanted, defined.lowerLast.length);
  }
  return Math.max(GRADES.words * overlap(wanted.parts, defined.parts), gradeHumps(wanted, defined));
}

/**
 * How well a name answers its abbreviation by the beginnings of its words. The capitals of the abbreviation begin words, or
 * are capitals of the name; in small letters, all of it does.
 */
export function gradeHumps(wanted: Name, defined: Pick<Name, "parts" | "last">): number {
  if (wanted.text !== wanted.last || !isAbbreviation(wanted.last)) return 0;
  const share = humpsShare(wanted.lowerLast, defined.parts);
  if (share === 0) return 0;
  const starts = lettersOf(startsOf(defined.last, defined.parts));
  if ((lettersOf(sureStartsOf(wanted)) & ~starts) !== 0) return 0;
  if (wanted.last === wanted.lowerLast) return share * GRADES.lowerHumps;
  return share * (/\p{Ll}/u.test(wanted.last) ? GRADES.humps : GRADES.initials);
}

/** Whether a text can abbreviate a name: it has nothing but letters and digits. */
export function isAbbreviation(text: string): boolean {
  return /^[\p{L}\p{N}]+$/u.test(text);
}

/** Letters of an abbreviation with which words begin, in lower case. */
export function sureStartsOf({ last, lowerLast }: Name): string {
  const capitals = last.replaceAll(/\P{Lu}/gu, "").toLowerCase();
  return capitals === "" ? lowerLast : capitals;
}

/** Of a last segment that begins with the wanted one, by its length. */
export function gradeStart({ lowerLast }: Name, length: number): number {
  return GRADES.prefix * Math.sqrt(lowerLast.length / length);
}

/** From this grade on a definition is what was asked for, and not only something alike. */
export const EXACT_GRADE: number = GRADES.otherSpelling;

/** The definition of a chunk that answers best, with its grade; the first of equals. */
export function bestSymbol(
  symbols: readonly CodeSymbol[],
  wanted: Name,
): { symbol: CodeSymbol; grade: number } | undefined {
  let best: { symbol: CodeSymbol; grade: number } | undefined;
  const names = namesOf(symbols);
  for (const [i, symbol] of symbols.entries()) {
    const grade = gradeName(wanted, names[i] as Name);
    if (grade > (best?.grade ?? 0)) best = { symbol, grade };
  }
  return best;
}

/** By the list of a chunk, which lanes give again: to find each name by its text took a twentieth of a search (flask). */
const namesOfLists = new WeakMap<readonly CodeSymbol[], readonly Name[]>();

function namesOf(symbols: readonly CodeSymbol[]): readonly Name[] {
  let names = namesOfLists.get(symbols);
  if (names === undefined) {
    names = symbols.map(({ name }) => toKnownName(name));
    namesOfLists.set(symbols, names);
  }
  return names;
}

function scopesOf({ text }: Name): number {
  return text.split(".").length - 1;
}

/** How well a name answers one that was mistyped; zero when it does not. */
export function gradeTypo(wanted: Name, defined: Pick<Name, "lowerLast">): number {
  const { length } = wanted.lowerLast;
  if (length < MIN_LENGTH_WITH_TYPO) return 0;
  const most = length < MIN_LENGTH_WITH_TWO_TYPOS ? 1 : MAX_TYPOS;
  const edits = editsBetween(wanted.lowerLast, defined.lowerLast, most);
  return edits === undefined ? 0 : GRADES.typo * (1 - edits / length);
}

/** Whether a name may be half remembered: small letters alone. One with capitals or underscores is meant as it is written. */
export function isOfSmallLetters(wanted: Name): boolean {
  return wanted.text === squashLast(wanted);
}

/** How well a name answers one of which only parts were remembered; zero when it does not. */
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

/** The share of the words that two names have in common; all of the wanted ones must be there. */
function overlap(wanted: readonly string[], defined: readonly string[]): number {
  if (wanted.length === 0 || !wanted.every((part) => defined.includes(part))) return 0;
  return Math.min(1, wanted.length / defined.length);
}

/** Without what only joins words. Empty for a name of nothing else. */
export function squashLast({ lowerLast }: Pick<Name, "lowerLast">): string {
  return lowerLast.replaceAll(/[_$-]+/g, "");
}
