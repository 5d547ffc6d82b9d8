/** The imports of Java, Kotlin and Scala from the text of a statement. */

import { splitList } from "../chains.ts";
import type { ImportStatement } from "./statement.ts";

/** `static` is no part of what is imported: whether a name is a class or a member shows when it is looked for. */
export function javaImports(text: string): ImportStatement[] {
  const name = /^\s*import\s+(?:static\s+)?([\w.$]+(?:\s*\.\s*[\w$]+)*(?:\.\*)?)/
    .exec(text)?.[1]
    ?.replaceAll(/\s/g, "");
  if (name === undefined) return [];
  if (name.endsWith(".*")) return [{ kind: "wildcard", module: name.slice(0, -2), names: [] }];
  return [{ kind: "import", module: name, names: [{ name: undefined, alias: lastPart(name) }] }];
}

export function kotlinImports(text: string): ImportStatement[] {
  return text.split("\n").flatMap((line, lineOffset): ImportStatement[] => {
    const [, name, alias] = /^\s*import\s+([\w.`]+(?:\.\*)?)(?:\s+as\s+(\w+))?/.exec(line) ?? [];
    if (name === undefined) return [];
    const plain = name.replaceAll("`", "");
    if (plain.endsWith(".*"))
      return [{ kind: "wildcard", module: plain.slice(0, -2), names: [], lineOffset }];
    const names = [{ name: undefined, alias: alias ?? lastPart(plain) }];
    return [{ kind: "import", module: plain, names, lineOffset }];
  });
}

export function scalaImports(text: string): ImportStatement[] {
  const list = text.replace(/^\s*(?:import|export)\s+/, "").replaceAll(/\/\/[^\n]*/g, "");
  return splitList(list).flatMap((part): ImportStatement[] => {
    const [, prefix = "", selectors] = /^([\w.`$]+?)\.\{([\s\S]*)\}$/.exec(part) ?? [];
    if (selectors === undefined) return scalaName(part.replaceAll(/[\s`]/g, ""));
    return splitList(selectors).flatMap((selector): ImportStatement[] => {
      const [name = "", alias] = selector.split(/\s*(?:=>|\bas\b)\s*/);
      if (alias === "_") return [];
      if (name === "_" || name === "*" || name === "given")
        return [{ kind: "wildcard", module: prefix, names: [] }];
      const names = [{ name: undefined, alias: alias ?? name }];
      return [{ kind: "import", module: `${prefix}.${name}`, names }];
    });
  });
}

function scalaName(name: string): ImportStatement[] {
  const wildcard = /^(.*)\.(?:_|\*|given)$/.exec(name)?.[1];
  if (wildcard !== undefined) return [{ kind: "wildcard", module: wildcard, names: [] }];
  if (!/^[\w.$]+$/.test(name)) return [];
  return [{ kind: "import", module: name, names: [{ name: undefined, alias: lastPart(name) }] }];
}

export function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
