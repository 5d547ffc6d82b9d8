/** Copies a substring, so that it does not keep its whole text in memory. */

/** V8 copies shorter substrings. A longer one is a sliced string, a view that keeps the whole text alive. */
const MIN_SLICED_LENGTH = 13;

/** Returns an equal string that is not a view of another one. */
export function detachString(text: string): string {
  if (text.length < MIN_SLICED_LENGTH) return text;
  // Concatenation creates a new string; `slice` flattens it, and the result is a view of the copy alone.
  return ` ${text}`.slice(1);
}
