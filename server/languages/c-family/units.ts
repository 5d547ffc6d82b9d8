/** Groups the parts of a declaration before its initializer into units: types, names, and words that may be macros. */

import { isCallable, macroRank, type Part, PRIMITIVES, SPECIFIERS, TYPE_WORDS } from "./parts.ts";
import { isWord } from "./tokens.ts";

export interface Unit {
  /** `pointer` is a declarator in parentheses: `(*open)(int size)`. */
  readonly kind: "specifier" | "type" | "star" | "pointer" | "other";
  /** The first word; for a name, all of its scopes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The parentheses after a word. */
  readonly group?: Part;
  /** The likelihood of a macro; -1 for a word that cannot be one. */
  readonly rank: number;
}

/** `lib::Pool<int>`, a type or a keyword. */
const NO_MACRO = -1;

/** The units before an initializer, a second declarator or a base class list. */
export function unitsOf(parts: readonly Part[]): Unit[] {
  const units: Unit[] = [];
  for (let at = 0; at < parts.length; ) {
    const next = unitAt(parts, at);
    if (next === undefined) break;
    if (next.unit !== undefined) units.push(next.unit);
    at = next.at;
  }
  return units;
}

interface Step {
  /** Undefined for parts without meaning here: an array size, an attribute in brackets. */
  readonly unit: Unit | undefined;
  /** The next part. */
  readonly at: number;
}

function unitAt(parts: readonly Part[], at: number): Step | undefined {
  const part = parts[at];
  if (part === undefined) return undefined;
  const { kind, text } = part;
  if (kind === "index") return { unit: undefined, at: at + 1 };
  if (kind === "block") return undefined;
  if (kind === "group") return { unit: toUnit("pointer", part, part), at: at + 1 };
  if (text === "*" || text === "&") return { unit: toUnit("star", part, part), at: at + 1 };
  if (text.startsWith('"')) return { unit: toUnit("specifier", part, part), at: at + 1 };
  const isName = text === "::" || text === "~";
  if (kind !== "word" && !isName) return undefined;
  if (SPECIFIERS.has(text)) {
    const hasArguments = text === "explicit" && parts[at + 1]?.kind === "group";
    return { unit: toUnit("specifier", part, part), at: at + (hasArguments ? 2 : 1) };
  }
  if (PRIMITIVES.has(text)) return { unit: toUnit("type", part, part), at: at + 1 };
  if (TYPE_WORDS.has(text)) return typeAt(parts, at);
  if (!isName && !isCallable(part)) return withArguments(parts, at);
  return nameAt(parts, at);
}

/** `struct __attribute__((packed)) pool { … }` */
function typeAt(parts: readonly Part[], at: number): Step {
  const first = parts[at] as Part;
  let end = at + 1;
  while (parts[end]?.kind === "word" && !isCallable(parts[end])) end += 2;
  if (parts[end]?.kind === "word") end++;
  end = skipTemplate(parts, end);
  while (parts[end]?.text === "::" && parts[end + 1]?.kind === "word")
    end = skipTemplate(parts, end + 2);
  if (parts[end]?.text === "final") end++;
  if (parts[end]?.kind === "block") end++;
  return { unit: toUnit("type", first, parts[end - 1] ?? first), at: end };
}

/** `__attribute__((packed))`, `typeof(x)` */
function withArguments(parts: readonly Part[], at: number): Step | undefined {
  const [word, list] = [parts[at] as Part, parts[at + 1]];
  if (list?.kind !== "group") return undefined;
  const kind = /type/.test(word.text) ? "type" : "specifier";
  return { unit: toUnit(kind, word, list), at: at + 2 };
}

/** `Pool`, `lib::Pool<int>::~Pool`, `Pool::operator=`, with the parentheses after it. */
function nameAt(parts: readonly Part[], at: number): Step {
  const first = parts[at] as Part;
  let end = at;
  for (let isOpen = true; isOpen; ) {
    while (parts[end]?.text === "~" || parts[end]?.text === "::") end++;
    const isOperator = parts[end]?.text === "operator";
    end++;
    if (isOperator) while (end < parts.length && parts[end]?.kind !== "group") end++;
    if (isOperator && parts[end + 1]?.kind === "group") end++;
    end = skipTemplate(parts, end);
    isOpen = parts[end]?.text === "::" && !isOperator;
  }
  const last = parts[Math.min(end, parts.length) - 1] ?? first;
  const list = parts[end];
  const rank = end === at + 1 && isWord(first) ? macroRank(first.text) : NO_MACRO;
  const name = toUnit("other", first, last, rank);
  if (list?.kind !== "group") return { unit: name, at: end };
  return { unit: { ...name, group: list }, at: end + 1 };
}

/** The index after the closing bracket of `<…>`. */
function skipTemplate(parts: readonly Part[], at: number): number {
  if (parts[at]?.text !== "<") return at;
  let depth = 0;
  for (let i = at; i < parts.length; i++) {
    const { text } = parts[i] as Part;
    if (text === "<") depth++;
    else if (text === ">" && --depth === 0) return i + 1;
    else if (text === "=" || text === "{") return at;
  }
  return at;
}

function toUnit(kind: Unit["kind"], first: Part, last: Part, rank = NO_MACRO): Unit {
  return { kind, text: first.text, start: first.start, end: last.end, rank };
}
