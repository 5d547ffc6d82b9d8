/** Parses Lua `require` calls and their local names. */

import { nameOfRequired } from "./required-name.ts";
import type { ImportStatement } from "./statement.ts";

export function luaImports(text: string): ImportStatement[] {
  const [, alias, module = ""] =
    /^(?:local\s+([A-Za-z_]\w*)\b[^=]*=\s*)?require\s*(?:\(\s*)?["']([\w./-]+)["']/.exec(text) ??
    [];
  if (module === "") return [];
  // The call inside an assignment is matched a second time, without a name.
  if (alias === undefined)
    return [{ kind: "dynamic", module, names: [{ name: undefined, alias: nameOfRequired(text) }] }];
  return [{ kind: "import", module, names: [{ name: undefined, alias }] }];
}
