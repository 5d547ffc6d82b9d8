/** Whether two words differ by a few slips of the finger. */

/**
 * Insertions, deletions, substitutions and swaps of neighbors (restricted Damerau-Levenshtein), counted up to `most`;
 * undefined when more are needed.
 */
export function editsBetween(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let edits = Math.min(
        (previous[j] ?? most) + 1,
        (row[j - 1] ?? most) + 1,
        (previous[j - 1] ?? most) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, (before[j - 2] ?? most) + 1);
      row.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return undefined;
    [before, previous] = [previous, row];
  }
  const edits = previous[b.length] ?? most + 1;
  return edits <= most ? edits : undefined;
}

/** The letters of a word as bits, other characters by their last five bits; several may share one. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

/** Whether words of these letters may be so few edits apart: each brings or takes two kinds of letters at most. */
export function mayBeWithin(a: number, b: number, edits: number): boolean {
  let kinds = 0;
  for (let apart = a ^ b; apart !== 0; apart &= apart - 1) kinds++;
  return kinds <= 2 * edits;
}
