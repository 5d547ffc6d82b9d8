/** Functions that extend whatever they are called on, where a file imports them by their names: of Kotlin. */

import type { Binder } from "./binder.ts";
import type { Project } from "./project.ts";
import { NOTHING, type Value, type Values } from "./values.ts";

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
