/** The words by which the keyword lane finds a chunk. */

import type { Chunk, DescribedChunk } from "../model.ts";
import { wordsOf, wordsOfPath } from "../words.ts";

/** The chunk's words in order, then its path's. */
export function describeChunk(chunk: Chunk, path: string): DescribedChunk {
  return { ...chunk, words: [...wordsOf(chunk.text), ...wordsOfPath(path)].join(" ") };
}
