/** Joins the lists of several indexes into one. */

/** What merging needs of a hit. */
interface Scored {
  readonly score: number;
}

/**
 * Best score first; each list keeps its own order, and of equals the earlier list goes first.
 *
 * Scores mean the same in every index (score.ts), and never rise within a list, so comparing the heads is enough.
 */
export function mergeLists<T extends Scored>(lists: readonly (readonly T[])[], limit: number): T[] {
  const positions = lists.map(() => 0);
  const merged: T[] = [];
  while (merged.length < limit) {
    let from = -1;
    let best: T | undefined;
    lists.forEach((list, i) => {
      const head = list[positions[i] ?? 0];
      if (head !== undefined && (best === undefined || head.score > best.score))
        [from, best] = [i, head];
    });
    if (best === undefined) break;
    merged.push(best);
    positions[from] = (positions[from] ?? 0) + 1;
  }
  return merged;
}
