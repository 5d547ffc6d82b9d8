/** Tells which commits are the same change: a cherry-pick that was merged back, or one that was done again. */

import { hash53With } from "../common/hash.ts";
import type { CommitRow } from "../contracts/history.ts";
import type { LaneEntry } from "./lane-entry.ts";

/** A number that is equal for commits with the same words in subject, changes and paths; 0 where no line was changed. */
export function changeKey(paths: readonly string[], { texts }: LaneEntry): number {
  const { subject, added, removed } = texts;
  if (added.terms.length + removed.terms.length === 0) return 0;
  const lists = [subject, added, removed].flatMap(({ terms, counts }) => [terms, counts]);
  return hash53With(paths.join("\n"), lists);
}

/** Whether they are the same word for word, wherever the lines were. */
export function isSameChange(a: CommitRow, b: CommitRow): boolean {
  const linesOf = ({ hunks }: CommitRow) =>
    hunks.map(({ path, textHash }) => `${textHash} ${path}`).toSorted();
  return a.subject === b.subject && linesOf(a).join("\n") === linesOf(b).join("\n");
}
