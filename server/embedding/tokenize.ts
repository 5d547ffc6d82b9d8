/**
 * The built-in model's tokenizer. Training and inference must agree on every input, so this is its definition:
 *
 * 1. The text is read from left to right as matches of WORD: letters with their marks, cut where lower case
 *    becomes upper case and before the last capital of a run that lower case follows (`HTTPServer` -> HTTP,
 *    Server); digits; letters of scripts without case. Everything else separates.
 * 2. Each match is put into lower case (Unicode's default mapping) and looked up in the vocabulary.
 * 3. What is not there is cut into the longest known pieces from the left, at most 14 units each, within its
 *    first 24 units (digits: 4); units that begin no known piece are skipped.
 */

/** The same expression as in words.ts, where parts of identifiers are cut. */
const WORD = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{M}]+/gu;

const LONGEST_PIECE = 14;
const LONGEST_WORD = 24;
const LONGEST_NUMBER = 4;

// oxlint-disable-next-line no-control-regex -- ASCII is what is asked for
const ASCII = /^[\0-\x7f]*$/;

/** Calls `visit` with each word as it stands in the text. */
export function eachWord(text: string, visit: (word: string) => void): void {
  if (ASCII.test(text)) eachAsciiWord(text, visit);
  else for (const [word] of text.matchAll(WORD)) visit(word);
}

const [OTHER, LOWER, UPPER, DIGIT] = [0, 1, 2, 3];

/** The class of each ASCII character. */
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
});

/** What WORD matches in ASCII text, five times as fast. */
function eachAsciiWord(text: string, visit: (word: string) => void): void {
  const { length } = text;
  const runEnd = (from: number, kind: number) => {
    let end = from;
    while (end < length && CLASSES[text.charCodeAt(end)] === kind) end++;
    return end;
  };
  let at = 0;
  while (at < length) {
    const kind = CLASSES[text.charCodeAt(at)] as number;
    if (kind === OTHER) {
      at++;
      continue;
    }
    let end = runEnd(at, kind);
    if (kind === UPPER && CLASSES[text.charCodeAt(end)] === LOWER && end < length) {
      if (end - at > 1) end--;
      else end = runEnd(end, LOWER);
    }
    visit(text.slice(at, end));
    at = end;
  }
}

/** The vocabulary's numbers for one word as it stands in the text. */
export function idsOf(word: string, vocabulary: ReadonlyMap<string, number>): readonly number[] {
  const lower = word.toLowerCase();
  const whole = vocabulary.get(lower);
  if (whole !== undefined) return [whole];
  const isNumber = /^\p{N}/u.test(lower);
  const end = Math.min(lower.length, isNumber ? LONGEST_NUMBER : LONGEST_WORD);
  const ids: number[] = [];
  let at = 0;
  while (at < end) {
    let to = Math.min(end, at + LONGEST_PIECE);
    let id = vocabulary.get(lower.slice(at, to));
    while (id === undefined && to > at + 1) id = vocabulary.get(lower.slice(at, --to));
    if (id === undefined) at++;
    else {
      ids.push(id);
      at = to;
    }
  }
  return ids;
}
