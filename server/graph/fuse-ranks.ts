/** Merges ranked lists of files into one by reciprocal ranks: what the graph says and what commits say. */

/** Large, so that the first places of one list do not outdo a middle place in both. */
const RANK_CONSTANT = 60;

/** Best first, each path once; where two are worth the same, the one that an earlier list named first. */
export function fuseRanks(lists: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const list of lists) {
    list.forEach((path, i) => {
      scores.set(path, (scores.get(path) ?? 0) + 1 / (RANK_CONSTANT + i + 1));
    });
  }
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([path]) => path);
}
