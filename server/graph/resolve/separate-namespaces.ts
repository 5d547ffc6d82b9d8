/** Languages that tell by how a name is used whether a function or a variable is meant: `int size = size();` of Java. */

import { FLAG } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import type { Named } from "./evaluation.ts";

/** Languages in which no local variable hides a function. */
const SEPARATE_LOCALS: ReadonlySet<string> = new Set(["java", "php", "ruby"]);

/** Languages in which no field hides a method, and none is called. */
const SEPARATE_FIELDS: ReadonlySet<string> = new Set(["java", "php"]);

/** What of a found name may be called; undefined where something else of the name is to be looked for, farther away. */
export function callable(project: Project, file: number, named: Named): Named | undefined {
  const isLocal = named.origin === "local";
  if (isLocal && !SEPARATE_LOCALS.has(project.language(file))) return named;
  const isHidden = isLocal ? isVariable : isSeparateField;
  const values = named.values.filter(
    (value) => value.kind !== "definition" || !isHidden(project, value),
  );
  return values.length === 0 ? undefined : { ...named, values };
}

/** A field of a language in which methods have names of their own; a component of a record has a method of its name. */
export function isSeparateField(project: Project, ref: DefinitionRef): boolean {
  if (!SEPARATE_FIELDS.has(project.language(ref.file)) || !isVariable(project, ref)) return false;
  return ((project.definition(ref)?.flags ?? 0) & FLAG.parameter) === 0;
}

function isVariable(project: Project, ref: DefinitionRef): boolean {
  return project.definition(ref)?.kind === "variable";
}
