/** Counts the tokens of a text as language models do, with the tokenizer o200k_base of the package gpt-tokenizer. */

import { inSlices, runToEnd } from "./slices.ts";

/**
 * A run of letters, of marks or of white space is tokenized as one piece, in time quadratic in its length: a longer run is
 * counted by its bytes, which is an upper bound.
 */
const MAX_PIECE_LENGTH = 500;
const LONG_PIECE = new RegExp(
  [String.raw`[\p{L}\p{M}]`, String.raw`[^\s\p{L}\p{N}]`, String.raw`\s`]
    .map((characters) => `${characters}{${MAX_PIECE_LENGTH},}`)
    .join("|"),
  "gu",
);

/** A step of the tokenizer takes about a microsecond; looking at the clock takes a tenth of that. */
const PIECES_PER_STEP = 64;

/** Code may contain `<|endoftext|>`, which is text here and not a command. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

export interface TokenCounter {
  /** The number of tokens; counting stops above `max`, with some number above it. */
  count(text: string, max?: number): number;
  /** The same for a long text: yields the thread after each slice of work. */
  countInSlices(text: string, max?: number): Promise<number>;
}

type Tokenize = (text: string, options: typeof AS_TEXT) => Iterable<readonly number[]>;

let loading: Promise<TokenCounter> | undefined;

/** Loads the vocabulary on first use: it takes 0.2 seconds of processor time and 60 MB of memory. */
export function loadTokenCounter(): Promise<TokenCounter> {
  loading ??= import("gpt-tokenizer/encoding/o200k_base").then(({ encodeGenerator }) =>
    createCounter(encodeGenerator),
  );
  return loading;
}

function createCounter(tokenize: Tokenize): TokenCounter {
  return {
    count: (text, max) => runToEnd(countSteps(tokenize, text, max)),
    countInSlices: (text, max) => inSlices(countSteps(tokenize, text, max)),
  };
}

function* countSteps(
  tokenize: Tokenize,
  text: string,
  max = Number.POSITIVE_INFINITY,
): Generator<void, number> {
  let count = 0;
  let pieces = 0;
  const withoutLongPieces = text.replace(LONG_PIECE, (piece) => {
    count += Buffer.byteLength(piece);
    return "\n";
  });
  for (const tokens of tokenize(withoutLongPieces, AS_TEXT)) {
    count += tokens.length;
    if (count > max) return count;
    if (++pieces % PIECES_PER_STEP === 0) yield;
  }
  return count;
}
