/** Finds chunks by the names of what they define: exact, by suffix, by prefix, by words. */

import { remember } from "../../common/remember.ts";
import { partsOf } from "../../common/words.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import { editsBetween, lettersOf, mayBeWithin } from "./edit-distance.ts";
import { recallOf } from "./half-remembered.ts";

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

/** `a::b`, `a->b`, `a#b`, `a\b`, `a > b` (headings) and `a.b` are one way of writing. */
export function toName(text: string): Name {
  const joined = text.replaceAll(/::|->| > |[#\\/]/g, ".").replaceAll(/^\.+|\.+$|\(\)$/g, "");
  const last = joined.slice(joined.lastIndexOf(".") + 1);
  return {
    text: joined,
    lower: joined.toLowerCase(),
    last,
    lowerLast: last.toLowerCase(),
    squashed: joined.toLowerCase().replaceAll(/[_$-]+/g, ""),
    parts: partsOf(last),
  };
}

/** The names of the definitions that are looked at while a list is ranked; about 4 MB when full. */
const REMEMBERED_NAMES = 10_000;

/** The same as `toName`, for a definition that the next search is likely to look at again. */
export const toKnownName = remember(toName, REMEMBERED_NAMES);

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
    return GRADES.prefix * Math.sqrt(wanted.lowerLast.length / defined.lowerLast.length);
  }
  return GRADES.words * overlap(wanted.parts, defined.parts);
}

/** From this grade on a definition is what was asked for, and not only something alike. */
export const EXACT_GRADE: number = GRADES.otherSpelling;

/** The definition of a chunk that answers best, with its grade; the first of equals. */
export function bestSymbol(
  symbols: readonly CodeSymbol[],
  wanted: Name,
): { symbol: CodeSymbol; grade: number } | undefined {
  let best: { symbol: CodeSymbol; grade: number } | undefined;
  for (const symbol of symbols) {
    const grade = gradeName(wanted, toKnownName(symbol.name));
    if (grade > (best?.grade ?? 0)) best = { symbol, grade };
  }
  return best;
}

function scopesOf({ text }: Name): number {
  return text.split(".").length - 1;
}

/** How well a name answers one that was mistyped; zero when it does not. */
export function gradeTypo(wanted: Name, defined: Name): number {
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
export function gradeHalfRemembered(wanted: Name, defined: Name): number {
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
function squashLast({ lowerLast }: Pick<Name, "lowerLast">): string {
  return lowerLast.replaceAll(/[_$-]+/g, "");
}

/** Names are found by so many letters of their beginning; what then remains is compared one by one. */
const START_LENGTH = 2;

/** A last segment, as it is spelled, with all names that end in it. */
interface Ending {
  readonly last: string;
  readonly lowerLast: string;
  readonly parts: readonly string[];
  /** Telling most names from a mistyped one by them takes a tenth of comparing the words. */
  readonly letters: number;
  readonly names: NameEntry[];
}

interface NameEntry {
  readonly name: Name;
  /** Of the chunks that define it; as often as they do. */
  slots: number[];
}

/** The names of all definitions of one index, by everything that `gradeName` compares. */
export class SymbolIndex {
  readonly #names = new Map<string, NameEntry>();
  readonly #endings = new Map<string, Ending>();
  /** By the last segment in lower case without separators. */
  readonly #bySpelling = new Map<string, Ending[]>();
  readonly #byStart = new Map<string, Ending[]>();
  readonly #byPart = new Map<string, Ending[]>();
  readonly #byLength = new Map<string, Ending[]>();

  add(slot: number, symbols: readonly CodeSymbol[]): void {
    for (const { name: text } of symbols) {
      const known = this.#names.get(text);
      if (known === undefined) this.#addName(text, slot);
      else known.slots.push(slot);
    }
  }

  remove(slot: number, symbols: readonly CodeSymbol[]): void {
    for (const { name: text } of symbols) {
      const entry = this.#names.get(text);
      if (entry === undefined) continue;
      drop(entry.slots, slot);
      if (entry.slots.length === 0) this.#forget(text, entry);
    }
  }

  /** Renumbers: `newSlots[old]` is the new slot. Removed slots are not in it any more. */
  compact(newSlots: Int32Array): void {
    for (const entry of this.#names.values()) {
      entry.slots = entry.slots.map((slot) => newSlots[slot] ?? -1);
    }
  }

  #addName(text: string, slot: number): void {
    const name = toName(text);
    const known = this.#endings.get(name.last);
    // The strings of the ending, so that those of the name are not stored again.
    const { last, lowerLast, parts } = known ?? name;
    const entry: NameEntry = { name: { ...name, last, lowerLast, parts }, slots: [slot] };
    this.#names.set(text, entry);
    if (known === undefined) this.#addEnding(entry);
    else known.names.push(entry);
  }

  #addEnding(entry: NameEntry): void {
    const { last, lowerLast, parts } = entry.name;
    const ending = { last, lowerLast, parts, letters: lettersOf(lowerLast), names: [entry] };
    this.#endings.set(last, ending);
    for (const [index, key] of this.#keysOf(ending)) {
      const known = index.get(key);
      // An array that begins with its first element is a third as large as one that it is pushed to.
      if (known === undefined) index.set(key, [ending]);
      else known.push(ending);
    }
  }

  #forget(text: string, entry: NameEntry): void {
    this.#names.delete(text);
    const ending = this.#endings.get(entry.name.last);
    if (ending === undefined) return;
    drop(ending.names, entry);
    if (ending.names.length > 0) return;
    this.#endings.delete(ending.last);
    for (const [index, key] of this.#keysOf(ending)) {
      const known = index.get(key);
      if (known === undefined) continue;
      drop(known, ending);
      if (known.length === 0) index.delete(key);
    }
  }

  /** Where an ending is found, and as what. */
  #keysOf(ending: Ending): [Map<string, Ending[]>, string][] {
    const { lowerLast, parts } = ending;
    return [
      [this.#bySpelling, squashLast(ending)],
      [this.#byStart, lowerLast.slice(0, START_LENGTH)],
      [this.#byLength, String(lowerLast.length)],
      ...parts.map((part): [Map<string, Ending[]>, string] => [this.#byPart, part]),
    ];
  }

  /** The slots of the chunks that define something with this last segment. */
  slotsOf(wanted: string): number[] {
    const name = toName(wanted);
    const alike = this.#bySpelling.get(squashLast(name)) ?? [];
    const isOnlyJoints = squashLast(name) === "";
    const endings = alike.filter(({ lowerLast }) => !isOnlyJoints || lowerLast === name.lowerLast);
    const entries = endings.flatMap(({ names }) => names);
    return [...new Set(entries.flatMap(({ slots }) => slots))];
  }

  /**
   * The best grade of each chunk that defines something like `wanted`; where nothing begins like it, of what is spelled
   * nearly so. Only names that may have a grade are looked at.
   */
  find(wanted: Name): Map<number, number> {
    const grades = new Map<number, number>();
    for (const ending of this.#mayAnswer(wanted)) {
      for (const { name, slots } of ending.names) raise(grades, slots, gradeName(wanted, name));
    }
    let best = 0;
    for (const grade of grades.values()) best = Math.max(best, grade);
    if (best > GRADES.words) return grades;
    for (const ending of this.#mayBeMistyped(wanted)) {
      // A slip is one of the last segment, which all of these have in common.
      const [first] = ending.names;
      const grade = first === undefined ? 0 : gradeTypo(wanted, first.name);
      for (const { slots } of ending.names) raise(grades, slots, grade);
    }
    if (grades.size > 0 || !isOfSmallLetters(wanted)) return grades;
    for (const ending of this.#mayBeHalfRemembered(wanted)) {
      const [first] = ending.names;
      const grade = first === undefined ? 0 : gradeHalfRemembered(wanted, first.name);
      for (const { slots } of ending.names) raise(grades, slots, grade);
    }
    return grades;
  }

  /** Everything to which `gradeHalfRemembered` may give a grade: it has all of the letters. */
  *#mayBeHalfRemembered(wanted: Name): Iterable<Ending> {
    const letters = lettersOf(squashLast(wanted));
    for (const ending of this.#endings.values()) {
      if ((letters & ~ending.letters) === 0) yield ending;
    }
  }

  /** Everything to which `gradeName` may give a grade. */
  #mayAnswer(wanted: Name): Iterable<Ending> {
    const { lowerLast, parts } = wanted;
    const spelling = squashLast(wanted);
    // Such a name has neither words nor a spelling by which it could be found; it is as good as never asked for.
    if (spelling === "") return this.#endings.values();
    const found = new Set(this.#bySpelling.get(spelling));
    if (lowerLast.length >= START_LENGTH) {
      for (const ending of this.#byStart.get(lowerLast.slice(0, START_LENGTH)) ?? []) {
        if (ending.lowerLast.startsWith(lowerLast)) found.add(ending);
      }
    }
    for (const ending of this.#withParts(parts)) found.add(ending);
    return found;
  }

  /** Those that have all of these words: of the rarest one's, since all must be there. */
  #withParts(parts: readonly string[]): Iterable<Ending> {
    let rarest: readonly Ending[] | undefined;
    for (const part of parts) {
      const having = this.#byPart.get(part);
      if (having === undefined) return [];
      if (rarest === undefined || having.length < rarest.length) rarest = having;
    }
    return rarest ?? [];
  }

  /** Everything to which `gradeTypo` may give a grade. */
  *#mayBeMistyped({ lowerLast }: Name): Iterable<Ending> {
    const letters = lettersOf(lowerLast);
    for (let by = -MAX_TYPOS; by <= MAX_TYPOS; by++) {
      for (const ending of this.#byLength.get(String(lowerLast.length + by)) ?? []) {
        if (mayBeWithin(letters, ending.letters, MAX_TYPOS)) yield ending;
      }
    }
  }
}

/** In any order, so that the rest need not move. */
function drop<T>(list: T[], one: T): void {
  const at = list.indexOf(one);
  const last = list.pop();
  if (at >= 0 && at < list.length && last !== undefined) list[at] = last;
  else if (at < 0 && last !== undefined) list.push(last);
}

function raise(grades: Map<number, number>, slots: readonly number[], grade: number): void {
  if (grade === 0) return;
  for (const slot of slots) if (grade > (grades.get(slot) ?? 0)) grades.set(slot, grade);
}
