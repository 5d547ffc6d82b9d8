/** Merges the definitions of several chunks, with their places: a long definition spans several chunks. */

import type { CodeSymbol, Lines } from "../../contracts/model.ts";

export function eachOnce(symbols: readonly CodeSymbol[]): readonly CodeSymbol[] {
  const seen = new Set<string>();
  return symbols.filter(({ name, nameLine }) => {
    const key = `${nameLine} ${name}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Whether one of the lines is in a definition, and not its first. */
export function isAround({ start, end }: Lines, lines: readonly number[]): boolean {
  return lines.some((line) => start < line && end >= line);
}
