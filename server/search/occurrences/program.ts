/** The program of a compiled pattern: the instructions of RE2 that a line is matched with. */

import type { RE2JS } from "re2js";

/** An instruction of re2js, whose types leave it out. */
export interface Instruction {
  readonly op: number;
  /** The next instruction. */
  readonly out: number;
  /** The less preferred next instruction of a choice, or the conditions of an empty match. */
  readonly arg: number;
  /** Whether a code point is in the class of the instruction. */
  matchRune(codePoint: number): boolean;
}

export interface MatchProgram {
  readonly inst: readonly Instruction[];
  readonly start: number;
}

/** The numbers of re2js. A test compares an automaton with re2js itself. */
export const OP = {
  choice: 1,
  choiceOfMatch: 2,
  capture: 3,
  condition: 4,
  match: 6,
  nothing: 7,
  firstRune: 8,
  anyRune: 10,
  lastRune: 11,
} as const;

/** The conditions of an instruction, as bits. */
export const CONDITION = {
  lineStart: 1,
  lineEnd: 2,
  textStart: 4,
  textEnd: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const;

export function programOf(pattern: RE2JS): MatchProgram {
  return pattern.re2().prog as MatchProgram;
}

export function consumes({ op }: Instruction): boolean {
  return op >= OP.firstRune && op <= OP.lastRune;
}
