/** Light English stemming, so that `requests`, `requested` and `requesting` count as one word. */

/** Shorter words are mostly abbreviations (`bus`, `ring`, `used`), which stemming would merge wrongly. */
const SHORTEST_STEM = 3;

/** Longer words are identifiers written without a boundary. */
const LONGEST_WORD = 20;

const PLAIN = /^[a-z]+$/;
const VOWEL = /[aeiouy]/;

/** The stem of one lower-case word. Words that are not plain ASCII letters are returned as they are. */
export function stem(word: string): string {
  if (word.length <= SHORTEST_STEM || word.length > LONGEST_WORD || !PLAIN.test(word)) return word;
  return withoutFinalE(withoutVerbEnding(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

function withoutVerbEnding(word: string): string {
  const ending = word.endsWith("ing") ? 3 : word.endsWith("ed") ? 2 : 0;
  if (ending === 0) return word;
  const rest = word.slice(0, -ending);
  if (rest.length < SHORTEST_STEM || !VOWEL.test(rest)) return word;
  return /([bdfgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}

/** `parse` must meet `parsing`, which lost its e with the ending. */
function withoutFinalE(word: string): string {
  return word.length > SHORTEST_STEM && word.endsWith("e") ? word.slice(0, -1) : word;
}

/**
 * The terms that are counted for words as words.ts makes them: parts are stemmed, identifiers kept whole are not.
 *
 * A whole stands after its parts, so it is known by being their concatenation, or by its separator.
 */
export function termsOf(words: readonly string[]): string[] {
  return words.map((word, i) => (isWhole(words, i) ? word : stem(word)));
}

export function isWhole(words: readonly string[], at: number): boolean {
  let rest = words[at] ?? "";
  if (rest.includes("_") || rest.includes("$")) return true;
  for (let i = at - 1; i >= 0 && rest !== ""; i--) {
    const part = words[i] ?? "";
    if (part === "" || !rest.endsWith(part) || (rest.length === part.length && i === at - 1))
      return false;
    rest = rest.slice(0, -part.length);
  }
  return rest === "" && at > 0;
}
