/** The includes of C and C++. */

import type { ImportStatement } from "./statement.ts";

/** What is in angle brackets is looked for too: many programs include their own headers so. */
export function includes(text: string): ImportStatement[] {
  const [, bracket, module] = /^\s*#\s*include\s*(["<])([^">\n]+)[">]/.exec(text) ?? [];
  if (module === undefined) return [];
  return [{ kind: bracket === "<" ? "systemInclude" : "include", module, names: [] }];
}
