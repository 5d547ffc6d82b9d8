/** Languages with separate namespaces for functions and variables: `int size = size();` in Java. */

import { FLAG } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import type { ResolvedName } from "./values.ts";

/** The callable values of a resolved name; undefined to continue the search in outer scopes. */
export function callable(
  project: Project,
  file: number,
  named: ResolvedName,
): ResolvedName | undefined {
  const isLocal = named.origin === "local";
  if (isLocal && project.traits(file).separateVariables === undefined) return named;
  const isHidden = isLocal ? isVariable : isSeparateField;
  const values = named.values.filter(
    (value) => value.kind !== "definition" || !isHidden(project, value),
  );
  return values.length === 0 ? undefined : { ...named, values };
}

/** Whether a definition is a field in a separate namespace. Record components are not: they have accessors of their name. */
export function isSeparateField(project: Project, ref: DefinitionRef): boolean {
  const { separateVariables } = project.traits(ref.file);
  if (separateVariables !== "all" || !isVariable(project, ref)) return false;
  return ((project.definition(ref)?.flags ?? 0) & FLAG.parameter) === 0;
}

function isVariable(project: Project, ref: DefinitionRef): boolean {
  return project.definition(ref)?.kind === "variable";
}
