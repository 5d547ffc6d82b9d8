/** The term counts of a file as a worker sends them: typed arrays instead of an object per term. */

/** The term counts of all chunks of a file, for the keyword lane. */
export interface FileTerms {
  /** The distinct terms in UTF-8, concatenated. */
  readonly bytes: Uint8Array;
  /** The end of each term in `bytes`. */
  readonly ends: Uint32Array;
  /** The hash of each term, as computed by `StringTable`. */
  readonly hashes: Uint32Array;
  /** The end of the counts of each chunk in `counts`. */
  readonly countEnds: Uint32Array;
  /** The number of a term, with its occurrences in the chunk in the lowest `COUNT_BITS`. */
  readonly counts: Uint32Array;
  /** The number of words in each chunk. */
  readonly lengths: Uint32Array;
}

/** Occurrences are counted in quarters, so that sums of field weights are exact in any order. */
export const STEPS = 4;

/** The occurrences take one byte, below the number of the term or chunk. */
export const COUNT_BITS = 8;

/** The maximum count: 64 occurrences of a word count as 63. */
export const MAX_COUNT: number = 2 ** COUNT_BITS - 1;

/** The terms of one chunk. */
export interface ChunkTerms {
  readonly file: FileTerms;
  /** The index of the chunk in the file. */
  readonly chunk: number;
}
