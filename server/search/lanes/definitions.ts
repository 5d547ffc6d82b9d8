/** Definitions of several chunks as one list: a long one is named by each chunk that it begins in. */

import type { CodeSymbol } from "../../contracts/model.ts";

export function eachOnce(symbols: readonly CodeSymbol[]): readonly CodeSymbol[] {
  const seen = new Set<string>();
  return symbols.filter(({ name, nameLine }) => {
    const key = `${nameLine} ${name}`;
    return !seen.has(key) && seen.add(key);
  });
}
