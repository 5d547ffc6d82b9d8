/** Grades a partial name against a full name: a match of word prefixes, or of letters as a subsequence. */

import { containsInOrder } from "../../common/text.ts";

/** Fewer letters are a subsequence of too many names. */
const MIN_LETTERS = 5;
/** Minimum share of the name's letters, for word prefixes and for a subsequence. */
const MIN_SHARE_OF_WORDS = 0.3;
const MIN_SHARE_OF_LETTERS = 0.6;
/** The factor for a subsequence, relative to word prefixes. */
const LETTERS_FACTOR = 0.6;
/** The penalty for each skipped word. */
const SKIPPED_WORD = 0.15;
/** Names with more words are not matched by prefixes. */
const MAX_WORDS = 12;

/** Returns 0..1, or 0 without a match. `letters` has no separators; `words` are the words of the name. Both are in lower case. */
export function recallOf(letters: string, words: readonly string[]): number {
  const name = words.join("");
  const share = letters.length / name.length;
  if (letters.length < MIN_LETTERS || share >= 1 || letters[0] !== name[0]) return 0;
  if (share >= MIN_SHARE_OF_WORDS && words.length > 1 && words.length <= MAX_WORDS) {
    const skipped = skippedWords(letters, words);
    if (skipped !== undefined) return Math.max(0, 0.6 + 0.4 * share - SKIPPED_WORD * skipped);
  }
  if (share < MIN_SHARE_OF_LETTERS || !containsInOrder(name, letters)) return 0;
  return LETTERS_FACTOR * share;
}

/** The minimum number of words to skip so that the letters are prefixes of the other words; undefined if they never are. */
function skippedWords(letters: string, words: readonly string[]): number | undefined {
  // The minimum number of skipped words, by the number of letters consumed.
  let fewest = new Map([[0, 0]]);
  words.forEach((word, i) => {
    const next = new Map<number, number>();
    for (const [used, skipped] of fewest) {
      for (let taken = 0; taken <= word.length; taken++) {
        if (taken > 0 && letters[used + taken - 1] !== word[taken - 1]) break;
        // The first word must not be skipped.
        if (taken === 0 && i === 0) continue;
        const total = skipped + (taken === 0 ? 1 : 0);
        next.set(used + taken, Math.min(total, next.get(used + taken) ?? total));
      }
    }
    fewest = next;
  });
  return fewest.get(letters.length);
}
