/** How well letters abbreviate a name by the beginnings of its words: `SMS`, `SeMeSe` and `sms` for SeriesMetadataService. */

/** More letters are not an abbreviation. */
const MAX_LETTERS = 24;
/** Longer names are data, or sentences of tests. */
const MAX_WORDS = 16;
const MIN_LETTERS = 3;

/** What a name loses with each of its words that has no letter: before the first one that has, between two, behind the last. */
const LEAD = 0.12;
const GAP = 0.15;
const TAIL = 0.06;
/** Among names that are abbreviated equally well, the shorter one: a tenth of the smallest of these at 60 letters. */
const LENGTH = 0.0001;

/**
 * 0 to 1, and 0 where the letters are not beginnings of words in their order; both in lower case. One letter of a word is
 * enough: the words that have none count.
 */
export function humpsShare(letters: string, words: readonly string[]): number {
  if (letters.length < MIN_LETTERS || letters.length > MAX_LETTERS) return 0;
  if (words.length < 2 || words.length > MAX_WORDS) return 0;
  // Said sooner of most names than by comparing all letters.
  if (!words.some((word) => word.charCodeAt(0) === letters.charCodeAt(0))) return 0;
  let best = 0;
  const last = letters.length;
  /** The loss after a word, by the number of letters consumed; undefined if that number cannot be reached. */
  let losses: (number | undefined)[] = [];
  for (const [i, word] of words.entries()) {
    const next: (number | undefined)[] = losses.map((loss) => loss && loss + GAP);
    // The first letter may begin any word.
    const before = [...losses];
    before[0] = 1 + i * LEAD;
    for (let used = 0; used < last; used++) {
      const loss = before[used];
      if (loss === undefined) continue;
      for (let taken = 1; taken <= word.length && used + taken <= last; taken++) {
        if (letters[used + taken - 1] !== word[taken - 1]) break;
        const at = used + taken;
        next[at] = Math.min(next[at] ?? Infinity, loss);
      }
    }
    const whole = next[last];
    if (whole !== undefined) {
      best = Math.max(best, 2 - whole - (words.length - 1 - i) * TAIL);
      next[last] = undefined;
    }
    losses = next;
  }
  const length = words.reduce((sum, word) => sum + word.length, 0);
  return best === 0 ? 0 : Math.max(0.05, best - LENGTH * length);
}

/** The letters that a name's words begin with, and its capitals, as `lettersOf` has letters: all of an abbreviation's are there. */
export function startsOf(name: string, words: readonly string[]): string {
  return (
    words.map((word) => word.slice(0, 1)).join("") + name.replaceAll(/\P{Lu}/gu, "").toLowerCase()
  );
}
