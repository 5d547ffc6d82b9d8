/** What a name stands for that only renames something else, and what is another name of a function or class. */

import type { DefinitionRef } from "../project/project.ts";
import type { Evaluator } from "./evaluator.ts";

/** Begins the names of modules of which something is used at once. */
const REQUIRED = "require_";
/** Names alone: what a call gives is no other name for anything. */
const NAMES = /^[\p{L}_$@][\p{L}\p{N}_$]*[?!]?(?:\.[\p{L}_$][\p{L}\p{N}_$]*[?!]?)*$/u;

/** The definition that a variable only renames: `export default foo`, `{ foo }` in an object, `require("a").foo`. */
export function followRename(evaluator: Evaluator, ref: DefinitionRef): readonly DefinitionRef[] {
  const { project } = evaluator;
  const definition = project.definition(ref);
  if (definition?.kind !== "variable" || definition.value === "") return [ref];
  const around = project.definition({ file: ref.file, index: definition.parent });
  const isRenamed =
    definition.name === "default" ||
    around?.kind === "variable" ||
    definition.value.startsWith(REQUIRED);
  if (!isRenamed || project.hasChildren(ref.file, ref.index)) return [ref];
  const values = evaluator.chain(ref.file, definition.parent, definition.value, definition.line);
  const found = values.flatMap((value) => (value.kind === "definition" ? [value] : []));
  return found.length > 0 ? found : [ref];
}

/**
 * The functions and classes that a variable of a file or class is another name of: `const open = openPool`, Ruby's
 * `alias open open_pool`. None for other variables: an object of a class is no other name of it.
 */
export function aliasTargets(evaluator: Evaluator, ref: DefinitionRef): readonly DefinitionRef[] {
  const { project } = evaluator;
  const { kind, name, parent = -1, value = "", line = 0 } = project.definition(ref) ?? {};
  if (kind !== "variable" || name === value || !NAMES.test(value)) return [];
  const around = project.definition({ file: ref.file, index: parent });
  if (around?.kind === "function" || project.hasChildren(ref.file, ref.index)) return [];
  const found = evaluator
    .chain(ref.file, parent, value, line)
    .flatMap((one) => (one.kind === "definition" ? [one] : []));
  return found.every((one) => isCallable(project.definition(one)?.kind)) ? found : [];
}

function isCallable(kind: string | undefined): boolean {
  return kind === "function" || kind === "class";
}
