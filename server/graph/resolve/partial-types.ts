/** Types in several parts, each with members and bases: `partial class Pool` in C#. */

import { FLAG } from "../../contracts/facts.ts";
import type { DefinitionRef, Project } from "../project/project.ts";

const NO_PARTS: readonly DefinitionRef[] = [];

/** The other parts of a partial type, in all files of its namespace. */
export function otherParts(project: Project, type: DefinitionRef): readonly DefinitionRef[] {
  if (!isPartial(project, type)) return NO_PARTS;
  return partsOfType(project, type).filter(
    ({ file, index }) => file !== type.file || index !== type.index,
  );
}

function partsOfType(project: Project, type: DefinitionRef): readonly DefinitionRef[] {
  const { name = "", parent = -1 } = project.definition(type) ?? {};
  const namesakes =
    parent < 0
      ? ofNamespace(project, type.file, name)
      : partsOfType(project, { file: type.file, index: parent }).flatMap((enclosing) =>
          (project.childrenNamed(enclosing.file, enclosing.index, name) ?? []).map((index) => ({
            file: enclosing.file,
            index,
          })),
        );
  const parts = namesakes.filter((one) => isPartial(project, one));
  return parts.length > 0 ? parts : [type];
}

function ofNamespace(project: Project, file: number, name: string): readonly DefinitionRef[] {
  const key = project.packageOf(file);
  return key === undefined ? NO_PARTS : project.packageNames(key, name);
}

function isPartial(project: Project, type: DefinitionRef): boolean {
  return ((project.definition(type)?.flags ?? 0) & FLAG.partial) !== 0;
}
