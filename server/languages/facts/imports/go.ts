/** Parses a Go import specification. */

import type { ImportStatement } from "./statement.ts";

/** An empty alias means the name of the package. */
export function goImports(text: string): ImportStatement[] {
  const [, alias = "", module] = /^\s*(?:([\w.]+)\s+)?["`]([^"`]+)["`]/.exec(text) ?? [];
  if (module === undefined) return [];
  if (alias === "_") return [{ kind: "sideEffect", module, names: [] }];
  if (alias === ".") return [{ kind: "wildcard", module, names: [] }];
  return [{ kind: "import", module, names: [{ name: undefined, alias }] }];
}
