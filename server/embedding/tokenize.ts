/**
 * The built-in model's tokenizer. Training and inference must agree on every input, so this is its definition:
 *
 * 1. The text is read from left to right as matches of PART in words.ts: letters with their marks, cut where lower case
 *    becomes upper case and before the last capital of a run that lower case follows (`HTTPServer` -> HTTP,
 *    Server); digits; letters of scripts without case. Everything else separates.
 * 2. Each match is composed (NFC) and put into lower case (Unicode's default mapping). If the vocabulary has it,
 *    it is that one word.
 * 3. Else the combining marks U+0300 to U+036F are removed (`größe` -> große), and the rest is cut into
 *    the longest pieces that the vocabulary has, from the left, at most 14 units each, within its first 24
 *    units; within 4 if it begins with a digit, within 120 if it does not begin in ASCII.
 * 4. If no piece begins at a character, an ASCII character is skipped. Any other character is hashed together with its
 *    successor into a bucket, or alone if the word has only that character.
 */

import { isAscii } from "../common/ascii.ts";
import { findWord, NONE, type Vocabulary } from "./vocabulary.ts";

const MAX_PIECE_LENGTH = 14;
/** Longer ASCII words are data (base64, hashes); their rest has no meaning. */
const MAX_WORD_LENGTH = 24;
const MAX_NUMBER_LENGTH = 4;
/** Scripts without spaces write a whole sentence as one word. */
const MAX_RUN_LENGTH = 120;

/** Numbers of words, pieces and buckets (these after the words) for one word as it is written in the text. */
export function idsOf(word: string, vocabulary: Vocabulary, buckets: number): readonly number[] {
  const lower = word.normalize("NFC").toLowerCase();
  const whole = findWord(vocabulary, lower, 0, lower.length);
  if (whole !== NONE) return [whole];
  return piecesOf(withoutMarks(lower), vocabulary, buckets);
}

function piecesOf(word: string, vocabulary: Vocabulary, buckets: number): number[] {
  const wordCount = vocabulary.starts.length - 1;
  const end = Math.min(word.length, maxLengthOf(word));
  const ids: number[] = [];
  let at = 0;
  while (at < end) {
    let to = Math.min(end, at + MAX_PIECE_LENGTH);
    let id = findWord(vocabulary, word, at, to);
    while (id === NONE && to > at + 1) id = findWord(vocabulary, word, at, --to);
    if (id !== NONE) {
      ids.push(id);
      at = to;
      continue;
    }
    const first = word.codePointAt(at) as number;
    const next = at + (first > 0xffff ? 2 : 1);
    const second = next < end ? word.codePointAt(next) : undefined;
    if (first > 127 && buckets > 0 && (second !== undefined || at === 0)) {
      ids.push(wordCount + bucketOf(first, second ?? 0, buckets));
    }
    at = next;
  }
  return ids;
}

function maxLengthOf(word: string): number {
  if (/^\p{N}/u.test(word)) return MAX_NUMBER_LENGTH;
  return word.charCodeAt(0) < 128 ? MAX_WORD_LENGTH : MAX_RUN_LENGTH;
}

/** Without accents. Voicing marks of kana and vowel signs, which make another letter, stay. */
function withoutMarks(word: string): string {
  if (isAscii(word)) return word;
  return word
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
}

/** FNV-1a over the bytes of the two code points. */
function bucketOf(first: number, second: number, buckets: number): number {
  let value = 0x811c9dc5;
  for (const point of [first, second]) {
    for (let shift = 0; shift < 24; shift += 8) {
      value = Math.imul(value ^ ((point >>> shift) & 0xff), 0x0100_0193);
    }
  }
  return (value >>> 0) % buckets;
}
