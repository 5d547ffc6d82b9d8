/** Normalizes the text of a name node to a name as people write it. */

import type { Language } from "./table.ts";

/** Names of tests that are sentences reach 150 characters. Longer texts are computed keys or macro calls. */
const MAX_NAME_LENGTH = 300;

/** The limit before template arguments are removed. */
const MAX_WRITTEN_LENGTH = 2_000;

/** Undefined if the text is not a name. */
export function nameOf(text: string, separator: Language["separator"]): string | undefined {
  if (text.length > MAX_WRITTEN_LENGTH) return undefined;
  const name = separator === "::" ? withoutTemplates(text) : withDots(text);
  return name === "" || name.length > MAX_NAME_LENGTH || name.includes("\n") ? undefined : name;
}

/** `Foo<T>::bar` -> `Foo::bar`. An operator name is kept. */
function withoutTemplates(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll(/ ?:: ?/g, "::");
  const operator = /\boperator ?(?:\( ?\)|[^(]+)/.exec(line);
  let scopes = operator === null ? line : line.slice(0, operator.index);
  // Innermost brackets first, because they nest.
  for (let before = ""; before !== scopes; ) {
    before = scopes;
    scopes = scopes.replaceAll(/<[^<>]*>/g, "");
  }
  return (scopes + (operator?.[0] ?? "")).replace(/^[^\w~]+/, "").trimEnd();
}

/** `exports.load`, `this.load` -> `load`; `Foo.prototype.bar` -> `Foo.bar`; `"key"` -> `key`; `A::B` -> `A.B`. */
function withDots(text: string): string {
  return text
    .trim()
    .replace(/^\[\s*((["']).*\2)\s*\]$/s, "$1")
    .replace(/^(["'])(.*)\1$/s, "$2")
    .replace(/^(?:module\.)?exports(?:\.|$)/, "")
    .replace(/^(?:this|self|window|globalThis)\./, "")
    .replace(".prototype.", ".")
    .replaceAll(/\s*::\s*/g, ".")
    .replace(/^\./, "");
}
