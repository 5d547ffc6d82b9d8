/** What Lua requires, and the local name that it is given. */

import { nameOfRequired } from "./required-name.ts";
import type { ImportStatement } from "./statement.ts";

export function luaImports(text: string): ImportStatement[] {
  const [, alias, module = ""] =
    /^(?:local\s+([A-Za-z_]\w*)\b[^=]*=\s*)?require\s*(?:\(\s*)?["']([\w./-]+)["']/.exec(text) ??
    [];
  if (module === "") return [];
  // Without a name it is met a second time, inside the statement that gives it one.
  if (alias === undefined)
    return [{ kind: "dynamic", module, names: [{ name: undefined, alias: nameOfRequired(text) }] }];
  return [{ kind: "import", module, names: [{ name: undefined, alias }] }];
}
