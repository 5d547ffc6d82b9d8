/** Matches a message with a whole string of the code that has placeholders: `cannot add {} and {}` prints `cannot add integer and string`. */

import { tokensOf } from "../../common/words.ts";
import { STOP_WORDS } from "../query/stop-words.ts";
import { MIN_RUN } from "./literals.ts";
import {
  MAX_TEXT_LENGTH,
  type MessagePlace,
  PLACEHOLDER,
  type WeighedMessage,
} from "./match-message.ts";
import { placeAt } from "./match-text.ts";

/** Maximum number of tokens of a message that fill one placeholder. */
const MAX_VALUE_TOKENS = 6;
/** A longer string is rarely a message, and hostile text must cost little. */
const MAX_STRING_LENGTH = 300;
const MAX_PLACEHOLDERS = 6;

/** Strings of one line. Apostrophes are looked at alone, since some are not quotes: in a lifetime, or in prose. */
const STRINGS = [/(["`])((?:\\.|(?!\1)[^\\\n])*)\1/g, /(')((?:\\.|[^'\\\n])*)'/g];
const ESCAPE = /\\[nrt]/g;

/** The tokens of a string in lower case; undefined for a placeholder. */
type Template = readonly (string | undefined)[];

/** Returns a function that finds the string with the most words that prints the whole message. */
export function templateFinder({
  tokens,
  weights,
}: WeighedMessage): (lines: readonly string[]) => MessagePlace | undefined {
  const known = new Set(tokens);
  const all = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return (lines) => {
    const whole = lines.join("\n").slice(0, MAX_TEXT_LENGTH);
    if (whole.search(PLACEHOLDER) < 0) return undefined;
    let best: MessagePlace | undefined;
    for (const pattern of STRINGS) {
      for (const { 2: text = "", index } of whole.matchAll(pattern)) {
        const template = templateOf(text, known);
        const values = template && valuesIn(template, tokens);
        if (template === undefined || values === undefined) continue;
        const filled = values.reduce((sum, at) => sum + (weights[at] as number), 0);
        const closeness = 1 - filled / all;
        if (closeness <= (best?.closeness ?? 0)) continue;
        best = { ...placeAt(whole, index + 1, 1), share: 1, run: longestRun(template), closeness };
      }
    }
    return best;
  };
}

/** Undefined for a string without placeholders, or with words that the message lacks. */
function templateOf(text: string, known: ReadonlySet<string>): Template | undefined {
  if (text.length > MAX_STRING_LENGTH) return undefined;
  const parts = text.replaceAll(ESCAPE, " ").split(PLACEHOLDER);
  if (parts.length < 2 || parts.length - 1 > MAX_PLACEHOLDERS) return undefined;
  const template: (string | undefined)[] = [];
  let words = 0;
  // `{} is in the {}` is the form of any sentence.
  let isTelling = false;
  for (const [i, part] of parts.entries()) {
    // Adjacent placeholders count as one.
    if (i > 0 && (template.length === 0 || template.at(-1) !== undefined)) template.push(undefined);
    for (const token of tokensOf(part)) {
      const lower = token.toLowerCase();
      if (!known.has(lower)) return undefined;
      template.push(lower);
      words++;
      isTelling ||= !STOP_WORDS.has(lower);
    }
  }
  return words >= MIN_RUN && isTelling ? template : undefined;
}

/** The places of the tokens that fill the placeholders; undefined if the template is not the whole message. */
function valuesIn(template: Template, message: readonly string[]): number[] | undefined {
  const match = (at: number, from: number): number[] | undefined => {
    if (at === template.length) return from === message.length ? [] : undefined;
    const word = template[at];
    if (word !== undefined) return message[from] === word ? match(at + 1, from + 1) : undefined;
    for (let length = 0; length <= MAX_VALUE_TOKENS; length++) {
      if (from + length > message.length) return undefined;
      const rest = match(at + 1, from + length);
      if (rest !== undefined) return [...Array.from({ length }, (_, i) => from + i), ...rest];
    }
    return undefined;
  };
  return match(0, 0);
}

function longestRun(template: Template): number {
  let longest = 0;
  let run = 0;
  for (const word of template) {
    run = word === undefined ? 0 : run + 1;
    longest = Math.max(longest, run);
  }
  return longest;
}
