/** Remembers what a pure function gave for a string. */

import { detachString } from "./detach-string.ts";

/** Of up to `max` strings. When there are more, those that were not asked for since half of them came are forgotten. */
export function memoize<T>(of: (text: string) => T, max: number): (text: string) => T {
  return memoizeBy(of, max, detachString);
}

/**
 * The same for strings that are kept anyway and are no part of a longer one, such as the paths of lanes. What is asked
 * for again is then the very string that was remembered, and is found without being compared letter by letter.
 */
export function memoizeRetained<T>(of: (text: string) => T, max: number): (text: string) => T {
  return memoizeBy(of, max, (text) => text);
}

function memoizeBy<T>(
  of: (text: string) => T,
  max: number,
  toKey: (text: string) => string,
): (text: string) => T {
  let recent = new Map<string, T>();
  let before = new Map<string, T>();
  return (text) => {
    const found = recent.get(text);
    if (found !== undefined) return found;
    const key = toKey(text);
    const made = before.get(key) ?? of(key);
    if (recent.size >= max / 2) [recent, before] = [new Map(), recent];
    recent.set(key, made);
    return made;
  };
}
