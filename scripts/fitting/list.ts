/** The list of one question: its first chunks, with their features and whether they answer it, and the order of a model. */

import { getOrCreate } from "../../server/common/get-or-create.ts";
import { fileFactors, fileOrderStrength } from "../../server/search/boosts/file-order.ts";
import { usualFactor } from "../../server/search/boosts/saturation.ts";

export interface Chunk {
  readonly path: string;
  readonly isRight: boolean;
  /** The features of the boost, in the order of PLACE_FEATURES; the first is the score as a share of the best. */
  readonly features: readonly number[];
  readonly isInRightFile: boolean;
  readonly wordsInFile: number;
}

/** The hits of a question by score, before the places within files are chosen. */
export interface List {
  readonly repo: string;
  readonly style: string;
  readonly query: string;
  /** Whether the boost compares the places of this question. */
  readonly isOpen: boolean;
  readonly chunks: readonly Chunk[];
}

/** The chunks of each file, in the order of the list. */
export function chunksByFile(chunks: readonly Chunk[]): Chunk[][] {
  const files = new Map<string, Chunk[]>();
  for (const chunk of chunks) getOrCreate(files, chunk.path, () => []).push(chunk);
  return [...files.values()];
}

/**
 * The displayed order: the best chunk by `valueOf` gets the best score of its file, and so on; further chunks of a file are
 * then lowered, as saturation does. Without `valueOf`, the order before the boost. With `fileValueOf`, files are ordered first, as
 * `file-order` does.
 */
export function displayed(
  { chunks, query, isOpen }: List,
  valueOf?: (features: readonly number[]) => number,
  fileValueOf?: (chunks: readonly Chunk[]) => number,
): Chunk[] {
  const files = chunksByFile(chunks);
  const values = isOpen && fileValueOf !== undefined ? files.map(fileValueOf) : [];
  const factors = fileFactors(values, fileOrderStrength(query));
  const ranked = files.flatMap((file, at) => {
    const ordered =
      valueOf === undefined || !isOpen
        ? file
        : file.toSorted((a, b) => valueOf(b.features) - valueOf(a.features));
    return ordered.map((chunk, i) => ({
      chunk,
      score: (file[i]?.features[0] ?? 0) * (factors[at] ?? 1) * usualFactor(i),
    }));
  });
  return ranked.toSorted((a, b) => b.score - a.score).map(({ chunk }) => chunk);
}

/** Whether a right chunk is among the first k. */
export function isFound(chunks: readonly Chunk[], k: number): boolean {
  return chunks.slice(0, k).some(({ isRight }) => isRight);
}
