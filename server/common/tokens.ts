/** Estimates how many tokens a language model counts in a text, without a vocabulary. */

/** Cuts a text as the tokenizer o200k does before it looks at its vocabulary: words by their case, numbers, marks, space. */
const PIECE =
  /[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'(?:s|t|re|ve|m|ll|d))?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu;

/**
 * Tokens per piece by its length, the mean over code of nineteen languages: after a space a word is mostly known,
 * inside an identifier or after a mark less so. Checked by scripts/token-estimate.ts.
 */
const SPACED = [1, 1, 1, 1.03, 1.03, 1.04, 1.07, 1.08, 1.12, 1.17, 1.18, 1.22, 1.4, 1.36, 1.4];
const INNER = [1, 1, 1, 1.05, 1.04, 1.05, 1.09, 1.14, 1.23, 1.45, 1.48, 1.6, 2, 2.1, 2.3];
const MARKED = [1, 1.04, 1.12, 1.2, 1.15, 1.2, 1.25, 1.4, 1.51, 1.7, 1.85, 1.9, 2.1, 2.5, 2.7];
const UPPER = [1, 1.01, 1.05, 1.17, 1.22, 1.43, 1.62, 1.5, 1.65, 2.3, 2.4, 2.9, 3, 3.2, 3.4];
const MARKS = [1, 1, 1.02, 1.16, 1.59, 1.92, 2.16, 2.2, 2.6, 2.8, 3.2, 3.6, 4];

const ASCII_WORD = /^([^A-Za-z]?)([A-Za-z]+)/;
const IS_ASCII = /^[\0-\x7f]*$/;

/** The estimate may be below the count of a real tokenizer by this share, and by some tokens in a short text. */
const SAFETY_SHARE = 1.1;
const SAFETY_TOKENS = 10;

/** The largest estimate that is sure to be within a budget; below 0 where the budget is too small for anything. */
export function estimateWithin(budget: number): number {
  return (budget - SAFETY_TOKENS) / SAFETY_SHARE;
}

/** A text of such an estimate has at most this many tokens. */
export function tokensAtMost(estimate: number): number {
  return estimate === 0 ? 0 : Math.ceil(estimate * SAFETY_SHARE + SAFETY_TOKENS);
}

/** Never below 1 for a text that is not empty. */
export function estimateTokens(text: string): number {
  let sum = 0;
  for (const [piece] of text.matchAll(PIECE)) sum += tokensOfPiece(piece);
  return Math.ceil(sum);
}

function tokensOfPiece(piece: string): number {
  if (!IS_ASCII.test(piece)) return tokensOfOther(piece);
  const word = ASCII_WORD.exec(piece);
  if (word !== null) return tokensOfWord(word[1] ?? "", word[2] ?? "");
  const length = piece.trim().length;
  if (length === 0) return 1 + Math.floor(piece.length / 80);
  return /^\d/.test(piece) ? 1 : at(MARKS, length, 3);
}

function tokensOfWord(before: string, letters: string): number {
  const { length } = letters;
  if (/^(?:[a-z]+|[A-Z][a-z]*)$/.test(letters)) {
    const table = before === " " ? SPACED : before === "" ? INNER : MARKED;
    // Capitals after a mark are rarer words.
    const isRare = before !== "" && before !== " " && /^[A-Z]/.test(letters);
    return at(table, length, 4) + (isRare ? 0.12 : 0);
  }
  if (/^[A-Z]+$/.test(letters)) return at(UPPER, length, 3);
  return Math.max(1.8, length / 4.5);
}

/** Scripts with cases have about four letters per token, others about two; emoji cost more than one each. */
function tokensOfOther(piece: string): number {
  const length = Array.from(piece.trim()).length;
  if (/\p{Ll}/u.test(piece)) return Math.max(1, 0.2 + 0.27 * length);
  if (/\p{L}/u.test(piece)) return Math.max(1, 0.55 * length);
  return Math.max(1.2, 1.1 * length);
}

/** Beyond the table every `perToken` letters are one token more. */
function at(table: readonly number[], length: number, perToken: number): number {
  const last = table.length - 1;
  return (table[Math.min(length, last)] ?? 1) + Math.max(0, length - last) / perToken;
}
