/** Parses C and C++ includes. */

import type { ImportStatement } from "./statement.ts";

/** Includes in angle brackets are resolved, too: many projects include their own headers that way. */
export function includes(text: string): ImportStatement[] {
  const [, bracket, module] = /^\s*#\s*include\s*(["<])([^">\n]+)[">]/.exec(text) ?? [];
  if (module === undefined) return [];
  return [{ kind: bracket === "<" ? "systemInclude" : "include", module, names: [] }];
}
