/** The `using` directives of C#. */

import type { ImportStatement } from "./statement.ts";

/** A namespace makes all its names visible; an alias is one class. */
export function csharpImports(text: string): ImportStatement[] {
  const plain = text.replace(/^\s*(?:global\s+)?using\s+(?:static\s+)?/, "");
  const [, alias, name] = /^(?:(\w+)\s*=\s*)?(?:global::)?([\w.]+)/.exec(plain) ?? [];
  if (name === undefined) return [];
  if (alias === undefined) return [{ kind: "wildcard", module: name, names: [] }];
  return [{ kind: "import", module: name, names: [{ name: undefined, alias }] }];
}
