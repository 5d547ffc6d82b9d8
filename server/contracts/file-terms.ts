/** The counted words of a file, as a worker hands them over: numbers in one buffer, and no object for each. */

/** What the keyword lane counts of all chunks of a file. */
export interface FileTerms {
  /** The distinct terms in UTF-8, one after the other. */
  readonly bytes: Uint8Array;
  /** Where each term ends in `bytes`. */
  readonly ends: Uint32Array;
  /** Of each term, as a `StringTable` hashes it. */
  readonly hashes: Uint32Array;
  /** Of each chunk, where its counts end. */
  readonly countEnds: Uint32Array;
  /** A term's number, with its occurrences in the chunk in the lowest `COUNT_BITS`. */
  readonly counts: Uint32Array;
  /** Of each chunk, how many words it has. */
  readonly lengths: Uint32Array;
}

/** Occurrences are counted in quarters, so that field weights add up exactly in any order. */
export const STEPS = 4;

/** Occurrences of a term in a chunk fill a byte, below the number of the term or of the chunk. */
export const COUNT_BITS = 8;

/** 64 occurrences of a word count as 63. */
export const MAX_COUNT: number = 2 ** COUNT_BITS - 1;

/** The terms of one chunk. */
export interface ChunkTerms {
  readonly file: FileTerms;
  /** By its place in the file. */
  readonly chunk: number;
}
