/**
 * Estimates the number of tokens of a text for a language model: words of the vocabulary exactly, other text by its
 * longest parts.
 */

import { isAscii } from "./ascii.ts";
import { endOfAsciiPiece } from "./ascii-pretokenizer.ts";
import { FIRST_START, nextFirst, nextSecond, SECOND_START } from "./hash.ts";
import { FILTER_BYTES, longestWord } from "./token-filter.ts";
import { TOKEN_VOCABULARY } from "./token-vocabulary.ts";

/** The pre-tokenization of o200k: words by case, numbers, marks, whitespace. */
const PIECE =
  /[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'(?:s|t|re|ve|m|ll|d))?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu;

/** The estimate may be below the count of the real tokenizer by this share, and by some tokens in a short text. */
const SAFETY_SHARE = 1.03;
const SAFETY_TOKENS = 10;

/** Longer words are runs of one mark and are counted in parts. */
const MAX_WORD_LENGTH = 32;

/**
 * A cache of piece counts, because code repeats its pieces: per slot the tokens of the last piece and two hashes of it.
 */
const CACHE_SLOTS = 1 << 16;
const pieceCache = {
  a: new Int32Array(CACHE_SLOTS),
  b: new Int32Array(CACHE_SLOTS),
  tokens: new Uint8Array(CACHE_SLOTS),
};
/** A token has at least one byte, so the count of a cached piece fits in eight bits. */
const MAX_CACHED_LENGTH = 64;

let vocabulary: Uint8Array | undefined;

/** The largest estimate that is certainly within a budget. Negative if the budget is too small for any text. */
export function estimateWithin(budget: number): number {
  return (budget - SAFETY_TOKENS) / SAFETY_SHARE;
}

/** The upper bound of the token count for an estimate. */
export function tokensAtMost(estimate: number): number {
  return estimate === 0 ? 0 : Math.ceil(estimate * SAFETY_SHARE + SAFETY_TOKENS);
}

/** At least 1 for a text that is not empty. */
export function estimateTokens(text: string): number {
  let sum = 0;
  if (!isAscii(text)) {
    for (const piece of text.match(PIECE) ?? []) sum += tokensOfPiece(piece, 0, piece.length);
    return sum;
  }
  for (let at = 0; at < text.length; ) {
    const end = endOfAsciiPiece(text, at);
    sum += tokensOfPiece(text, at, end);
    at = end;
  }
  return sum;
}

function tokensOfPiece(text: string, start: number, end: number): number {
  if (end - start > MAX_CACHED_LENGTH) return countParts(text.slice(start, end));
  let a = FIRST_START;
  let b = SECOND_START;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    a = nextFirst(a, code);
    b = nextSecond(b, code);
  }
  const slot = (a ^ (a >>> 16)) & (CACHE_SLOTS - 1);
  const known = pieceCache.tokens[slot] ?? 0;
  if (known > 0 && pieceCache.a[slot] === a && pieceCache.b[slot] === b) return known;
  const tokens = countParts(text.slice(start, end));
  pieceCache.a[slot] = a;
  pieceCache.b[slot] = b;
  pieceCache.tokens[slot] = tokens;
  return tokens;
}

/**
 * Counts greedily, longest word first, from the beginning and from the end, and returns the larger count. The real
 * tokenizer merges the most frequent pairs, so it needs at least as many tokens. A character outside of the vocabulary
 * costs its bytes.
 */
function countParts(piece: string): number {
  vocabulary ??= Buffer.from(TOKEN_VOCABULARY, "base64").subarray(0, FILTER_BYTES);
  const fromStart = countFromStart(piece, vocabulary);
  return fromStart === 1 ? 1 : Math.max(fromStart, countFromEnd(piece, vocabulary));
}

function countFromStart(piece: string, words: Uint8Array): number {
  let tokens = 0;
  for (let at = 0; at < piece.length; ) {
    const length = longestWord(words, piece, at, Math.min(piece.length, at + MAX_WORD_LENGTH));
    const character = String.fromCodePoint(piece.codePointAt(at) ?? 0);
    tokens += length > 0 ? 1 : Buffer.byteLength(character);
    at += length > 0 ? length : character.length;
  }
  return tokens;
}

function countFromEnd(piece: string, words: Uint8Array): number {
  let tokens = 0;
  for (let end = piece.length; end > 0; ) {
    let start = Math.max(0, end - MAX_WORD_LENGTH);
    while (start < end && longestWord(words, piece, start, end) < end - start) start++;
    // Half of a surrogate pair is not a word; its bytes are counted with the other half.
    tokens += start < end ? 1 : Buffer.byteLength(piece.slice(end - 1, end)) / 2;
    end = start < end ? start : end - 1;
  }
  return Math.ceil(tokens);
}
