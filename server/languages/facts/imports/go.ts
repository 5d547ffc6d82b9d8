/** The imports of Go from the text of one specification. */

import type { ImportStatement } from "./statement.ts";

/** The alias is empty where the package's own name counts. */
export function goImports(text: string): ImportStatement[] {
  const [, alias = "", module] = /^\s*(?:([\w.]+)\s+)?["`]([^"`]+)["`]/.exec(text) ?? [];
  if (module === undefined) return [];
  if (alias === "_") return [{ kind: "sideEffect", module, names: [] }];
  if (alias === ".") return [{ kind: "wildcard", module, names: [] }];
  return [{ kind: "import", module, names: [{ name: undefined, alias }] }];
}
