/** Escapes text for use in a regular expression. */

/** Matches the text as it is, outside of a character class; with the flag `u`, too, which refuses needless escapes. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
