/** Parses Java, Kotlin and Scala imports from the text of a statement. */

import { splitList } from "../chains.ts";
import type { ImportStatement } from "./statement.ts";

/** Drops `static`: the resolver decides whether a name is a class or a member. */
export function javaImports(text: string): ImportStatement[] {
  const name = /^\s*import\s+(?:static\s+)?([\w$]+(?:\s*\.\s*[\w$]+)*(?:\s*\.\s*\*)?)/.exec(
    text,
  )?.[1];
  return named(name?.replaceAll(/\s/g, ""), undefined);
}

export function kotlinImports(text: string): ImportStatement[] {
  const [, name, alias] =
    /^\s*import\s+([\w`]+(?:\.[\w`]+)*(?:\.\*)?)(?:\s+as\s+(\w+))?/.exec(text) ?? [];
  return named(name?.replaceAll("`", ""), alias);
}

/** `import a.b.{C, D => E, _}, f.g._`; Scala 3 writes `*` and `as`. */
export function scalaImports(text: string): ImportStatement[] {
  const list = /^\s*import\s+([\s\S]+)$/.exec(text)?.[1] ?? "";
  return splitList(list).flatMap((part) => {
    const [, prefix = "", selectors] = /^([\w.]+?)\.\{([\s\S]*)\}$/.exec(part) ?? [];
    if (selectors === undefined) return named(part.replace(/\._$/, ".*"), undefined);
    return splitList(selectors).flatMap((selector) => {
      const [, name, alias] = /^(\w+|\*)(?:(?:\s*=>\s*|\s+as\s+)(\w+))?$/.exec(selector) ?? [];
      if (name === undefined || alias === "_") return [];
      return named(`${prefix}.${name === "_" ? "*" : name}`, alias);
    });
  });
}

function named(name: string | undefined, alias: string | undefined): ImportStatement[] {
  if (name === undefined || name === "") return [];
  if (name.endsWith(".*")) return [{ kind: "wildcard", module: name.slice(0, -2), names: [] }];
  const last = name.slice(name.lastIndexOf(".") + 1);
  return [{ kind: "import", module: name, names: [{ name: undefined, alias: alias ?? last }] }];
}
