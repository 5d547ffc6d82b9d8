/** Adds the vectors of a remote model to the rows of commits. */

import type { CommitRow, ReadCommit } from "../contracts/history.ts";
import { packEntry, toSmall, unpackEntry } from "./lane-entry.ts";

/** `vectors[i]` is undefined if the model did not answer; that commit is then found by its words alone. */
export function withVectors(
  rows: readonly ReadCommit[],
  vectors: readonly (Float32Array | undefined)[],
): CommitRow[] {
  return rows.map((row, i) => {
    const vector = vectors[i];
    if (vector === undefined || row.lanes === "") return row;
    const { texts } = unpackEntry(row.lanes);
    return { ...row, lanes: packEntry({ texts, vector: toSmall(vector) }) };
  });
}
