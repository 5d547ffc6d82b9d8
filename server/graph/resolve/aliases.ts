/** Aliases: variables that only rename a definition. */

import type { DefinitionRef } from "../project/project.ts";
import type { Evaluator } from "./evaluator.ts";

/** The prefix of the name of an inline `require`. */
const REQUIRE_PREFIX = "require_";
/** A chain of names without calls: the result of a call is not an alias. */
const NAME_CHAIN = /^[\p{L}_$@][\p{L}\p{N}_$]*[?!]?(?:\.[\p{L}_$][\p{L}\p{N}_$]*[?!]?)*$/u;

/** Follows a variable that only renames a definition: `export default foo`, `{ foo }` in an object, `require("a").foo`. */
export function followRename(evaluator: Evaluator, ref: DefinitionRef): readonly DefinitionRef[] {
  const { project } = evaluator;
  const definition = project.definition(ref);
  if (definition?.kind !== "variable" || definition.value === "") return [ref];
  const enclosing = project.definition({ file: ref.file, index: definition.parent });
  const isRenamed =
    definition.name === "default" ||
    enclosing?.kind === "variable" ||
    definition.value.startsWith(REQUIRE_PREFIX);
  if (!isRenamed || project.hasChildren(ref.file, ref.index)) return [ref];
  const values = evaluator.chain(ref.file, definition.parent, definition.value, definition.line);
  const found = values.flatMap((value) => (value.kind === "definition" ? [value] : []));
  return found.length > 0 ? found : [ref];
}

/**
 * The functions and classes that a variable of a file or class is an alias of: `const open = openPool`, or `alias open open_pool`
 * in Ruby. Empty for other variables, such as instances of a class.
 */
export function aliasTargets(evaluator: Evaluator, ref: DefinitionRef): readonly DefinitionRef[] {
  const { project } = evaluator;
  const { kind, name, parent = -1, value = "", line = 0 } = project.definition(ref) ?? {};
  if (kind !== "variable" || name === value || !NAME_CHAIN.test(value)) return [];
  const enclosing = project.definition({ file: ref.file, index: parent });
  if (enclosing?.kind === "function" || project.hasChildren(ref.file, ref.index)) return [];
  const found = evaluator
    .chain(ref.file, parent, value, line)
    .flatMap((one) => (one.kind === "definition" ? [one] : []));
  return found.every((one) => isCallable(project.definition(one)?.kind)) ? found : [];
}

function isCallable(kind: string | undefined): boolean {
  return kind === "function" || kind === "class";
}
