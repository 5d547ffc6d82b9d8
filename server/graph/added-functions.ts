/** Functions that extend what they are called on: of Kotlin by an import, of JavaScript by an assignment. */

import type { Binder } from "./binder.ts";
import type { DefinitionRef, Project } from "./project.ts";
import { NOTHING, toDefinition, type Value, type Values } from "./values.ts";

export function addedByImport(
  project: Project,
  binder: Binder,
  file: number,
  name: string,
): Values {
  if (project.language(file) !== "kotlin") return NOTHING;
  const bound = binder.binding(file, name) ?? NOTHING;
  return bound.filter((value) => isAdded(project, value));
}

/** Whether a function stands outside of the type that it extends. */
export function isAdded(project: Project, value: Value): boolean {
  return value.kind === "definition" && project.definition(value)?.owner !== "";
}

/** `Foo.bar = function` where Foo is a function. */
export function addedToFunction(
  project: Project,
  { file, index }: DefinitionRef,
  name: string,
): Values {
  const owner = project.definition({ file, index })?.name ?? "";
  return project
    .extensionsOf(owner)
    .filter((ref) => ref.file === file && project.definition(ref)?.name === name)
    .map(toDefinition);
}
