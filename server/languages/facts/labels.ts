/**
 * What tells functions of one name apart: how parameters are labeled, and the arguments of a call. Swift's functions
 * are told by their labels, those of Elixir, Java and C# by how many arguments they take.
 *
 * Labels are written with spaces between them, `_` where there is none. Of a parameter, `?` follows where it may be left
 * out, `*` where it may be repeated, and `~` comes before those of a function that is chosen last; of a call, `{` is a block behind its
 * arguments.
 */

import { NO_LABELS } from "../../contracts/facts.ts";
import type { Item, Span } from "./collect.ts";

export interface Labels {
  /** From the text behind the name of a function. */
  ofFunction(text: string): string;
  /** From the text behind what is called, and a little of the text before the call. */
  ofCall(text: string, before: string): string;
}

/** Longer lists are read no further: what follows is most often a block. */
const MAX_LENGTH = 4_000;
/** More say nothing. */
const MAX_PARTS = 30;
/** Between a pipe and what it calls. */
const MAX_SPACE_BEFORE = 80;

/** Behind the name of what takes arguments or is called with them. */
const OPENING = /^\s*(?:<[^()]*>\s*)?\(/;

/** Before a function of Swift. */
const CHOSEN_LAST = /@_disfavoredOverload\b|@available\([^()]*\b(?:deprecated|unavailable)\b/;

/** Empty in languages without labels, and so of a function without a name. */
export function labelsOfFunction(
  labels: Labels | undefined,
  text: string,
  { start, end, parts: { name } }: Item,
): string {
  if (labels === undefined || name === undefined) return "";
  const own = labels.ofFunction(text.slice(name.end, end));
  return own !== "" && CHOSEN_LAST.test(text.slice(start, name.start)) ? `~ ${own}` : own;
}

/** @param argumentsAt where what is called ends. */
export function labelsOfCall(
  labels: Labels | undefined,
  text: string,
  { start, end }: Span,
  argumentsAt: number,
): string {
  if (labels === undefined) return "";
  const before = text.slice(Math.max(0, start - MAX_SPACE_BEFORE), start);
  return labels.ofCall(text.slice(argumentsAt, end), before);
}

export const SWIFT_LABELS: Labels = {
  ofFunction(text) {
    const start = text.indexOf("(");
    const list = start < 0 ? undefined : partsIn(text, start, SWIFT_TYPES);
    return list === undefined ? "" : joined(list.parts.map(swiftParameter));
  },
  ofCall(text) {
    const open = OPENING.exec(text)?.[0].length ?? 0;
    const list = open === 0 ? { parts: [], end: 0 } : partsIn(text, open - 1, SWIFT);
    if (list === undefined) return "";
    const labels = list.parts.map((part) => /^([\p{L}_]\w*)\s*:(?!:)/u.exec(part)?.[1] ?? "_");
    return joined(/^\s*\{/.test(text.slice(list.end)) ? [...labels, "{"] : labels);
  },
};

export const ELIXIR_LABELS: Labels = {
  ofFunction(text) {
    if (!text.startsWith("(")) return NO_LABELS;
    const list = partsIn(text, 0, ELIXIR);
    return list === undefined
      ? ""
      : joined(list.parts.map((part) => (part.includes("\\\\") ? "_?" : "_")));
  },
  ofCall(text, before) {
    const captured = /^\s*\/\s*(\d)/.exec(text)?.[1];
    if (captured !== undefined) return joined(Array.from({ length: Number(captured) }, () => "_"));
    const list = text.startsWith("(") ? partsIn(text, 0, ELIXIR) : withoutBrackets(text);
    if (list === undefined) return "";
    const plain = list.parts.filter((part) => !KEYWORD.test(part)).map(() => "_");
    // Keywords are one list, and so is what is between `do` and `end`.
    if (plain.length < list.parts.length) plain.push("_");
    if (/^\s*do\b(?!:)/.test(text.slice(list.end))) plain.push("_");
    return joined(/\|>\s*$/.test(before) ? ["_", ...plain] : plain);
  },
};

/** Parameters that may be left out, those of which there may be many, and those that are no argument of a call. */
interface Counted {
  isReceiver?(parameter: string): boolean;
  isOptional?(parameter: string): boolean;
  isRepeated?(parameter: string): boolean;
}

/** Of functions that are told apart by how many arguments they take. */
function countedLabels({ isReceiver, isOptional, isRepeated }: Counted): Labels {
  const labelOf = (parameter: string) => {
    if (isRepeated?.(parameter)) return "_*";
    return isOptional?.(parameter) ? "_?" : "_";
  };
  return {
    ofFunction(text) {
      const open = OPENING.exec(text)?.[0].length ?? 0;
      const list = open === 0 ? undefined : partsIn(text, open - 1, TYPED_PARAMETERS);
      const counted = list?.parts.filter((parameter) => !isReceiver?.(parameter));
      return counted === undefined ? "" : joined(counted.map(labelOf));
    },
    ofCall(text) {
      const open = OPENING.exec(text)?.[0].length ?? 0;
      const list = open === 0 ? undefined : partsIn(text, open - 1, TYPED_ARGUMENTS);
      return list === undefined ? "" : joined(list.parts.map(() => "_"));
    },
  };
}

const HAS_DEFAULT = /[^=!<>]=(?![=>])/;

export const JAVA_LABELS = countedLabels({ isRepeated: (parameter) => parameter.includes("...") });

export const CSHARP_LABELS = countedLabels({
  isRepeated: (parameter) => /^(?:\[[^\]]*\]\s*)*params\s/.test(parameter),
  // A method of an extension is called on its first parameter.
  isReceiver: (parameter) => /^this\s/.test(parameter),
  isOptional: (parameter) => HAS_DEFAULT.test(parameter),
});

const KEYWORD = /^(?:[\p{L}_]\w*[?!]?|"[^"]*"):\s/u;

function withoutBrackets(text: string): List | undefined {
  const line = /^[ \t]+(?=[^\s])/.exec(text);
  if (line === null) return { parts: [], end: 0 };
  return partsIn(text, line[0].length - 1, ELIXIR);
}

function joined(labels: readonly string[]): string {
  if (labels.length > MAX_PARTS) return "";
  return labels.length === 0 ? NO_LABELS : labels.join(" ");
}

/** `with url: URL = x`, `_ all: Int...`. */
function swiftParameter(part: string): string {
  const plain = part.replace(/^(?:@\w+(?:\([^)]*\))?\s+)+/, "");
  const label = /^([\p{L}_`]\w*)/u.exec(plain)?.[1] ?? "_";
  if (/\.\.\.\s*$/.test(plain)) return `${label}*`;
  return /[^=!<>]=(?![=>])/.test(plain) ? `${label}?` : label;
}

interface List {
  readonly parts: readonly string[];
  /** Behind the list. */
  readonly end: number;
}

/** Groups: what is passed over, what opens, what closes, and a comma. */
const SWIFT =
  /("""[^]*?(?:"""|$)|"(?:[^"\\]|\\[^])*(?:"|\\?$)|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|([([{])|([)\]}])|(,)/g;
const SWIFT_TYPES =
  /("""[^]*?(?:"""|$)|"(?:[^"\\]|\\[^])*(?:"|\\?$)|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|->)|([([{<])|([)\]}>])|(,)/g;
/** Of Java and C#: with characters in quotes, and with the arguments of a type, whose commas are no others. */
const TYPED_ARGUMENTS =
  /("""[^]*?(?:"""|$)|"(?:[^"\\]|\\[^])*(?:"|\\?$)|'(?:[^'\\\n]|\\.)+'|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|<(?:[\w\s.,?&[\]]|<[\w\s.,?&[\]]*>)*>(?=\s*[({[]|::))|([([{])|([)\]}])|(,)/g;
const TYPED_PARAMETERS =
  /("""[^]*?(?:"""|$)|"(?:[^"\\]|\\[^])*(?:"|\\?$)|'(?:[^'\\\n]|\\.)+'|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|[-=]>)|([([{<])|([)\]}>])|(,)/g;
const ELIXIR =
  /("""[^]*?(?:"""|$)|"(?:[^"\\]|\\[^])*(?:"|\\?$)|#[^\n]*|\?[()[\]{}",])|(<<|[([{]|\b(?:fn|do)\b(?!:))|(>>|[)\]}]|\bend\b(?!:))|(,)/g;

/**
 * The parts of a list whose bracket is at a place; without a bracket there, up to the end of the text or the block that
 * follows. Undefined where its end is not found.
 */
function partsIn(text: string, start: number, tokens: RegExp): List | undefined {
  const hasBracket = text[start] === "(";
  const limited = text.slice(0, start + MAX_LENGTH);
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  const add = (to: number) => {
    const part = limited.slice(from, to).trim();
    if (part !== "") parts.push(part);
    from = to + 1;
  };
  tokens.lastIndex = from;
  for (let match = tokens.exec(limited); match !== null; match = tokens.exec(limited)) {
    const [all, , opened, closed, comma] = match;
    const isEnd = depth === 0 && (closed !== undefined || (!hasBracket && opened === "do"));
    if (isEnd) {
      add(match.index);
      return { parts, end: match.index + (closed === undefined ? 0 : all.length) };
    }
    if (opened !== undefined) depth++;
    else if (closed !== undefined) depth--;
    else if (comma !== undefined && depth === 0) add(match.index);
  }
  if (hasBracket || limited.length < text.length) return undefined;
  add(text.length);
  return { parts, end: text.length };
}
