/** The imports of Java from the text of a statement. */

import type { ImportStatement } from "./statement.ts";

/** `static` is no part of what is imported: whether a name is a class or a member shows when it is looked for. */
export function javaImports(text: string): ImportStatement[] {
  const name = /^\s*import\s+(?:static\s+)?([\w$]+(?:\s*\.\s*[\w$]+)*(?:\s*\.\s*\*)?)/
    .exec(text)?.[1]
    ?.replaceAll(/\s/g, "");
  if (name === undefined) return [];
  if (name.endsWith(".*")) return [{ kind: "wildcard", module: name.slice(0, -2), names: [] }];
  return [{ kind: "import", module: name, names: [{ name: undefined, alias: lastPart(name) }] }];
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
