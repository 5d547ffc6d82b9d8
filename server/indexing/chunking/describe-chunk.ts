/** The words by which the keyword lane finds a chunk. */

import { wordsOf, wordsOfPath } from "../../common/words.ts";
import type { Chunk, DescribedChunk } from "../../contracts/model.ts";

/** The chunk's words in order, then its path's. */
export function describeChunk(chunk: Chunk, path: string): DescribedChunk {
  return { ...chunk, words: [...wordsOf(chunk.text), ...wordsOfPath(path)].join(" ") };
}
