/** The symbol lane: finds chunks by the names of their definitions (exact, qualified suffix, prefix, words, typo). */

import { lettersOf, mayBeWithin } from "../../common/edit-distance.ts";
import { getOrCreate } from "../../common/get-or-create.ts";
import { NumberLists } from "../../common/packed/number-lists.ts";
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
import { createWorkCounter } from "../../common/work-counter.ts";
import type { CodeSymbol } from "../../contracts/model.ts";
import { startsOf } from "./humps.ts";
import {
  GRADES,
  gradeHalfRemembered,
  gradeName,
  gradeStart,
  gradeTypo,
  humpsGrader,
  isOfSmallLetters,
  MAX_TYPOS,
  mayAbbreviateWhatItBegins,
  type Name,
  squashLast,
  sureStartsOf,
  toKnownName,
  toName,
} from "./symbol-names.ts";

/** The grades of slots during one lookup. */
class Grades {
  readonly bySlot = new Map<number, number>();
  /** The best grade of all slots, including slots that the filter excludes. */
  best = 0;
  readonly #isAllowed: ((slot: number) => boolean) | undefined;

  constructor(isAllowed: ((slot: number) => boolean) | undefined) {
    this.#isAllowed = isAllowed;
  }

  raise(slot: number, grade: number): void {
    if (grade > this.best) this.best = grade;
    if (this.#isAllowed?.(slot) === false) return;
    if (grade > (this.bySlot.get(slot) ?? 0)) this.bySlot.set(slot, grade);
  }

  /** Whether at least this many slots have a better grade. */
  hasAbove(grade: number, count: number): boolean {
    if (this.bySlot.size < count) return false;
    let better = 0;
    for (const each of this.bySlot.values()) if (each > grade) better++;
    return better >= count;
  }
}

/** Some tenths of a millisecond, for names that have to be read. */
const ITEMS_PER_STEP = 200;

function* inSteps(items: Iterable<number>, visit: (item: number) => void): Generator<void, void> {
  const isStep = createWorkCounter(ITEMS_PER_STEP);
  for (const item of items) {
    visit(item);
    if (isStep(1)) yield;
  }
}

/** Two letters begin too many names; see humps.ts for the longest. */
const MIN_ABBREVIATION = 3;
const MAX_ABBREVIATION = 24;

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
  /** Letter sets of endings rule out most candidates of a typo, in a tenth of the time of computing edit distances. */
  #letters = new Int32Array(8);
  /** The initials of an ending's words. */
  #starts = new Int32Array(8);
  /** The words of an ending, in order. */
  #words = new NumberLists(Uint32Array);
  /** Endings by a word of theirs. */
  #byWord = new StringLists();
  /** Endings by themselves in lower case without separators. */
  #bySpelling = new StringLists();
  #byStart = new StringLists();
  #byLength = new NumberLists(Uint32Array);

  /** Restores the result of `pack` for this many slots, in steps. Throws DamagedArrays if the arrays are not such a result. */
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
    index.#starts = takeArray(arrays, "starts", Int32Array, size);
    yield;
    index.#byWord = listsOf("byWord", size);
    yield;
    index.#words = NumberLists.unpack(
      partOf(arrays, "words"),
      Uint32Array,
      index.#byWord.keys.size,
    );
    index.#bySpelling = listsOf("bySpelling", size);
    yield;
    index.#byStart = listsOf("byStart", size);
    yield;
    index.#byLength = NumberLists.unpack(partOf(arrays, "byLength"), Uint32Array, size);
    if (index.#words.size > size) throw new DamagedArrays("an ending is missing");
    return index;
  }

  /** The arrays are valid until the next change. */
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
    parts.set("starts", this.#starts.subarray(0, size));
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

  /** The posting lists for `compact`: `newSlots[old]` is the new slot, or -1 for a removed one. */
  renumbered(newSlots: Int32Array): Generator<void, NumberLists> {
    return this.#names.lists.mapped((slot) => newSlots[slot] ?? -1);
  }

  /** Installs the lists of `renumbered`; the index must not have changed since `renumbered` began. */
  compact(names: NumberLists): void {
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
      this.#starts = grown(this.#starts, ending + 1);
    }
    this.#lowerOf[ending] = this.#lowers.intern(lowerLast);
    this.#letters[ending] = lettersOf(lowerLast);
    this.#starts[ending] = lettersOf(startsOf(last, parts));
    for (const part of parts) {
      this.#byWord.add(part, ending);
      this.#words.push(ending, this.#byWord.keys.find(part));
    }
    this.#bySpelling.add(squashLast({ lowerLast }), ending);
    this.#byStart.add(lowerLast.slice(0, START_LENGTH), ending);
    this.#byLength.push(lowerLast.length, ending);
  }

  /** The slots of the chunks that define a name with this last segment. */
  slotsOf(wanted: string): number[] {
    const name = toName(wanted);
    const spelling = squashLast(name);
    const slots = new Set<number>();
    for (const ending of this.#bySpelling.get(spelling)) {
      // A name of separators only has no spelling key, so it is compared as it is.
      if (spelling === "" && this.#lowerLast(ending) !== name.lowerLast) continue;
      for (const each of this.#endings.lists.get(ending)) {
        for (const slot of this.#names.lists.get(each)) slots.add(slot);
      }
    }
    return [...slots];
  }

  /**
   * The best grade of each allowed chunk that defines a name like `wanted`, in steps: the `limit` best chunks and ties of
   * the last. If no name has the prefix, typo tolerance applies. A change between two steps may be missed.
   */
  *find(
    wanted: Name,
    limit: number,
    isAllowed?: (slot: number) => boolean,
  ): Generator<void, Map<number, number>> {
    const grades = new Grades(isAllowed);
    const spelledLike = this.#spelledLike(wanted);
    yield* inSteps(this.#namesOf(spelledLike), (name) => this.#grade(grades, name, wanted));
    // Best grades first, so that a common prefix such as `test` stops early.
    let lowest = 0;
    for (const [grade, endings] of yield* this.#alike(wanted, spelledLike)) {
      if (grades.hasAbove(grade, limit)) {
        lowest = grade;
        break;
      }
      yield* inSteps(this.#namesOf(endings), (name) =>
        this.#gradeAlike(grades, name, wanted, grade),
      );
    }
    const gradeAbbreviated = humpsGrader(wanted);
    if (gradeAbbreviated !== undefined) {
      const isOfBoth = mayAbbreviateWhatItBegins(wanted);
      yield* inSteps(this.#mayBeAbbreviated(wanted), (ending) => {
        if (spelledLike.has(ending) || (!isOfBoth && this.#begins(ending, wanted))) return;
        const lastOf = () => this.#endings.keys.text(ending);
        const grade = gradeAbbreviated(this.#wordsOf(ending), lastOf);
        // A worse grade must not hide that a better one was cut off.
        if (grade > lowest) this.#raiseAll(grades, ending, grade);
      });
    }
    if (grades.best > GRADES.words) return grades.bySlot;
    yield* inSteps(this.#mayBeMistyped(wanted), (ending) => {
      // Typo tolerance applies to the last segment, which all names of an ending share.
      const grade = gradeTypo(wanted, { lowerLast: this.#lowerLast(ending) });
      this.#raiseAll(grades, ending, grade);
    });
    if (grades.best > 0 || !isOfSmallLetters(wanted)) return grades.bySlot;
    yield* inSteps(this.#mayBeHalfRemembered(wanted), (ending) => {
      const parts = this.#wordsOf(ending);
      this.#raiseAll(grades, ending, gradeHalfRemembered(wanted, { parts }));
    });
    return grades.bySlot;
  }

  #lowerLast(ending: number): string {
    return this.#lowers.text(this.#lowerOf[ending] as number);
  }

  /** The names of endings; copies, since a list may change between two steps. */
  *#namesOf(endings: Iterable<number>): Iterable<number> {
    for (const ending of endings) yield* this.#endings.lists.get(ending).slice();
  }

  #grade(grades: Grades, name: number, wanted: Name): void {
    if (this.#names.lists.count(name) === 0) return;
    this.#raise(grades, name, gradeName(wanted, toKnownName(this.#names.keys.text(name))));
  }

  /**
   * Grades a name by its ending, as `gradeName` does, without reading the whole name unless a scope is wanted.
   */
  #gradeAlike(grades: Grades, name: number, wanted: Name, grade: number): void {
    // A wanted scope must match, so the whole name is compared.
    if (wanted.last === wanted.text) this.#raise(grades, name, grade);
    else this.#grade(grades, name, wanted);
  }

  #raiseAll(grades: Grades, ending: number, grade: number): void {
    for (const name of this.#endings.lists.get(ending)) this.#raise(grades, name, grade);
  }

  #raise(grades: Grades, name: number, grade: number): void {
    if (grade > 0) for (const slot of this.#names.lists.get(name)) grades.raise(slot, grade);
  }

  /** Endings with the same spelling key. */
  #spelledLike(wanted: Name): ReadonlySet<number> {
    const spelling = squashLast(wanted);
    // A name of separators only has no key; such queries are rare enough for a full scan.
    if (spelling === "")
      return new Set(Array.from({ length: this.#endings.keys.size }, (_, i) => i));
    return new Set(this.#bySpelling.get(spelling));
  }

  /** Other endings with the same prefix or words, grouped by the upper bound of their grade, best first. */
  *#alike(wanted: Name, spelledLike: ReadonlySet<number>): Generator<void, [number, number[]][]> {
    const byGrade = new Map<number, number[]>();
    const add = (grade: number, ending: number) => {
      getOrCreate(byGrade, grade, () => []).push(ending);
    };
    yield* inSteps(this.#startingLike(wanted), (ending) => {
      if (spelledLike.has(ending) || !this.#begins(ending, wanted)) return;
      add(gradeStart(wanted, this.#lowers.length(this.#lowerOf[ending] as number)), ending);
    });
    yield* inSteps(this.#withWords(wanted.parts), (ending) => {
      if (spelledLike.has(ending) || this.#begins(ending, wanted)) return;
      const share = Math.min(1, wanted.parts.length / this.#words.count(ending));
      add(GRADES.words * share, ending);
    });
    return [...byGrade].toSorted(([a], [b]) => b - a);
  }

  #startingLike({ lowerLast }: Name): Iterable<number> {
    return this.#byStart.get(lowerLast.slice(0, START_LENGTH)).slice();
  }

  /** Whether an ending has the wanted prefix; a single letter is not a prefix. */
  #begins(ending: number, { lowerLast }: Name): boolean {
    if (lowerLast.length < START_LENGTH) return false;
    return this.#lowers.startsWith(this.#lowerOf[ending] as number, lowerLast);
  }

  /** Endings that have all of the words: a scan of the shortest posting list. */
  *#withWords(parts: readonly string[]): Iterable<number> {
    const { keys, lists } = this.#byWord;
    const words = parts.map((part) => keys.find(part));
    if (words.length === 0 || words.includes(-1)) return;
    let rarest = words[0] as number;
    for (const word of words) if (lists.count(word) < lists.count(rarest)) rarest = word;
    for (const ending of lists.get(rarest).slice()) {
      const own = this.#words.get(ending);
      if (words.every((word) => own.includes(word))) yield ending;
    }
  }

  /** Loops, because a key stroke reads the words of ten thousand names. */
  #wordsOf(ending: number): string[] {
    const { keys } = this.#byWord;
    const found: string[] = [];
    for (const word of this.#words.get(ending)) found.push(keys.repeated(word));
    return found;
  }

  /** Candidates for `humpsGrader`, which have its sure starts. */
  *#mayBeAbbreviated(wanted: Name): Iterable<number> {
    const { last, lowerLast } = wanted;
    if (last.length < MIN_ABBREVIATION || last.length > MAX_ABBREVIATION) return;
    const letters = lettersOf(lowerLast);
    const starts = lettersOf(sureStartsOf(wanted));
    for (let ending = 0; ending < this.#endings.keys.size; ending++) {
      if ((starts & ~(this.#starts[ending] as number)) !== 0) continue;
      if ((letters & ~(this.#letters[ending] as number)) !== 0) continue;
      if (this.#lowers.hasInOrder(this.#lowerOf[ending] as number, lowerLast)) yield ending;
    }
  }

  /** Candidates for `gradeTypo`. */
  *#mayBeMistyped({ lowerLast }: Name): Iterable<number> {
    const letters = lettersOf(lowerLast);
    for (let by = -MAX_TYPOS; by <= MAX_TYPOS; by++) {
      for (const ending of this.#byLength.get(lowerLast.length + by).slice()) {
        if (mayBeWithin(letters, this.#letters[ending] as number, MAX_TYPOS, by)) yield ending;
      }
    }
  }

  /** Candidates for `gradeHalfRemembered`: endings with the same first letter and all letters in the same order. */
  *#mayBeHalfRemembered(wanted: Name): Iterable<number> {
    const spelling = squashLast(wanted);
    const letters = lettersOf(spelling);
    const first = spelling.slice(0, 1);
    for (let ending = 0; ending < this.#endings.keys.size; ending++) {
      if ((letters & ~(this.#letters[ending] as number)) !== 0) continue;
      const [word] = this.#words.get(ending);
      if (word === undefined || !this.#byWord.keys.startsWith(word, first)) continue;
      if (this.#lowers.hasInOrder(this.#lowerOf[ending] as number, spelling)) yield ending;
    }
  }
}
