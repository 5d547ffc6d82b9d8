/** What one import statement says, before its place is known. */

import type { ImportFact } from "../../../contracts/facts.ts";

export type ImportStatement = Pick<ImportFact, "kind" | "module" | "names"> & {
  /** Lines behind the beginning of the statement. */
  readonly lineOffset?: number;
};

/** In UTF-16 units. Resolvers ask for each beginning of a name, which takes time by the square of its length. */
const MAX_MODULE_LENGTH = 500;

/** Whether a module could be there: a longer name is data, or made to take time. */
export function canBeModule(module: string): boolean {
  return module.length <= MAX_MODULE_LENGTH;
}
