/** Typo tolerance for names of symbols and files: the edit distance between two words, up to a maximum number of typos. */

/** Three rows of the dynamic programming table, reused by all calls and replaced for longer words. */
let rows = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)] as const;

/**
 * The restricted Damerau-Levenshtein distance: insertions, deletions, substitutions and transpositions of neighbors.
 * Undefined if the distance exceeds `most`. Only the cells within `most` of the diagonal are computed.
 */
export function editsBetween(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined;
  if (b.length + 2 > rows[0].length) {
    const length = b.length * 2;
    rows = [new Uint8Array(length), new Uint8Array(length), new Uint8Array(length)];
  }
  let [older, previous, row] = rows;
  const tooMany = most + 1;
  for (let j = 0; j <= tooMany; j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - most);
    const to = Math.min(b.length, i + most);
    let left = from === 1 ? Math.min(i, tooMany) : tooMany;
    let least = left;
    row[from - 1] = left;
    const code = a.charCodeAt(i - 1);
    const codeBefore = i > 1 ? a.charCodeAt(i - 2) : -1;
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(j - 1);
      let edits = Math.min((previous[j - 1] as number) + (code === other ? 0 : 1), left + 1);
      edits = Math.min(edits, (previous[j] as number) + 1, tooMany);
      if (j > 1 && codeBefore === other && code === b.charCodeAt(j - 2))
        edits = Math.min(edits, (older[j - 2] as number) + 1);
      row[j] = edits;
      left = edits;
      least = Math.min(least, edits);
    }
    row[to + 1] = tooMany;
    if (least > most) return undefined;
    [older, previous, row] = [previous, row, older];
  }
  const edits = previous[b.length] as number;
  return edits <= most ? edits : undefined;
}

/** A bit mask of the letters of a word. Other characters use their last five bits, so several may share a bit. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

/**
 * A cheap test before `editsBetween`: whether words with these letter masks can be within `edits` of each other, if the
 * second word is `by` letters longer. Every other edit removes at most one letter and adds at most one.
 */
export function mayBeWithin(a: number, b: number, edits: number, by: number): boolean {
  return (
    countBits(a & ~b) <= edits - Math.max(0, by) && countBits(b & ~a) <= edits + Math.min(0, by)
  );
}

function countBits(bits: number): number {
  let sums = bits - ((bits >>> 1) & 0x55555555);
  sums = (sums & 0x33333333) + ((sums >>> 2) & 0x33333333);
  return Math.imul((sums + (sums >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
