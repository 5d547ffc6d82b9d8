/** Finds chunks by the names of what they define: exact, by suffix, by prefix, by words. */

import { editsBetween, lettersOf, mayBeWithin } from "../../common/edit-distance.ts";
import { IntLists } from "../../common/packed/int-lists.ts";
import {
  checkBounds,
  DamagedArrays,
  grown,
  type PackedArrays,
  packParts,
  partOf,
  takeArray,
} from "../../common/packed/packed-arrays.ts";
import { StringLists } from "../../common/packed/string-lists.ts";
import { StringTable } from "../../common/packed/string-table.ts";
import { remember } from "../../common/remember.ts";
import { partsOf } from "../../common/words.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
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
  return composed.replaceAll(/::|->| > |[#\\/]/g, ".").replaceAll(/^\.+|\.+$|\(\)$/g, "");
}

function lastOf(joined: string): string {
  return joined.slice(joined.lastIndexOf(".") + 1);
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
    return gradeStart(wanted, defined.lowerLast);
  }
  return GRADES.words * overlap(wanted.parts, defined.parts);
}

/** Of a last segment that begins with the wanted one. */
function gradeStart({ lowerLast }: Name, longer: string): number {
  return GRADES.prefix * Math.sqrt(lowerLast.length / longer.length);
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
function squashLast({ lowerLast }: Pick<Name, "lowerLast">): string {
  return lowerLast.replaceAll(/[_$-]+/g, "");
}

/** Names are found by this many letters of their beginning; what then remains is compared one by one. */
const START_LENGTH = 2;

/**
 * The names of all definitions of one index, by everything that `gradeName` compares. Names are numbered, and so are
 * their endings: last segments as they are spelled. Names that nothing defines any more stay, with no slots.
 */
export class SymbolIndex {
  /** The slots of the chunks that define a name; as often as they do. */
  #names = new StringLists();
  /** The names that end in a last segment. */
  #endings = new StringLists();
  /** Last segments in lower case, and which one each ending has. */
  #lowers = new StringTable();
  #lowerOf = new Int32Array(8);
  /** Telling most names from a mistyped one by the letters of the ending takes a tenth of comparing the words. */
  #letters = new Int32Array(8);
  /** The words of an ending, in order. */
  #words = new IntLists();
  /** Endings by a word of theirs. */
  #byWord = new StringLists();
  /** Endings by themselves in lower case without separators. */
  #bySpelling = new StringLists();
  #byStart = new StringLists();
  #byLength = new IntLists();

  /** What `pack` gave, for this many slots, in steps; throws DamagedArrays where it cannot be that. */
  static *unpack(arrays: PackedArrays, slots: number): Generator<void, SymbolIndex> {
    const index = new SymbolIndex();
    const listsOf = (part: string, end: number) => StringLists.unpack(partOf(arrays, part), end);
    index.#names = listsOf("names", slots);
    yield;
    index.#endings = listsOf("endings", index.#names.keys.size);
    yield;
    const { size } = index.#endings.keys;
    index.#lowers = StringTable.unpack(partOf(arrays, "lowers"));
    index.#lowerOf = takeArray(arrays, "lowerOf", Int32Array, size);
    checkBounds("lowerOf", index.#lowerOf, 0, index.#lowers.size);
    index.#letters = takeArray(arrays, "letters", Int32Array, size);
    yield;
    index.#byWord = listsOf("byWord", size);
    yield;
    index.#words = IntLists.unpack(partOf(arrays, "words"), index.#byWord.keys.size);
    index.#bySpelling = listsOf("bySpelling", size);
    yield;
    index.#byStart = listsOf("byStart", size);
    yield;
    index.#byLength = IntLists.unpack(partOf(arrays, "byLength"), size);
    if (index.#words.size > size) throw new DamagedArrays("an ending is missing");
    return index;
  }

  /** As long as nothing changes. */
  *pack(): Generator<void, PackedArrays> {
    const { size } = this.#endings.keys;
    const parts = packParts({
      names: yield* this.#names.pack(),
      endings: yield* this.#endings.pack(),
      lowers: this.#lowers.pack(),
      byWord: yield* this.#byWord.pack(),
      words: yield* this.#words.pack(),
      bySpelling: yield* this.#bySpelling.pack(),
      byStart: yield* this.#byStart.pack(),
      byLength: yield* this.#byLength.pack(),
    });
    parts.set("lowerOf", this.#lowerOf.subarray(0, size));
    parts.set("letters", this.#letters.subarray(0, size));
    return parts;
  }

  /** Gives back unused room, in steps; nothing may change meanwhile. */
  *trim(): Generator<void, void> {
    const keyed = [this.#names, this.#endings, this.#byWord, this.#bySpelling, this.#byStart];
    for (const { lists } of keyed) yield* lists.trim();
    yield* this.#words.trim();
    yield* this.#byLength.trim();
  }

  add(slot: number, symbols: readonly Pick<CodeSymbol, "name">[]): void {
    for (const { name: text } of symbols) {
      const isNew = this.#names.keys.find(text) < 0;
      this.#names.add(text, slot);
      if (isNew) this.#addName(text);
    }
  }

  remove(slot: number, symbols: readonly Pick<CodeSymbol, "name">[]): void {
    for (const { name } of symbols) this.#names.remove(name, slot);
  }

  /** The slots of each name, renumbered in steps: `newSlots[old]` is the new slot. Removed slots are not in it any more. */
  renumbered(newSlots: Int32Array): Generator<void, IntLists> {
    return this.#names.lists.mapped((slot) => newSlots[slot] ?? -1);
  }

  /** Takes over what `renumbered` made; nothing may have changed since that began. */
  compact(names: IntLists): void {
    this.#names = new StringLists(this.#names.keys, names);
  }

  #addName(text: string): void {
    const { last, lowerLast, parts } = toName(text);
    const isNew = this.#endings.keys.find(last) < 0;
    this.#endings.add(last, this.#names.keys.find(text));
    if (!isNew) return;
    const ending = this.#endings.keys.find(last);
    if (ending >= this.#lowerOf.length) {
      this.#lowerOf = grown(this.#lowerOf, ending + 1);
      this.#letters = grown(this.#letters, ending + 1);
    }
    this.#lowerOf[ending] = this.#lowers.intern(lowerLast);
    this.#letters[ending] = lettersOf(lowerLast);
    for (const part of parts) {
      this.#byWord.add(part, ending);
      this.#words.push(ending, this.#byWord.keys.find(part));
    }
    this.#bySpelling.add(squashLast({ lowerLast }), ending);
    this.#byStart.add(lowerLast.slice(0, START_LENGTH), ending);
    this.#byLength.push(lowerLast.length, ending);
  }

  /** The slots of the chunks that define something with this last segment. */
  slotsOf(wanted: string): number[] {
    const name = toName(wanted);
    const spelling = squashLast(name);
    const slots = new Set<number>();
    for (const ending of this.#bySpelling.get(spelling)) {
      // What is only joints is compared as it is.
      if (spelling === "" && this.#lowerLast(ending) !== name.lowerLast) continue;
      for (const each of this.#endings.lists.of(ending)) {
        for (const slot of this.#names.lists.of(each)) slots.add(slot);
      }
    }
    return [...slots];
  }

  /**
   * The best grade of each chunk that defines something like `wanted`; where nothing begins like it, of what is spelled
   * nearly so. Only names that may have a grade are looked at.
   */
  find(wanted: Name): Map<number, number> {
    const grades = new Map<number, number>();
    const spelledLike = this.#spelledLike(wanted);
    for (const ending of spelledLike) {
      for (const name of this.#endings.lists.of(ending)) this.#grade(grades, name, wanted);
    }
    const longer = this.#longer(wanted, spelledLike);
    for (const ending of longer) {
      this.#gradeEnding(grades, ending, wanted, gradeStart(wanted, this.#lowerLast(ending)));
    }
    for (const ending of this.#withWords(wanted.parts)) {
      if (spelledLike.has(ending) || longer.has(ending)) continue;
      const share = Math.min(1, wanted.parts.length / this.#words.count(ending));
      this.#gradeEnding(grades, ending, wanted, GRADES.words * share);
    }
    let best = 0;
    for (const grade of grades.values()) best = Math.max(best, grade);
    if (best > GRADES.words) return grades;
    for (const ending of this.#mayBeMistyped(wanted)) {
      // A slip is one of the last segment, which all of these have in common.
      const grade = gradeTypo(wanted, { lowerLast: this.#lowerLast(ending) });
      if (grade === 0) continue;
      for (const name of this.#endings.lists.of(ending)) this.#raise(grades, name, grade);
    }
    if (grades.size > 0 || !isOfSmallLetters(wanted)) return grades;
    for (const ending of this.#mayBeHalfRemembered(wanted)) {
      const parts = Array.from(this.#words.of(ending), (word) => this.#byWord.keys.text(word));
      const grade = gradeHalfRemembered(wanted, { parts });
      for (const name of this.#endings.lists.of(ending)) this.#raise(grades, name, grade);
    }
    return grades;
  }

  #lowerLast(ending: number): string {
    return this.#lowers.text(this.#lowerOf[ending] as number);
  }

  #grade(grades: Map<number, number>, name: number, wanted: Name): void {
    if (this.#names.lists.count(name) === 0) return;
    this.#raise(grades, name, gradeName(wanted, toKnownName(this.#names.keys.text(name))));
  }

  #raise(grades: Map<number, number>, name: number, grade: number): void {
    if (grade === 0) return;
    for (const slot of this.#names.lists.of(name)) {
      if (grade > (grades.get(slot) ?? 0)) grades.set(slot, grade);
    }
  }

  /** Everything that is spelled like it. */
  #spelledLike(wanted: Name): ReadonlySet<number> {
    const spelling = squashLast(wanted);
    // Such a name has neither words nor a spelling by which it could be found; it is as good as never asked for.
    if (spelling === "")
      return new Set(Array.from({ length: this.#endings.keys.size }, (_, i) => i));
    return new Set(this.#bySpelling.get(spelling));
  }

  /** Everything else that begins like it. */
  #longer({ lowerLast }: Name, spelledLike: ReadonlySet<number>): ReadonlySet<number> {
    const found = new Set<number>();
    if (lowerLast.length < START_LENGTH) return found;
    for (const ending of this.#byStart.get(lowerLast.slice(0, START_LENGTH))) {
      const begins = this.#lowers.startsWith(this.#lowerOf[ending] as number, lowerLast);
      if (begins && !spelledLike.has(ending)) found.add(ending);
    }
    return found;
  }

  /** Those that have all of these words: of the rarest one's, since all must be there. */
  *#withWords(parts: readonly string[]): Iterable<number> {
    const { keys, lists } = this.#byWord;
    const words = parts.map((part) => keys.find(part));
    if (words.length === 0 || words.includes(-1)) return;
    let rarest = words[0] as number;
    for (const word of words) if (lists.count(word) < lists.count(rarest)) rarest = word;
    for (const ending of lists.of(rarest)) {
      const own = this.#words.of(ending);
      if (words.every((word) => own.includes(word))) yield ending;
    }
  }

  /**
   * Of an ending that is longer than what was asked for, or alike by its words: as `gradeName` would, without a look at
   * each name. All tests of a project begin with `test`.
   */
  #gradeEnding(grades: Map<number, number>, ending: number, wanted: Name, grade: number): void {
    const isPlain = wanted.last === wanted.text;
    for (const name of this.#endings.lists.of(ending)) {
      // A scope that was asked for must be there.
      if (isPlain) this.#raise(grades, name, grade);
      else this.#grade(grades, name, wanted);
    }
  }

  /** Everything to which `gradeTypo` may give a grade. */
  *#mayBeMistyped({ lowerLast }: Name): Iterable<number> {
    const letters = lettersOf(lowerLast);
    for (let by = -MAX_TYPOS; by <= MAX_TYPOS; by++) {
      for (const ending of this.#byLength.of(lowerLast.length + by)) {
        if (mayBeWithin(letters, this.#letters[ending] as number, MAX_TYPOS, by)) yield ending;
      }
    }
  }

  /** Everything to which `gradeHalfRemembered` may give a grade: it has all of the letters in their order, and begins alike. */
  *#mayBeHalfRemembered(wanted: Name): Iterable<number> {
    const spelling = squashLast(wanted);
    const letters = lettersOf(spelling);
    const first = spelling.slice(0, 1);
    for (let ending = 0; ending < this.#endings.keys.size; ending++) {
      if ((letters & ~(this.#letters[ending] as number)) !== 0) continue;
      const [word] = this.#words.of(ending);
      if (word === undefined || !this.#byWord.keys.startsWith(word, first)) continue;
      if (this.#lowers.hasInOrder(this.#lowerOf[ending] as number, spelling)) yield ending;
    }
  }
}
