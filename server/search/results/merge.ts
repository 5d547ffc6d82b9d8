/** Merges the ranked lists of several indexes. */

import { join } from "node:path";
import type { Lines } from "../../contracts/model.ts";

/** The fields of a hit that merging reads. */
interface Placed {
  readonly score: number;
  readonly root: string;
  readonly facts: { readonly path: string; readonly lines: Lines };
}

/**
 * Best score first; each list keeps its own order, and the earlier list wins a tie. Duplicate places are dropped: a folder
 * may be open beside a repository in it, which has an index of its own.
 *
 * Scores mean the same in every index (score.ts), and never rise within a list, so comparing the heads is enough.
 */
export function mergeLists<T extends Placed>(lists: readonly (readonly T[])[], limit: number): T[] {
  if (lists.length === 1) return lists.flatMap((list) => list.slice(0, limit));
  const places = new Set<string>();
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
    const place = placeOf(best);
    if (!places.has(place)) merged.push(best);
    places.add(place);
    positions[from] = (positions[from] ?? 0) + 1;
  }
  return merged;
}

function placeOf({ root, facts: { path, lines } }: Placed): string {
  return JSON.stringify([join(root, path), lines.start, lines.end]);
}
