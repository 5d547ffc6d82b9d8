/** Members of open namespaces: in included files, or in any file that reopens the namespace. */

import { openNamespaceKey, splitQualifiedName } from "../project/package-key.ts";
import type { DefinitionRef, Project } from "../project/project.ts";
import { definitionValues, toDefinition, type Values } from "./values.ts";

/** The members of a name in a namespace. `isReached`: whether the resolved file includes a file. */
export function namespaceMember(
  project: Project,
  { file, index }: DefinitionRef,
  name: string,
  isReached: (file: number) => boolean,
): Values {
  const own = project.childrenNamed(file, index, name);
  const { hasOpenNamespaces, hasOpenClasses } = project.traits(file);
  if (own !== undefined && !hasOpenNamespaces) return definitionValues(file, own);
  const all = openNames(project, { file, index }, name);
  // All files that reopen a class count, because it is loaded by name; except for test doubles.
  const isVisible = (one: DefinitionRef) =>
    isReached(one.file) || (hasOpenClasses && !project.isInTests(one.file));
  const included = all.length < 2 ? all : all.filter(isVisible);
  if (included.length > 0) return included.map(toDefinition);
  return own === undefined ? all.map(toDefinition) : definitionValues(file, own);
}

/** The definitions of a name in a namespace or class, from all files that open it. */
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

/** The definitions that open a namespace; empty if there are more than `MAX_PARTS`. */
export function openParts(project: Project, ref: DefinitionRef): readonly DefinitionRef[] {
  const path = pathOf(project, ref);
  const name = path.pop() ?? "";
  return project.partsNamed(openNamespaceKey(project.language(ref.file), path), name);
}

/** The qualified name of a namespace. */
function pathOf(project: Project, ref: DefinitionRef): string[] {
  const path: string[] = [];
  for (const [, one] of project.enclosing(ref))
    path.unshift(...splitQualifiedName(one.owner), ...splitQualifiedName(one.name));
  return path;
}
