/** Parses Python imports from the text of a statement. */

import { splitList } from "../chains.ts";
import type { ImportStatement } from "./statement.ts";

export function pythonImports(text: string): ImportStatement[] {
  const plain = text.replaceAll(/#[^\n]*|\\\n/g, " ");
  const from = /^\s*from\b([.\w\s]*?)\bimport\b([\s\S]*)$/.exec(plain);
  if (from !== null) {
    const module = (from[1] ?? "").replaceAll(/\s/g, "");
    const list = (from[2] ?? "").replaceAll(/[()]/g, " ").trim();
    if (list === "*") return [{ kind: "wildcard", module, names: [] }];
    return [{ kind: "import", module, names: splitList(list).flatMap(aliased) }];
  }
  const list = /^\s*import\s+([\s\S]*)$/.exec(plain)?.[1] ?? "";
  return splitList(list).flatMap((part) => {
    const [, module, alias] = /^([\w.]+)(?:\s+as\s+(\w+))?$/.exec(part) ?? [];
    if (module === undefined) return [];
    // `import a.b` binds `a`; with an alias, the alias is the module `a.b`.
    const names = alias === undefined ? [] : [{ name: undefined, alias }];
    return [{ kind: "import" as const, module, names }];
  });
}

function aliased(part: string) {
  const [, name, alias] = /^(\w+)(?:\s+as\s+(\w+))?$/.exec(part) ?? [];
  return name === undefined ? [] : [{ name, alias: alias ?? name }];
}
