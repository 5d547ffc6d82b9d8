/** How well letters recall a name of which only parts are remembered: the beginnings of its words, or letters in their order. */

/** Fewer letters are in too many names in their order. */
const MIN_LETTERS = 5;
/** Of the name, as beginnings of its words and as mere letters. */
const MIN_SHARE_OF_WORDS = 0.3;
const MIN_SHARE_OF_LETTERS = 0.6;
/** What mere letters are worth, beside beginnings of words. */
const LETTERS_FACTOR = 0.6;
/** Lost with each word that is not remembered. */
const SKIPPED_WORD = 0.15;
/** Longer ones are no names that anybody remembers in parts. */
const MAX_WORDS = 12;

/** 0..1, and 0 where they do not; both in lower case, `letters` without separators, `words` those of the name. */
export function recallOf(letters: string, words: readonly string[]): number {
  const name = words.join("");
  const share = letters.length / name.length;
  if (letters.length < MIN_LETTERS || share >= 1 || letters[0] !== name[0]) return 0;
  if (share >= MIN_SHARE_OF_WORDS && words.length > 1 && words.length <= MAX_WORDS) {
    const skipped = skippedWords(letters, words);
    if (skipped !== undefined) return Math.max(0, 0.6 + 0.4 * share - SKIPPED_WORD * skipped);
  }
  if (share < MIN_SHARE_OF_LETTERS || !isInOrder(letters, name)) return 0;
  return LETTERS_FACTOR * share;
}

/** How many words are skipped at least where the letters are beginnings of the others; undefined where they are not. */
function skippedWords(letters: string, words: readonly string[]): number | undefined {
  // By the number of letters that are used up.
  let fewest = new Map([[0, 0]]);
  words.forEach((word, i) => {
    const next = new Map<number, number>();
    for (const [used, skipped] of fewest) {
      for (let taken = 0; taken <= word.length; taken++) {
        if (taken > 0 && letters[used + taken - 1] !== word[taken - 1]) break;
        // The first word is always remembered.
        if (taken === 0 && i === 0) continue;
        const total = skipped + (taken === 0 ? 1 : 0);
        next.set(used + taken, Math.min(total, next.get(used + taken) ?? total));
      }
    }
    fewest = next;
  });
  return fewest.get(letters.length);
}

function isInOrder(letters: string, name: string): boolean {
  let found = 0;
  for (let i = 0; i < name.length && found < letters.length; i++) {
    if (name[i] === letters[found]) found++;
  }
  return found === letters.length;
}
