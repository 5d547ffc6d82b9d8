/**
 * Imports that an Elixir module injects into modules that `use` it: those in the quotes of its `__using__`, and of
 * functions that `__using__` calls. In the facts, the scope of such an import is the function, and the functions it calls
 * are its bases.
 */

import type { DefinitionFact, FileFacts, ImportFact } from "../../contracts/facts.ts";

/** ExUnit case templates define `using`. */
const GIVING: ReadonlySet<string> = new Set(["__using__", "using"]);
/** `apply(__MODULE__, which, [])` may call any function of the module. */
const ANY = "apply";
const OWN = "__MODULE__";

export function withUses(facts: FileFacts): FileFacts {
  const { definitions, imports } = facts;
  const bases = new Map<number, readonly string[]>();
  const scopes: { readonly scope: number; readonly part: DefinitionFact }[] = [];
  definitions.forEach((one, scope) => {
    if (one.kind !== "function" || !GIVING.has(one.name)) return;
    const called = calledFrom(facts, scope);
    bases.set(scope, [...one.bases, ...new Set(called.map(({ name }) => name))]);
    for (const part of [one, ...called]) scopes.push({ scope, part });
  });
  const scopeOf = (line: number) =>
    scopes.find(({ part }) => isAround(part, line))?.scope ??
    definitions.findLastIndex((one) => one.kind === "class" && isAround(one, line));
  return {
    ...facts,
    definitions: definitions.map((one, i) => ({ ...one, bases: bases.get(i) ?? one.bases })),
    imports: imports.map((one) => ({
      ...one,
      module: moduleOf(one, definitions),
      scope: scopeOf(one.line),
    })),
  };
}

/** The functions of the same module that a function calls, transitively. */
function calledFrom({ definitions, calls }: FileFacts, from: number): DefinitionFact[] {
  const parent = definitions[from]?.parent;
  const enclosing = (scope: number): number => {
    const up = definitions[scope]?.parent ?? -1;
    return scope < 0 || up === parent ? scope : enclosing(up);
  };
  const found = new Set([from]);
  for (const index of found) {
    const names = new Set(
      calls.filter(({ scope }) => enclosing(scope) === index).map(({ chain }) => chain),
    );
    definitions.forEach((one, i) => {
      const isBeside = one.kind === "function" && one.parent === parent;
      if (isBeside && (names.has(one.name) || names.has(ANY))) found.add(i);
    });
  }
  found.delete(from);
  return [...found].flatMap((index) => definitions[index] ?? []);
}

/** Replaces `__MODULE__` with the name of the module. */
function moduleOf({ module, line }: ImportFact, definitions: readonly DefinitionFact[]): string {
  if (!module.startsWith(OWN)) return module;
  const names = definitions
    .filter((one) => one.kind === "class" && isAround(one, line))
    .map(({ name }) => name);
  return `${names.join(".")}${module.slice(OWN.length)}`;
}

function isAround({ line, endLine }: DefinitionFact, at: number): boolean {
  return line <= at && at <= endLine;
}
