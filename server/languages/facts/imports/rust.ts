/** Parses Rust imports from the text of an item. */

import { splitList } from "../chains.ts";
import type { ImportStatement } from "./statement.ts";

/** Depth limit of nested `use` lists. */
const MAX_DEPTH = 8;

export function rustImports(text: string): ImportStatement[] {
  const plain = text.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, " ");
  const module = /^\s*(?:pub(?:\s*\([^)]*\))?\s+)?mod\s+(\w+)\s*;/.exec(plain)?.[1];
  if (module !== undefined)
    return [{ kind: "module", module, names: [{ name: undefined, alias: module }] }];
  const external = /^\s*(?:pub\s+)?extern\s+crate\s+(\w+)(?:\s+as\s+(\w+))?/.exec(plain);
  if (external !== null) {
    const [, name = "", alias = name] = external;
    return [{ kind: "import", module: `::${name}`, names: [{ name: undefined, alias }] }];
  }
  const use = /^\s*(pub(?:\s*\([^)]*\))?\s+)?use\s+([^;]*)/.exec(plain);
  if (use === null) return [];
  return tree(use[2] ?? "", "", use[1] !== undefined, 0);
}

/** `a::{b, c as d, e::*, self}`. */
function tree(text: string, prefix: string, isPublic: boolean, depth: number): ImportStatement[] {
  if (depth > MAX_DEPTH) return [];
  const part = text.trim();
  const [, before = "", list] = /^([\w\s:]*?)\{([\s\S]*)\}$/.exec(part) ?? [];
  if (list !== undefined) {
    const path = join(prefix, before.replaceAll(/\s/g, "").replace(/::$/, ""));
    return splitList(list).flatMap((one) => tree(one, path, isPublic, depth + 1));
  }
  const [, name = "", alias] = /^([\w\s:*#]+?)(?:\s+as\s+(\w+))?$/.exec(part) ?? [];
  const own = name.replaceAll(/\s|r#/g, "");
  if (own === "") return [];
  if (own === "*" || own.endsWith("::*")) {
    const module = join(prefix, own.replace(/(?:::)?\*$/, ""));
    return [{ kind: isPublic ? "wildcardReexport" : "wildcard", module, names: [] }];
  }
  const module = own === "self" ? prefix : join(prefix, own);
  const last = module.slice(module.lastIndexOf(":") + 1);
  const names = [{ name: undefined, alias: alias ?? last }];
  return [{ kind: isPublic ? "reexport" : "import", module, names }];
}

function join(prefix: string, name: string): string {
  if (prefix === "") return name;
  return name === "" ? prefix : `${prefix}::${name}`;
}
