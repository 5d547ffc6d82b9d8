/** Matches literals in the text of a chunk. */

import { escapeRegExp } from "../../common/escape-regexp.ts";

/** The position of a match in lines. */
export interface TextPlace {
  /** 0-based, relative to the first line. */
  readonly line: number;
  readonly column: number;
  /** In characters; ends at the end of the first line. */
  readonly length: number;
  /** Whether the match begins inside a string literal, so that a program may print it. */
  readonly isInString: boolean;
}

/** The best place of a literal. */
export interface LiteralPlace extends TextPlace {
  readonly isSameCase: boolean;
  /** False for a part of a longer hyphenated name, such as `my-button` in `my-button-face`. */
  readonly isAlone: boolean;
  /** Whether it is the definition of a flag, which lacks the dashes. */
  readonly hasNoDashes?: boolean;
}

const WORD = /[\p{L}\p{N}\p{M}_]/u;

/**
 * Compiles a literal to a pattern, with any white space between words. `findLiteral` looks at the characters around a match:
 * the classes of letters in the pattern would take V8 most of a millisecond for each literal.
 */
export function literalPattern(text: string): RegExp {
  const words = text.trim().split(/\s+/u).map(escapeRegExp);
  return new RegExp(words.join(String.raw`\s+`), "giu");
}

/** Returns the first whole-name match in the literal's own letter case, else the first of the next best matches. */
export function findLiteral(
  lines: readonly string[],
  pattern: RegExp,
  text: string,
): LiteralPlace | undefined {
  const whole = lines.join("\n");
  const wanted = text.replaceAll(/\s+/gu, " ");
  const hasHyphen = /\w-\w/.test(text);
  const own = text.trim();
  const [beginsWithWord, endsWithWord] = [isWordAt(own, 0), isWordBefore(own, own.length)];
  let best: { index: number; length: number; isSameCase: boolean; isAlone: boolean } | undefined;
  let highest = -1;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(whole); match !== null; match = pattern.exec(whole)) {
    const { 0: found, index } = match;
    const end = index + found.length;
    if ((beginsWithWord && isWordBefore(whole, index)) || (endsWithWord && isWordAt(whole, end))) {
      // A match may begin within this one.
      pattern.lastIndex = index + ((found.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
      continue;
    }
    const isSameCase = found.replaceAll(/\s+/gu, " ") === wanted;
    const isAlone = !hasHyphen || !isJoined(whole, index, end);
    const quality = (isSameCase ? 2 : 0) + (isAlone ? 1 : 0);
    if (quality <= highest) continue;
    highest = quality;
    best = { index, length: found.length, isSameCase, isAlone };
    if (isSameCase && isAlone) break;
  }
  if (best === undefined) return undefined;
  const { index, length, isSameCase, isAlone } = best;
  return { ...placeAt(whole, index, length), isSameCase, isAlone };
}

/** Whether the character at this offset is part of a word. */
function isWordAt(text: string, at: number): boolean {
  const code = text.codePointAt(at);
  return code !== undefined && WORD.test(String.fromCodePoint(code));
}

/** Whether the character before this offset is part of a word. */
function isWordBefore(text: string, at: number): boolean {
  const isPair =
    /[\uDC00-\uDFFF]/.test(text[at - 1] ?? "") && /[\uD800-\uDBFF]/.test(text[at - 2] ?? "");
  return at > 0 && isWordAt(text, isPair ? at - 2 : at - 1);
}

/** Whether a hyphen and a letter precede or follow this part of a text. */
function isJoined(whole: string, start: number, end: number): boolean {
  const before = whole[start - 1] === "-" && WORD.test(whole[start - 2] ?? "");
  return before || (whole[end] === "-" && WORD.test(whole[end + 1] ?? ""));
}

/** The place of a match that begins at an offset of the joined lines. */
export function placeAt(whole: string, start: number, length: number): TextPlace {
  const lineStart = whole.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = whole.indexOf("\n", start);
  const end = Math.min(start + length, lineEnd < 0 ? whole.length : lineEnd);
  let line = 0;
  for (let at = whole.indexOf("\n"); at >= 0 && at < start; at = whole.indexOf("\n", at + 1))
    line++;
  return {
    line,
    column: start - lineStart,
    length: end - start,
    isInString: isInString(whole.slice(lineStart, start)),
  };
}

/** Whether a string is open at the end of this line prefix. An apostrophe within a word does not open a string. */
function isInString(before: string): boolean {
  let open = "";
  for (let at = 0; at < before.length; at++) {
    const char = before[at] as string;
    if (char === "\\") at++;
    else if (open !== "") open = char === open ? "" : open;
    else if (char === '"' || char === "`") open = char;
    else if (char === "'" && !WORD.test(before[at - 1] ?? "")) open = char;
  }
  return open !== "";
}
