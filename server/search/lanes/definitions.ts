/** Definitions of several chunks as one list: a long one is named by each chunk that it begins in. */

import type { CodeSymbol } from "../../contracts/model.ts";

export function eachOnce(symbols: readonly CodeSymbol[]): readonly CodeSymbol[] {
  const seen = new Set<string>();
  return symbols.filter(({ name, nameLine }) => {
    const key = `${nameLine} ${name}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Whether one of the lines is in the definition and not its first, or whether it is a class where these are wanted. */
export function isAround(
  { type, lines: own }: Pick<CodeSymbol, "type" | "lines">,
  lines: readonly number[],
  withClasses: boolean,
): boolean {
  if (withClasses && type === "class") return true;
  return lines.some((line) => own.start < line && own.end >= line);
}
