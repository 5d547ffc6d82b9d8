/** Parses PHP `use` statements and required paths. */

import { splitList } from "../chains.ts";
import type { ImportStatement } from "./statement.ts";

/** Namespaces are converted to dots, as in other languages. */
export function phpImports(text: string): ImportStatement[] {
  const required = /^\s*(?:require|include)(?:_once)?\b[^;]*?["']([^"'\n]+\.\w+)["']/.exec(
    text,
  )?.[1];
  if (required !== undefined) {
    const module = required.replace(/^\/+/, "./");
    return [
      { kind: "include", module: module.startsWith(".") ? module : `./${module}`, names: [] },
    ];
  }
  const list = /^\s*use\s+(?:function\s+|const\s+)?([^;]+)/.exec(text)?.[1]?.trimEnd();
  if (list === undefined) return [];
  const [, prefix = "", group] = /^([\w\\]+)\\\{([\s\S]*)\}$/.exec(list) ?? [];
  return splitList(group ?? list).flatMap((part) => {
    const [, name, alias] =
      /^(?:function\s+|const\s+)?\\?([\w\\]+)(?:\s+as\s+(\w+))?$/i.exec(part) ?? [];
    if (name === undefined) return [];
    const module = (prefix === "" ? name : `${prefix}\\${name}`).replaceAll("\\", ".");
    const last = module.slice(module.lastIndexOf(".") + 1);
    return [
      { kind: "import" as const, module, names: [{ name: undefined, alias: alias ?? last }] },
    ];
  });
}
