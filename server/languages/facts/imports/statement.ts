/** What one import statement says, before its place is known. */

import type { ImportFact } from "../../../contracts/facts.ts";

export type ImportStatement = Pick<ImportFact, "kind" | "module" | "names"> & {
  /** Lines behind the beginning of the statement. */
  readonly lineOffset?: number;
};
