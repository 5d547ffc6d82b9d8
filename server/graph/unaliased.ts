/** What a name stands for that only renames something else. */

import type { Evaluator } from "./evaluator.ts";
import type { DefinitionRef } from "./project.ts";

/** Begins the names of modules of which something is used at once. */
const REQUIRED = "require_";

/** The definition that a variable only renames: `export default foo`, `{ foo }` in an object, `require("a").foo`. */
export function unaliased(evaluator: Evaluator, ref: DefinitionRef): readonly DefinitionRef[] {
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
