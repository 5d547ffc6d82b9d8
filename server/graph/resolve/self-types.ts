/** Values of the enclosing or receiver type: enum cases, and methods that return `Self`. */

import type { DefinitionFact } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import { parseType } from "./types.ts";
import { NOTHING, toInstance, type Value, type Values } from "./values.ts";

/** Spellings of the type of the receiver. */
const OWN_TYPES: ReadonlySet<string> = new Set(["Self", "static", "this"]);

/** The scope for resolving the type of a variable: in `Pool *Pool;`, the type is not the variable itself. */
export function scopeOfType(
  project: Project,
  file: number,
  { name, type, parent }: DefinitionFact,
): number {
  if (!parseType(type).some((one) => one.name === name)) return parent;
  return project.definition({ file, index: parent })?.parent ?? -1;
}

/** An enum case is an instance of its enum. */
export function enumCase(project: Project, enclosing: DefinitionRef): Values {
  const kind = project.definition(enclosing)?.kind;
  return kind === "class" && !project.traits(enclosing.file).hasMacros
    ? [toInstance(enclosing)]
    : NOTHING;
}

/** The result of a method that returns `Self`: the type of its receiver. Undefined for other methods, and for unknown receivers. */
export function returnedSelf(
  project: Project,
  called: Value,
  receivers: () => Values,
): Values | undefined {
  if (called.kind !== "definition") return undefined;
  const definition = project.definition(called);
  if (definition?.kind !== "function" || !OWN_TYPES.has(definition.type.replace(/[?!]$/, "")))
    return undefined;
  const own = receivers().flatMap((value) => {
    if (value.kind === "instance") return [value];
    const isClass = value.kind === "definition" && project.definition(value)?.kind === "class";
    return isClass ? [toInstance(value)] : [];
  });
  return own.length > 0 ? own : undefined;
}
