/** Finds the declared names of a C or C++ declaration, and the macros around it that the grammar cannot parse. */

import type { TopLevelItem } from "./items.ts";
import { oldStyleList } from "./old-style.ts";
import { assignmentOf, beginsWithCapitals, FIRST_WORDS, type Part } from "./parts.ts";
import { type Unit, unitsOf } from "./units.ts";

export interface HeadSpan {
  readonly start: number;
  readonly end: number;
}

/** The ranges that the grammar cannot parse. */
export interface HiddenMacro extends HeadSpan {
  /** The name of a macro with arguments. */
  readonly called?: string;
}

export interface Head {
  /** A macro call that declares the names in its arguments. */
  readonly kind: "function" | "variable" | "macro";
  readonly name: Unit;
  readonly units: readonly Unit[];
  readonly hasInitializer: boolean;
  /** Macros with arguments before the declaration, without a semicolon; each with the words before it. */
  readonly statements: readonly (readonly Unit[])[];
  readonly macros: readonly HiddenMacro[];
}

/** Undefined for an unknown declaration. */
export function declaratorOf(item: TopLevelItem, text: string, isCpp: boolean): Head | undefined {
  const { parts, ending } = item;
  const assignment = assignmentOf(parts);
  const list = isCpp ? undefined : oldStyleList(parts, text);
  const declared = parts.slice(0, list === undefined ? assignment >>> 0 : list + 1);
  const all = unitsOf(declared);
  const statements = statementsBefore(all, text);
  const units = all.slice(statements.flat().length);
  const isBraced = isCpp && ending === "semicolon" && isBracedValue(declared);
  const hasInitializer = assignment >= 0 || isBraced;
  const index = indexOfFunction(units, text, ending);
  if (index < 0) {
    const { name, macros } = variableOf(units, isCpp);
    return name && { kind: "variable", name, units, hasInitializer, macros, statements };
  }
  const name = units[index] as Unit;
  const before = units.slice(0, index);
  const isPlain = name.rank >= 0 && before.every(({ kind }) => kind === "specifier");
  const isMacro = isPlain && beginsWithCapitals(name.text);
  if (isMacro) return { kind: "macro", name, units, hasInitializer, macros: [], statements };
  const macros = [
    ...macrosBefore(before, name, isCpp && isConstructor(name, text)),
    ...macrosAfter(units.slice(index + 1), isCpp),
    ...(list === undefined ? [] : oldParameters(parts, list)),
  ];
  return { kind: "function", name, units, hasInitializer, macros, statements };
}

/** `Q_OBJECT public:`; empty if a label follows anything else. */
export function macrosBeforeLabel({ parts }: TopLevelItem): HiddenMacro[] {
  const units = unitsOf(parts).filter(({ rank }) => rank > 0);
  return units.map(toMacro);
}

/** Macros without a semicolon before the declaration, alone on their line. */
function statementsBefore(units: readonly Unit[], text: string): Unit[][] {
  const statements: Unit[][] = [];
  let line: Unit[][] = [];
  for (let start = 0; ; ) {
    const index = units.findIndex(({ kind }, i) => i >= start && kind !== "specifier");
    const [first, macro, next] = [units[start], units[index], units[index + 1]];
    if (first === undefined || macro?.group === undefined || next === undefined) return statements;
    if (line.length === 0 && !isAtMargin(first, text)) return statements;
    line.push(units.slice(start, index + 1));
    start = index + 1;
    if (!isAtMargin(next, text)) continue;
    statements.push(...line);
    line = [];
  }
}

function isAtMargin({ start }: HeadSpan, text: string): boolean {
  return start === 0 || text[start - 1] === "\n";
}

/** `Pool pool{1};` */
function isBracedValue(parts: readonly Part[]): boolean {
  const [before, last] = parts.slice(-2);
  return last?.kind === "block" && before?.kind === "word";
}

/** The index of the name before the parameters, or -1. */
function indexOfFunction(
  units: readonly Unit[],
  text: string,
  ending: TopLevelItem["ending"],
): number {
  const called = units.flatMap(({ group }, i) => (group === undefined ? [] : [i]));
  for (const [i, index] of called.entries()) {
    const unit = units[index] as Unit;
    const next = called[i + 1] ?? units.length - 1;
    const after = units.slice(index + 1, next + 1);
    if (ending === "semicolon" && isAfterVariable(units, index)) continue;
    if (isFollowedByDeclaration(unit, after, called[i + 1] !== undefined, text)) continue;
    return index;
  }
  return -1;
}

/** `int size ALIGNED(8);` */
function isAfterVariable(units: readonly Unit[], index: number): boolean {
  const [unit, before] = [units[index], units[index - 1]];
  if (unit === undefined || before === undefined || before.rank >= unit.rank) return false;
  const hasType = units.slice(0, index - 1).some(({ kind }) => kind === "type" || kind === "other");
  return before.kind === "other" && hasType;
}

/** Whether the callee is a macro before the declaration: `ALIGNED(8) int size;`. */
function isFollowedByDeclaration(
  { rank, group }: Unit,
  after: readonly Unit[],
  isNextCalled: boolean,
  text: string,
): boolean {
  if (after.length === 0 || group === undefined) return false;
  const isOfMacros = after.every((one) => one.kind === "specifier" || one.rank > 0);
  if (isNextCalled && after.length === 1) return rank > 0 && !areParameters(text, group);
  return !isOfMacros || (isNextCalled && !areParameters(text, group));
}

/** Parameters: names with types, or empty. */
function areParameters(text: string, { start, end }: Part): boolean {
  const list = text.slice(start + 1, end - 1).trim();
  return list === "" || list === "void" || /^[^"(]*\w[ \t\n*&]+\*?\w/.test(list.slice(0, 200));
}

/** `Pool::Pool`, `Pool<T>::~Pool` */
function isConstructor({ start, end }: Unit, text: string): boolean {
  return /(?<!\w)(\w{1,120})(?:<[^<>]{0,120}>)?::~?\1$/.test(text.slice(start, end).slice(-400));
}

/** All words except the type; a constructor has none. */
function macrosBefore(before: readonly Unit[], name: Unit, hasNoType: boolean): HiddenMacro[] {
  const all = [...before, name];
  const others = before.filter(({ kind }) => kind === "other");
  const hasType = hasNoType || before.some(({ kind }) => kind === "type");
  const star = before.findIndex(({ kind }) => kind === "star");
  const types = others.filter((one) => {
    const index = all.indexOf(one);
    const isBeforeFirst = FIRST_WORDS.has(all[index + 1]?.text ?? "");
    return one.group === undefined && !isBeforeFirst && (star < 0 || index < star);
  });
  const type = hasType ? undefined : leastLikeMacro(types);
  return others.filter((one) => one !== type && one.rank >= 0).map(toMacro);
}

function macrosAfter(after: readonly Unit[], isCpp: boolean): HiddenMacro[] {
  // In C++, contextual keywords follow: `override`, `requires`.
  const least = isCpp ? 1 : 0;
  return after.filter((one) => one.kind === "other" && one.rank >= least).map(toMacro);
}

/** Macros after the parentheses, if a pointer is before them: the grammar parses the types as macros. */
function oldParameters(parts: readonly Part[], list: number): HeadSpan[] {
  const [first, last] = [parts[list + 1], parts.at(-1)];
  const isPointer = parts.slice(0, list).some(({ text }) => text === "*");
  return isPointer && first && last ? [{ start: first.start, end: last.end }] : [];
}

/** The type and the name of a variable are the units least likely to be macros. */
function variableOf(
  units: readonly Unit[],
  isCpp: boolean,
): { readonly name: Unit | undefined; readonly macros: readonly HiddenMacro[] } {
  const pointer = units.find(({ kind }) => kind === "pointer");
  const others = units.filter(({ kind }) => kind === "other");
  const words = others.filter(({ group }) => group === undefined);
  const typeEnd = units.findLastIndex(({ kind }) => kind === "star" || kind === "type");
  const hasType = units.some(({ kind }) => kind === "type");
  const names = words.filter((one) => units.indexOf(one) > typeEnd);
  const name = pointer ?? leastLikeMacro(names.slice(hasType || typeEnd >= 0 ? 0 : 1));
  if (name === undefined) return { name, macros: [] };
  const type = hasType
    ? undefined
    : leastLikeMacro(words.filter((one) => one.start < name.start && one !== name));
  if (type === undefined && !hasType) return { name: undefined, macros: [] };
  const macros = others.filter((one) => one !== name && one !== type).map(toMacro);
  return { name, macros: isCpp ? [] : macros };
}

/**
 * Tie-break: the last one, because macros precede a type more often than they follow it. Of two capitalized words without
 * underscore, the first: `BOOL WINAPI`.
 */
function leastLikeMacro(words: readonly Unit[]): Unit | undefined {
  let best: Unit | undefined;
  for (const word of words)
    if (best === undefined || word.rank < best.rank || (word.rank === best.rank && word.rank !== 1))
      best = word;
  return best;
}

function toMacro({ text, start, end, group }: Unit): HiddenMacro {
  if (group === undefined) return { start, end };
  return { start, end: group.end, called: text };
}
