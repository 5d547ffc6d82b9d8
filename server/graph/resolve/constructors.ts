/** Constructors. */

import type { DefinitionRef, Project } from "../project/project.ts";

/** The names of constructors in languages that do not name them after the class. */
export const CONSTRUCTORS: ReadonlySet<string> = new Set([
  "constructor",
  "__init__",
  "__construct",
  "initialize",
]);

/** The class of a constructor that has the name of its class, as in Java; inside the class, the name binds to the constructor. */
export function classOfConstructor(
  project: Project,
  { file, index }: DefinitionRef,
): DefinitionRef | undefined {
  const { name = "", parent = -1 } = project.definition({ file, index }) ?? {};
  const enclosing = project.definition({ file, index: parent });
  return enclosing?.kind === "class" && enclosing.name === name
    ? { file, index: parent }
    : undefined;
}
