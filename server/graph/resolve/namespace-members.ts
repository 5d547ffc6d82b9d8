/** What a namespace has by a name: in what the file that is looked at includes, or in whichever file adds to it. */

import { openNamespaceKey, splitQualifiedName } from "../project/package-key.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import { hasMixins } from "./mixins.ts";
import { definitionValues, toDefinition, type Values } from "./values.ts";

export function namespaceMember(
  project: Project,
  { file, index }: DefinitionRef,
  name: string,
  isReached: (file: number) => boolean,
): Values {
  const own = project.childrenNamed(file, index, name);
  const language = project.language(file);
  const hasOpenClasses = hasMixins(language);
  if (own !== undefined && language !== "cpp" && !hasOpenClasses)
    return definitionValues(file, own);
  const all = openNames(project, { file, index }, name);
  // A class of Ruby is all that opens it, loaded by its name as it is, and not what other tests make of it.
  const counts = (one: DefinitionRef) =>
    isReached(one.file) || (hasOpenClasses && !project.isInTests(one.file));
  const included = all.length < 2 ? all : all.filter(counts);
  if (included.length > 0) return included.map(toDefinition);
  return own === undefined ? all.map(toDefinition) : definitionValues(file, own);
}

/** What all that opens a namespace or class defines in it by a name, wherever. */
export function openNames(
  project: Project,
  ref: DefinitionRef,
  name: string,
): readonly DefinitionRef[] {
  return project.packageNames(
    openNamespaceKey(project.language(ref.file), pathOf(project, ref)),
    name,
  );
}

/** All that opens a namespace, where it is not in very many places. */
export function openParts(project: Project, ref: DefinitionRef): readonly DefinitionRef[] {
  const path = pathOf(project, ref);
  const name = path.pop() ?? "";
  return project.partsNamed(openNamespaceKey(project.language(ref.file), path), name);
}

/** The names of a namespace and those around it. */
function pathOf(project: Project, ref: DefinitionRef): string[] {
  const path: string[] = [];
  for (const [, one] of project.around(ref))
    path.unshift(...splitQualifiedName(one.owner), ...splitQualifiedName(one.name));
  return path;
}
