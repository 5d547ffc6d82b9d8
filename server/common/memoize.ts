/** Memoizes pure functions of a string in a bounded cache. */

import { detachString } from "./detach-string.ts";

/** Caches up to `max` results in two generations. When the newer one is full, it replaces the older one. */
export function memoize<T>(of: (text: string) => T, max: number): (text: string) => T {
  return memoizeBy(of, max, detachString);
}

/**
 * Like `memoize`, for strings that stay in memory anyway and are not substrings, such as paths. The key is the same string
 * object on each call, so V8 compares it by identity.
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
  let older = new Map<string, T>();
  return (text) => {
    const found = recent.get(text);
    if (found !== undefined) return found;
    const key = toKey(text);
    const result = older.get(key) ?? of(key);
    if (recent.size >= max / 2) [recent, older] = [new Map(), recent];
    recent.set(key, result);
    return result;
  };
}
