/** Copies of strings, for what is kept longer than the text that they are part of. */

/** V8 copies shorter parts of a text; a longer one is a view that keeps the whole text alive. */
const SHORTEST_VIEW = 13;

/** The same text, which keeps no other one alive. */
export function detachString(text: string): string {
  if (text.length < SHORTEST_VIEW) return text;
  // Joined and made flat, it is a string of its own, of which the result is all but a character.
  return ` ${text}`.slice(1);
}
