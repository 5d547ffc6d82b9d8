/** Groups commits that are the same change, such as cherry-picks, by their stored diffs. */

import { formatAge } from "../../common/time-text.ts";
import type { SameCommit } from "../../contracts/history-request.ts";
import { isSameChange } from "../change-key.ts";
import type { CommitIndex } from "../commit-index.ts";
import type { FusedCommit } from "../rank-commits.ts";
import type { HistoryIndex } from "./context.ts";

/** Commits that only looked the same become results of their own, at the end. */
export async function verifySameCommits(
  { store }: Pick<HistoryIndex, "store">,
  commits: CommitIndex,
  found: readonly FusedCommit[],
): Promise<FusedCommit[]> {
  const shaOf = ({ commit }: FusedCommit) => commits.facts(commit)?.sha ?? "";
  const grouped = found.flatMap((each) =>
    each.same === undefined || each.same.length === 0 ? [] : [each, ...each.same],
  );
  if (grouped.length === 0) return [...found];
  const rows = (await store?.history.commits(grouped.map(shaOf))) ?? [];
  const known = new Map(rows.map((row) => [row.sha, row]));
  const isSame = (a: FusedCommit, b: FusedCommit) => {
    const [first, second] = [known.get(shaOf(a)), known.get(shaOf(b))];
    return first !== undefined && second !== undefined && isSameChange(first, second);
  };
  return found.flatMap((each) => {
    const groups: [FusedCommit, ...FusedCommit[]][] = [[each]];
    for (const other of each.same ?? []) {
      const group = groups.find(([first]) => isSame(first, other));
      if (group === undefined) groups.push([other]);
      else group.push(other);
    }
    return groups.map(([first, ...same]) => ({ ...first, same }));
  });
}

export function describeSameCommits(
  commits: CommitIndex,
  same: readonly FusedCommit[] | undefined,
  nowSeconds: number,
): SameCommit[] {
  return (same ?? []).flatMap(({ commit }) => {
    const facts = commits.facts(commit);
    if (facts === undefined) return [];
    const { sha, time } = facts;
    return [{ sha, time, age: formatAge(time, nowSeconds) }];
  });
}
