/** Escapes text for use in a regular expression. */

/** Escapes text for use outside of a character class. Valid with the flag `u`, which rejects needless escapes. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
