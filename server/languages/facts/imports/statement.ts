/** The parsed import statement, without its position in the file. */

import type { ImportFact } from "../../../contracts/facts.ts";

export type ImportStatement = Pick<ImportFact, "kind" | "module" | "names"> & {
  /** Line offset from the beginning of the statement. */
  readonly lineOffset?: number;
};

/** In UTF-16 units. Resolvers try every prefix of a name, which takes quadratic time. */
const MAX_MODULE_LENGTH = 500;

/** Whether a module name is short enough to be resolved. */
export function canBeModule(module: string): boolean {
  return module.length <= MAX_MODULE_LENGTH;
}
