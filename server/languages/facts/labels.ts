/**
 * Distinguishes overloads by the labels of parameters and arguments: Swift by argument labels, Elixir, Java and C# by the
 * number of arguments.
 *
 * Labels are separated by spaces; `_` is a parameter without label. `?` marks an optional parameter and `*` a variadic one;
 * `~` precedes the labels of a disfavored overload. In a call, `{` is a trailing block.
 */

import { NO_LABELS } from "../../contracts/facts.ts";
import type { Item, Span } from "./collect.ts";

export interface Labels {
  /** Reads the parameter list from the text after a function's name. */
  ofFunction(text: string): string;
  /** Reads the arguments from the text after a callee and some text before the call. */
  ofCall(text: string, before: string): string;
}

/** Longer lists are cut off; a block usually follows. */
const MAX_LENGTH = 4_000;
/** More labels do not help to distinguish overloads. */
const MAX_PARTS = 30;
/** The text between a pipe operator and the callee. */
const MAX_SPACE_BEFORE = 80;

/** The text after a name with parameters or arguments. */
const OPENING = /^\s*(?:<[^()]*>\s*)?\(/;

/** Attributes of Swift overloads that are chosen only if no other fits. */
const DISFAVORED = /@_disfavoredOverload\b|@available\([^()]*\b(?:deprecated|unavailable)\b/;

/** Empty for languages without labels and for anonymous functions. */
export function labelsOfFunction(
  labels: Labels | undefined,
  text: string,
  { start, end, parts: { name } }: Item,
): string {
  if (labels === undefined || name === undefined) return "";
  const own = labels.ofFunction(text.slice(name.end, end));
  return own !== "" && DISFAVORED.test(text.slice(start, name.start)) ? `~ ${own}` : own;
}

/** @param argumentsAt the end of the callee */
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
    // Keyword arguments are one list, and so is a `do` block.
    if (plain.length < list.parts.length) plain.push("_");
    if (/^\s*do\b(?!:)/.test(text.slice(list.end))) plain.push("_");
    return joined(/\|>\s*$/.test(before) ? ["_", ...plain] : plain);
  },
};

/** Counts optional parameters, variadic parameters, and parameters without an argument in a call. */
interface Counted {
  isReceiver?(parameter: string): boolean;
  isOptional?(parameter: string): boolean;
  isRepeated?(parameter: string): boolean;
}

/** For overloads distinguished by the number of arguments. */
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
  // The first parameter of an extension method is its receiver.
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

/** Swift parameters: `with url: URL = x`, `_ all: Int...`. */
function swiftParameter(part: string): string {
  const plain = part.replace(/^(?:@\w+(?:\([^)]*\))?\s+)+/, "");
  const label = /^([\p{L}_`]\w*)/u.exec(plain)?.[1] ?? "_";
  if (/\.\.\.\s*$/.test(plain)) return `${label}*`;
  return /[^=!<>]=(?![=>])/.test(plain) ? `${label}?` : label;
}

interface List {
  readonly parts: readonly string[];
  /** The offset after the list. */
  readonly end: number;
}

/** Capture groups: skipped text, opening bracket, closing bracket, comma. */
const SWIFT =
  /("""[^]*?(?:"""|$)|"(?:[^"\\]|\\[^])*(?:"|\\?$)|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|([([{])|([)\]}])|(,)/g;
const SWIFT_TYPES =
  /("""[^]*?(?:"""|$)|"(?:[^"\\]|\\[^])*(?:"|\\?$)|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|->)|([([{<])|([)\]}>])|(,)/g;
/** Java and C#: skips character literals, and type arguments, whose commas do not separate arguments. */
const TYPED_ARGUMENTS =
  /("""[^]*?(?:"""|$)|"(?:[^"\\]|\\[^])*(?:"|\\?$)|'(?:[^'\\\n]|\\.)+'|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|<(?:[\w\s.,?&[\]]|<[\w\s.,?&[\]]*>)*>(?=\s*[({[]|::))|([([{])|([)\]}])|(,)/g;
const TYPED_PARAMETERS =
  /("""[^]*?(?:"""|$)|"(?:[^"\\]|\\[^])*(?:"|\\?$)|'(?:[^'\\\n]|\\.)+'|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|[-=]>)|([([{<])|([)\]}>])|(,)/g;
const ELIXIR =
  /("""[^]*?(?:"""|$)|"(?:[^"\\]|\\[^])*(?:"|\\?$)|#[^\n]*|\?[()[\]{}",])|(<<|[([{]|\b(?:fn|do)\b(?!:))|(>>|[)\]}]|\bend\b(?!:))|(,)/g;

/**
 * The parts of a list whose bracket is at an offset. Without a bracket, the list ends at the next block or at the end of
 * the text. Undefined if the end is not found.
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
