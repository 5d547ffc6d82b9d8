/**
 * A lazily built automaton of a pattern: the threads of the program between two characters, and the threads after the next
 * character. Each thread is a match that has begun; the first one is the preferred one.
 */

import { getOrCreate } from "../../common/get-or-create.ts";
import { CONDITION, consumes, type Instruction, type MatchProgram, OP } from "./program.ts";

/** The match that ends before a character. It replaces a match that ended earlier in the same search. */
export const ENDS = { nothing: 0, match: 1, emptyMatch: 2 } as const;
type Ends = (typeof ENDS)[keyof typeof ENDS];

/** A packed transition has the next state above these bits, and in them the match that ends. */
export const ENDS_BITS = 2;
export const ENDS_MASK = 3;

/** The state without threads, where no match begins either. */
export const DEAD = 0;
/** A transition that was not needed yet. */
export const UNKNOWN = -1;

/** The class of the end of a line. */
const LINE_END = 0;
/** Room for 16 classes of characters: most patterns have fewer. */
const FIRST_SHIFT = 4;
/** Transitions, of four bytes. Only patterns such as `[01]*1[01]{30}`, whose states have no end, need more. */
const MAX_CELLS = 2_000_000;
/** Threads in all states, of about eight bytes. */
const MAX_THREADS = 500_000;

interface State {
  /** Instructions, the preferred one first, before conditions are checked. */
  readonly threads: readonly number[];
  /** Whether a match may begin here or later. */
  readonly isSearching: boolean;
  readonly isLineStart: boolean;
  readonly isAfterWord: boolean;
}

interface CharacterClass {
  readonly isWord: boolean;
  /** By instruction, whether it consumes a character of this class. */
  readonly isConsumed: readonly boolean[];
}

/** The states need too much memory. */
export class TooManyStates extends Error {}

export class Automaton {
  readonly #program: MatchProgram;
  readonly #states: State[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #classes: CharacterClass[] = [{ isWord: false, isConsumed: [] }];
  readonly #classNumbers = new Map<string, number>();
  readonly #otherClasses = new Map<number, number>();
  #threads = 0;

  /** By UTF-16 unit the number of its class; 0 for the end of a line, and for a unit whose class was not needed yet. */
  readonly classes = new Uint16Array(0x1_00_00);
  /** By state, shifted by `shift`, plus class: the packed transition. Both change in `classify`, `start` and `step`. */
  table = new Int32Array(0);
  shift = FIRST_SHIFT;

  /** The first states of searches at the start of a line, behind a word character, and behind another one. */
  readonly starts: { readonly line: number; readonly word: number; readonly other: number };

  constructor(program: MatchProgram) {
    this.#program = program;
    const numberOf = (isSearching: boolean, isLineStart: boolean, isAfterWord: boolean) =>
      this.#numberOf({ threads: [], isSearching, isLineStart, isAfterWord });
    // The dead one.
    numberOf(false, false, false);
    this.starts = {
      line: numberOf(true, true, false),
      word: numberOf(true, false, true),
      other: numberOf(true, false, false),
    };
  }

  /** The class of a code point that does not end a line. */
  classify(codePoint: number): number {
    // A unit of half a character says nothing about the whole.
    const isUnit = codePoint < 0xd8_00 || (codePoint >= 0xe0_00 && codePoint <= 0xff_ff);
    const known = isUnit ? this.classes[codePoint] : this.#otherClasses.get(codePoint);
    if (known !== undefined && known !== LINE_END) return known;
    const isConsumed = this.#program.inst.map(
      (instruction) => consumes(instruction) && instruction.matchRune(codePoint),
    );
    const own = { isWord: isWordCharacter(codePoint), isConsumed };
    const key = [own.isWord, ...isConsumed].map(Number).join("");
    const found = getOrCreate(this.#classNumbers, key, () => this.#classes.push(own) - 1);
    if (found >> this.shift > 0) this.#widen();
    if (isUnit) this.classes[codePoint] = found;
    else this.#otherClasses.set(codePoint, found);
    return found;
  }

  /** The packed transition of a state. Throws TooManyStates. */
  step(number: number, characterClass: number): number {
    const state = this.#states[number] as State;
    const { isWord: isNextWord, isConsumed } = this.#classes[characterClass] as CharacterClass;
    const isEnd = characterClass === LINE_END;
    const conditions = conditionsAt(state, isEnd, isNextWord);
    const next = new Set<number>();
    const seen = new Set<number>();
    const isMatch = (thread: number) => this.#follow(thread, conditions, isConsumed, seen, next);
    let ends: Ends = state.threads.some(isMatch) ? ENDS.match : ENDS.nothing;
    if (ends === ENDS.nothing && state.isSearching && isMatch(this.#program.start))
      ends = ENDS.emptyMatch;
    const isSearching = state.isSearching && ends === ENDS.nothing;
    const threads = [...next];
    const isDead = isEnd || (threads.length === 0 && !isSearching);
    const to = isDead
      ? DEAD
      : this.#numberOf({ threads, isSearching, isLineStart: false, isAfterWord: isNextWord });
    const transition = (to << ENDS_BITS) | ends;
    this.table[(number << this.shift) | characterClass] = transition;
    return transition;
  }

  /** Adds the threads behind the next character to `next`, in their order. True if the match ends here: later ones do not count. */
  #follow(
    thread: number,
    conditions: number,
    isConsumed: readonly boolean[],
    seen: Set<number>,
    next: Set<number>,
  ): boolean {
    const pending = [thread];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const { op, out, arg } = this.#program.inst[at] as Instruction;
      if (op === OP.match) return true;
      if (op === OP.choice || op === OP.choiceOfMatch) pending.push(arg, out);
      else if (op === OP.capture || op === OP.nothing) pending.push(out);
      else if (op === OP.condition && (arg & ~conditions) === 0) pending.push(out);
      else if (isConsumed[at]) next.add(out);
    }
    return false;
  }

  #numberOf(state: State): number {
    const { threads, isSearching, isLineStart, isAfterWord } = state;
    const key = `${Number(isSearching)}${Number(isLineStart)}${Number(isAfterWord)} ${threads.join()}`;
    return getOrCreate(this.#numbers, key, () => {
      const number = this.#states.push(state) - 1;
      this.#threads += threads.length;
      this.#makeRoom();
      return number;
    });
  }

  /** Doubles the number of classes. */
  #widen(): void {
    const [narrow, width] = [this.table, 1 << this.shift];
    this.shift++;
    this.table = new Int32Array(0);
    this.#makeRoom();
    for (let number = 0; number < this.#states.length; number++) {
      const row = narrow.subarray(number * width, (number + 1) * width);
      this.table.set(row, number << this.shift);
    }
  }

  #makeRoom(): void {
    const needed = this.#states.length << this.shift;
    if (needed > MAX_CELLS || this.#threads > MAX_THREADS) throw new TooManyStates();
    if (needed <= this.table.length) return;
    const wider = new Int32Array(2 * needed).fill(UNKNOWN);
    wider.set(this.table);
    this.table = wider;
  }
}

function conditionsAt(
  { isLineStart, isAfterWord }: State,
  isLineEnd: boolean,
  isBeforeWord: boolean,
): number {
  const isBoundary = isAfterWord !== isBeforeWord;
  return (
    (isLineStart ? CONDITION.lineStart | CONDITION.textStart : 0) |
    (isLineEnd ? CONDITION.lineEnd | CONDITION.textEnd : 0) |
    (isBoundary ? CONDITION.wordBoundary : CONDITION.noWordBoundary)
  );
}

/** For `\b` of RE2, which knows ASCII only. Takes a code point or UTF-16 unit. */
export function isWordCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95
  );
}
