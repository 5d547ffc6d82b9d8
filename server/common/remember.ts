/** Remembers what a pure function gave for a string. */

import { ownText } from "./own-text.ts";

/** Of up to `max` strings. When there are more, those that were not asked for since half of them came are forgotten. */
export function remember<T>(of: (text: string) => T, max: number): (text: string) => T {
  let recent = new Map<string, T>();
  let before = new Map<string, T>();
  return (text) => {
    const found = recent.get(text);
    if (found !== undefined) return found;
    const own = ownText(text);
    const made = before.get(own) ?? of(own);
    if (recent.size >= max / 2) [recent, before] = [new Map(), recent];
    recent.set(own, made);
    return made;
  };
}
