/** Parses Ruby `require` and `require_relative` paths. */

import type { ImportStatement } from "./statement.ts";

export function rubyImports(text: string): ImportStatement[] {
  const [, how = "", module = ""] =
    /^\s*(require_relative|require|load|autoload)\b[^"']*["']([^"'#\n]+)["']/.exec(text) ?? [];
  if (module === "") return [];
  const isRelative = how === "require_relative" && !module.startsWith(".");
  return [{ kind: "include", module: isRelative ? `./${module}` : module, names: [] }];
}
