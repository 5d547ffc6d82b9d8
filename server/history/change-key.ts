/** Tells which commits are the same change: a cherry-pick that was merged back, or one that was done again. */

import { hash53 } from "../common/hash.ts";
import type { CommitRow } from "../contracts/history.ts";
import type { LaneEntry, TermCounts } from "./lane-entry.ts";

/** A number that is equal for commits with the same words in subject, changes and paths; 0 where no line was changed. */
export function changeKey(paths: readonly string[], { texts }: LaneEntry): number {
  const { subject, added, removed } = texts;
  if (added.terms.length + removed.terms.length === 0) return 0;
  return hash53([...paths, ...[subject, added, removed].map(textOf)].join("\n"));
}

function textOf({ terms, counts }: TermCounts): string {
  return `${terms.join()} ${counts.join()}`;
}

/** Whether they are the same word for word, wherever the lines were. */
export function isSameChange(a: CommitRow, b: CommitRow): boolean {
  const linesOf = ({ hunks }: CommitRow) =>
    hunks.map(({ path, textHash }) => `${textHash} ${path}`).toSorted();
  return a.subject === b.subject && linesOf(a).join("\n") === linesOf(b).join("\n");
}
