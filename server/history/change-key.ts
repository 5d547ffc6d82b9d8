/** Recognizes commits that make the same change, such as cherry-picks and backports. */

import { hash53With } from "../common/hash.ts";
import type { CommitRow } from "../contracts/history.ts";
import type { LaneEntry } from "./lane-entry.ts";

/** A hash of the words in subject and diff and of the paths; 0 if no line was changed. */
export function changeKey(paths: readonly string[], { texts }: LaneEntry): number {
  const { subject, added, removed } = texts;
  if (added.terms.length + removed.terms.length === 0) return 0;
  const lists = [subject, added, removed].flatMap(({ terms, counts }) => [terms, counts]);
  return hash53With(paths.join("\n"), lists);
}

/** Whether subject, paths and changed lines are equal; line numbers may differ. */
export function isSameChange(a: CommitRow, b: CommitRow): boolean {
  const linesOf = ({ hunks }: CommitRow) =>
    hunks.map(({ path, textHash }) => `${textHash} ${path}`).toSorted();
  return a.subject === b.subject && linesOf(a).join("\n") === linesOf(b).join("\n");
}
