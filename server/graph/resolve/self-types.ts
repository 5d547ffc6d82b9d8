/** What is of the type that it is asked of: cases of enumerations, and what methods return that return their own type. */

import type { DefinitionFact } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import { parseType } from "./types.ts";
import { NOTHING, toInstance, type Value, type Values } from "./values.ts";

/** How languages write it as a type. */
const OWN_TYPES: ReadonlySet<string> = new Set(["Self", "static", "this"]);
/** A macro of C is static too. */
const MACRO_LANGUAGES: ReadonlySet<string> = new Set(["c", "cpp"]);

/** Where the type of a variable is looked for: `Pool *Pool;` in a struct is of the type around it. */
export function scopeOfType(
  project: Project,
  file: number,
  { name, type, parent }: DefinitionFact,
): number {
  if (!parseType(type).some((one) => one.name === name)) return parent;
  return project.definition({ file, index: parent })?.parent ?? -1;
}

/** A case of an enumeration is an object of it. */
export function enumCase(project: Project, around: DefinitionRef): Values {
  const kind = project.definition(around)?.kind;
  const isMacro = MACRO_LANGUAGES.has(project.language(around.file));
  return kind === "class" && !isMacro ? [toInstance(around)] : NOTHING;
}

/** `Self` of a method is the type of what it is called on; undefined for other methods, and where that is not known. */
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

/** Whether a name is what Java calls the one object that `object Pools` of Kotlin is. */
export function isSingletonInstance(
  project: Project,
  { file }: DefinitionRef,
  name: string,
): boolean {
  return name === "INSTANCE" && project.language(file) === "kotlin";
}
