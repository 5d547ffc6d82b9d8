/** Languages with separate namespaces for functions and variables: `int size = size();` in Java. */

import { FLAG } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import type { ResolvedName } from "./values.ts";

/** Languages whose local variables do not shadow functions. */
const SEPARATE_LOCALS: ReadonlySet<string> = new Set(["java", "php", "ruby"]);

/** Languages whose fields do not shadow methods, and cannot be called. */
const SEPARATE_FIELDS: ReadonlySet<string> = new Set(["java", "php"]);

/** The callable values of a resolved name; undefined to continue the search in outer scopes. */
export function callable(
  project: Project,
  file: number,
  named: ResolvedName,
): ResolvedName | undefined {
  const isLocal = named.origin === "local";
  if (isLocal && !SEPARATE_LOCALS.has(project.language(file))) return named;
  const isHidden = isLocal ? isVariable : isSeparateField;
  const values = named.values.filter(
    (value) => value.kind !== "definition" || !isHidden(project, value),
  );
  return values.length === 0 ? undefined : { ...named, values };
}

/** Whether a definition is a field in a separate namespace. Record components are not: they have accessors of their name. */
export function isSeparateField(project: Project, ref: DefinitionRef): boolean {
  if (!SEPARATE_FIELDS.has(project.language(ref.file)) || !isVariable(project, ref)) return false;
  return ((project.definition(ref)?.flags ?? 0) & FLAG.parameter) === 0;
}

function isVariable(project: Project, ref: DefinitionRef): boolean {
  return project.definition(ref)?.kind === "variable";
}
