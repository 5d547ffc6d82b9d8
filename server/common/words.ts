/** Splits text into the words that the keyword lane counts: identifiers whole and in parts, in any script. */

import { isAscii } from "./ascii.ts";
import { ownText } from "./own-text.ts";

/** A run of letters, digits, marks and underscores: an identifier in any language, or a word of prose. */
const TOKEN = /[\p{L}\p{N}\p{M}_$]+/gu;

/** `HTTPServer2` -> HTTP, Server, 2; scripts without case stay whole. */
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lm}\p{M}]+/gu;

/**
 * Scripts that are written without spaces are cut into overlapping pairs, so that a part of a sentence is found. By their
 * extensions, which have the mark of a long vowel (`ユーザー名`): it is of no script of its own.
 */
const UNSPACED = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}]{3,}$/u;

/** Longer runs are data (base64, minified code), not words. */
const MAX_TOKEN_LENGTH = 80;

const NO_WORDS: readonly string[] = [];
const cache = new Map<string, readonly string[]>();
/** Enough for the distinct tokens of a large repository; about 20 MB when full. */
const CACHE_ENTRIES = 100_000;

/** The parts of one identifier in lower case, without the whole: `getUserById` -> get, user, by, id. */
export function partsOf(identifier: string): string[] {
  const parts: string[] = [];
  for (const part of identifier.match(PART) ?? []) {
    const lower = part.toLowerCase();
    if (!UNSPACED.test(lower)) parts.push(lower);
    else {
      const letters = Array.from(lower);
      for (let i = 0; i + 1 < letters.length; i++) parts.push(`${letters[i]}${letters[i + 1]}`);
    }
  }
  return parts;
}

/** One token's words in lower case: its parts, and the whole where it has more than one. */
export function wordsOfToken(token: string): readonly string[] {
  if (token.length > MAX_TOKEN_LENGTH) return NO_WORDS;
  const known = cache.get(token);
  if (known !== undefined) return known;
  const own = ownText(token);
  // Some editors and file systems write an accent as a character of its own.
  const composed = own.normalize("NFC");
  const parts = partsOf(composed);
  if (parts.length > 1) parts.push(composed.toLowerCase());
  // A list that grew has room for more, of which nothing comes.
  const words = parts.slice();
  if (cache.size >= CACHE_ENTRIES) cache.clear();
  cache.set(own, words);
  return words;
}

/** Kinds of characters, as bits: of a token that has only one of the first two, the word is what is written. */
const SMALL = 1;
const DIGIT = 2;
const OTHER_OF_TOKEN = 4;

/** Of each ASCII character; 0 for what is in no token. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return SMALL;
  if (/[0-9]/.test(character)) return DIGIT;
  return /[A-Z_$]/.test(character) ? OTHER_OF_TOKEN : 0;
});

/** The words of a text in order, with repetitions. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  if (isAscii(text)) addAsciiWords(words, text);
  else for (const [token] of text.matchAll(TOKEN)) addWords(words, wordsOfToken(token));
  return words;
}

function addWords(words: string[], more: readonly string[]): void {
  for (const word of more) words.push(word);
}

/** The same as with TOKEN, in a third of the time. */
function addAsciiWords(words: string[], text: string): void {
  const { length } = text;
  for (let at = 0; at < length; ) {
    const start = at;
    let [kinds, kind] = [0, 0];
    while (at < length && (kind = KINDS[text.charCodeAt(at)] as number) !== 0) {
      kinds |= kind;
      at++;
    }
    if (at === start) at++;
    else {
      const token = text.slice(start, at);
      const isOneWord = kinds <= DIGIT && at - start <= MAX_TOKEN_LENGTH;
      if (isOneWord) words.push(token);
      else addWords(words, wordsOfToken(token));
    }
  }
}

/** The words of a path, outermost folder first, without the extension's dot: `.github/x/release.yaml` -> github, x, release, yaml. */
export function wordsOfPath(path: string): string[] {
  return wordsOf(path.replaceAll(/[./\\-]+/g, " "));
}
