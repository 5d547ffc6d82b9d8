/** Finds Elixir modules referenced by their full name: `Shop.Pool.open(1)`, `%Shop.Order{}`. */

import type { ImportStatement } from "./statement.ts";

/** Documentation and comments; `#{` is an interpolation. Only the last string of a text may be unterminated. */
const PROSE = /"""[^]*?"""|'''[^]*?'''|#(?!\{)[^\n]*/g;
const MODULE = /(?<![\w.:"])([A-Z]\w*(?:\.[A-Z]\w*)+)/g;
const ALIAS =
  /^[ \t]*alias\s+([A-Z][\w.]*?)(?:\.\{([^}]{0,2000})\}|\s*,\s*as:\s*([A-Z]\w*))?[ \t]*$/gm;

type Named = ImportStatement & { readonly line: number };

/** Blanks documentation and comments; line numbers do not change. */
export function withoutElixirProse(text: string): string {
  return text.replaceAll(PROSE, (prose) => prose.replaceAll(/[^\n]+/g, ""));
}

/** Each module at its first reference, without modules that a statement imports. */
export function namedElixirModules(code: string, statements: readonly ImportStatement[]): Named[] {
  const known = new Set(statements.map(({ module }) => module));
  const aliases = aliasesOf(code);
  const named: Named[] = [];
  let [line, at] = [0, 0];
  for (const match of code.matchAll(MODULE)) {
    for (let next = code.indexOf("\n", at); next >= 0 && next < match.index; ) {
      line++;
      at = next + 1;
      next = code.indexOf("\n", at);
    }
    const [first = "", ...rest] = (match[1] ?? "").split(".");
    const module = [aliases.get(first) ?? first, ...rest].join(".");
    if (known.has(module)) continue;
    known.add(module);
    named.push({ kind: "type", module, names: [], line });
  }
  return named;
}

function aliasesOf(code: string): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const [, module = "", group, as] of code.matchAll(ALIAS)) {
    const names = group?.split(",").map((one) => `${module}.${one.trim()}`) ?? [module];
    for (const name of names) aliases.set(as ?? name.slice(name.lastIndexOf(".") + 1), name);
  }
  return aliases;
}
