/** Chooses the hunks of a commit that match a query best. */

import type { DiffHunk } from "./parse-diff.ts";

const MAX_HUNKS = 3;
const MAX_PATCH_LINES = 80;

/** A word in the path or the heading counts like this many in the lines. */
const HEADING_WEIGHT = 2;

/** Best first, ties in the order of the diff. `termsOf` splits a text into normalized terms. */
export function chooseHunks(
  hunks: readonly DiffHunk[],
  queryTerms: ReadonlySet<string>,
  termsOf: (text: string) => readonly string[],
): readonly DiffHunk[] {
  if (hunks.length <= 1) return hunks;
  const scored = hunks.map((hunk, i) => {
    const [heading = "", ...lines] = hunk.text;
    const changed = lines.filter((line) => line[0] === "+" || line[0] === "-").join("\n");
    const count = (text: string) =>
      new Set(termsOf(text).filter((term) => queryTerms.has(term))).size;
    const score = HEADING_WEIGHT * count(`${heading} ${hunk.path}`) + count(changed);
    return { hunk, score, i };
  });
  return scored
    .toSorted((a, b) => b.score - a.score || a.i - b.i)
    .slice(0, MAX_HUNKS)
    .map(({ hunk }) => hunk);
}

/** The text of a hunk, cut to 80 lines. */
export function patchText(text: readonly string[]): string {
  if (text.length <= MAX_PATCH_LINES) return text.join("\n");
  const left = text.length - MAX_PATCH_LINES;
  return [...text.slice(0, MAX_PATCH_LINES), `… ${left} more lines`].join("\n");
}
