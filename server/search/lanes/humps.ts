/** How well letters abbreviate a name by the beginnings of its words: `SMS`, `SeMeSe` and `sms` for SeriesMetadataService. */

/** More letters are not an abbreviation. */
const MAX_LETTERS = 24;
/** Longer names are data, or sentences of tests. */
const MAX_WORDS = 16;
const MIN_LETTERS = 3;

/** The loss for each word of a name that has no letter of the query: before the first word with a letter, between two, after the last. */
const LEAD = 0.12;
const GAP = 0.15;
const TAIL = 0.06;
/** Among names that are abbreviated equally well, the shorter one: a tenth of the smallest of these at 60 letters. */
const LENGTH = 0.0001;

/** The losses after a word and after the next one, by the number of letters consumed: Infinity if that number cannot be reached. */
const ROWS: [Float64Array, Float64Array] = [
  new Float64Array(MAX_LETTERS + 1),
  new Float64Array(MAX_LETTERS + 1),
];

/**
 * 0 to 1, and 0 where the letters are not beginnings of words in their order; both in lower case. One letter of a word is
 * enough: the words that have none count.
 */
export function humpsShare(letters: string, words: readonly string[]): number {
  const last = letters.length;
  if (last < MIN_LETTERS || last > MAX_LETTERS) return 0;
  if (words.length < 2 || words.length > MAX_WORDS) return 0;
  // Said sooner of most names than by comparing all letters.
  if (!isAnyBegun(words, letters.charCodeAt(0))) return 0;
  let best = 0;
  let [losses, next] = ROWS;
  losses.fill(Infinity, 0, last + 1);
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    // The first letter may begin any word.
    losses[0] = 1 + i * LEAD;
    next[0] = Infinity;
    for (let used = 1; used <= last; used++) next[used] = (losses[used] as number) + GAP;
    for (let used = 0; used < last; used++) {
      const loss = losses[used] as number;
      if (loss === Infinity) continue;
      for (let taken = 1; taken <= word.length && used + taken <= last; taken++) {
        const at = used + taken;
        if (letters.charCodeAt(at - 1) !== word.charCodeAt(taken - 1)) break;
        if (loss < (next[at] as number)) next[at] = loss;
      }
    }
    if (next[last] !== Infinity) {
      best = Math.max(best, 2 - (next[last] as number) - (words.length - 1 - i) * TAIL);
      next[last] = Infinity;
    }
    [losses, next] = [next, losses];
  }
  if (best === 0) return 0;
  let length = 0;
  for (const word of words) length += word.length;
  return Math.max(0.05, best - LENGTH * length);
}

function isAnyBegun(words: readonly string[], letter: number): boolean {
  for (const word of words) if (word.charCodeAt(0) === letter) return true;
  return false;
}

/** The letters that a name's words begin with, and its capitals, as `lettersOf` has letters: all of an abbreviation's are there. */
export function startsOf(name: string, words: readonly string[]): string {
  return (
    words.map((word) => word.slice(0, 1)).join("") + name.replaceAll(/\P{Lu}/gu, "").toLowerCase()
  );
}

/** A capital, or what begins a word. */
const INITIAL = /\p{Lu}|(?<![\p{L}\p{N}])[\p{L}\p{N}]|(?<!\p{N})\p{N}|(?<=\p{N})\p{L}/gu;

/**
 * The letters of a name that may be its initials, in order and lower case: `httpc` for `HTTPClient`. Where all letters are
 * capitals (`MAX_SIZE`), only the first letters of words.
 */
export function initialsOf(name: string, words: readonly string[]): string {
  if (!/\p{Ll}/u.test(name)) return words.map((word) => word.slice(0, 1)).join("");
  return (name.match(INITIAL) ?? []).join("").toLowerCase();
}
