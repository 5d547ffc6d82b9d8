/** Splits identifiers into words, and puts other words in their places with the same capital letters. */

/** Letters, digits and underscores, not beginning with a digit. */
export const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/g;

const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9]+/g;
const IS_WORD = /^[A-Za-z]/;

/** `HTTPServer_v2` has the words `http`, `server`, `v`. */
export function wordsOf(identifier: string): string[] {
  const parts = identifier.match(PART) ?? [];
  return parts.filter((part) => IS_WORD.test(part)).map((part) => part.toLowerCase());
}

/** The same for `leastConn`, `LeastConn` and `least_conn`. */
export function normalForm(identifier: string): string {
  return wordsOf(identifier).join(" ");
}

/** Replaces each word by its image; a word without an image stays. */
export function replaceWords(identifier: string, images: ReadonlyMap<string, string>): string {
  return identifier.replace(PART, (part) => {
    const image = images.get(part.toLowerCase());
    return image === undefined ? part : likeCase(part, image);
  });
}

function likeCase(model: string, word: string): string {
  if (model.length > 1 && model === model.toUpperCase()) return word.toUpperCase();
  if (model[0] === model[0]?.toUpperCase()) return `${word[0]?.toUpperCase()}${word.slice(1)}`;
  return word;
}
