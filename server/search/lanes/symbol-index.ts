/** Finds chunks by the names of what they define: exact, by suffix, by prefix, by words. */

import { partsOf } from "../../common/words.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import { editsBetween, lettersOf, mayBeWithin } from "./edit-distance.ts";

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
    const grade = gradeName(wanted, toName(symbol.name));
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

function squashLast({ lowerLast }: Name): string {
  return lowerLast.replaceAll(/[_$-]+/g, "") || lowerLast;
}

interface NameEntry {
  readonly name: Name;
  /** Of its last segment: telling most names from a mistyped one by them takes a tenth of comparing the words. */
  readonly letters: number;
  /** Slots of the chunks that define it, with how often. */
  readonly slots: Map<number, number>;
}

/** The names of all definitions of one index. */
export class SymbolIndex {
  readonly #names = new Map<string, NameEntry>();
  /** By the last segment in lower case without separators. */
  readonly #byLast = new Map<string, Set<NameEntry>>();

  add(slot: number, symbols: readonly CodeSymbol[]): void {
    for (const { name: text } of symbols) {
      let entry = this.#names.get(text);
      if (entry === undefined) {
        const name = toName(text);
        entry = { name, letters: lettersOf(name.lowerLast), slots: new Map() };
        this.#names.set(text, entry);
        const last = squashLast(name);
        this.#byLast.set(last, (this.#byLast.get(last) ?? new Set()).add(entry));
      }
      entry.slots.set(slot, (entry.slots.get(slot) ?? 0) + 1);
    }
  }

  remove(slot: number, symbols: readonly CodeSymbol[]): void {
    for (const { name: text } of symbols) {
      const entry = this.#names.get(text);
      if (entry === undefined) continue;
      entry.slots.delete(slot);
      if (entry.slots.size === 0) this.#forget(text, entry);
    }
  }

  #forget(text: string, entry: NameEntry): void {
    this.#names.delete(text);
    const last = squashLast(entry.name);
    const alike = this.#byLast.get(last);
    alike?.delete(entry);
    if (alike?.size === 0) this.#byLast.delete(last);
  }

  /** The slots of the chunks that define something with this last segment; without looking at every name. */
  slotsOf(wanted: string): number[] {
    const entries = this.#byLast.get(squashLast(toName(wanted))) ?? [];
    return [...new Set([...entries].flatMap(({ slots }) => [...slots.keys()]))];
  }

  /**
   * The best grade of each chunk that defines something like `wanted`; where nothing begins like it, of what is spelt
   * nearly so. Looks at every name: 50 thousand take some milliseconds.
   */
  find(wanted: Name): Map<number, number> {
    const grades = this.#gradesBy(({ name }) => gradeName(wanted, name));
    let best = 0;
    for (const grade of grades.values()) best = Math.max(best, grade);
    if (best > GRADES.words) return grades;
    const letters = lettersOf(wanted.lowerLast);
    return this.#gradesBy(
      (entry) =>
        mayBeWithin(letters, entry.letters, MAX_TYPOS) ? gradeTypo(wanted, entry.name) : 0,
      grades,
    );
  }

  #gradesBy(
    gradeOf: (entry: NameEntry) => number,
    grades = new Map<number, number>(),
  ): typeof grades {
    for (const entry of this.#names.values()) {
      const grade = gradeOf(entry);
      if (grade === 0) continue;
      for (const slot of entry.slots.keys()) {
        if (grade > (grades.get(slot) ?? 0)) grades.set(slot, grade);
      }
    }
    return grades;
  }
}
