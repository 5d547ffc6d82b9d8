/** Functions that make an object of the class around them. */

import type { DefinitionRef, Project } from "../project/project.ts";

export const CONSTRUCTORS: ReadonlySet<string> = new Set([
  "constructor",
  "__init__",
  "__construct",
  "initialize",
]);

/** The class whose constructor has its name, as in Java: in the class, that name finds the constructor first. */
export function madeBy(
  project: Project,
  { file, index }: DefinitionRef,
): DefinitionRef | undefined {
  const { name = "", parent = -1 } = project.definition({ file, index }) ?? {};
  const around = project.definition({ file, index: parent });
  return around?.kind === "class" && around.name === name ? { file, index: parent } : undefined;
}
