/** The question for code like that at a place: its parameters, their check, and what was compared. */

import * as z from "zod";
import type { CodeSymbol, Lines } from "./model.ts";
import { parseParameters } from "./parse-parameters.ts";
import { hitFields } from "./request-fields.ts";

export const similarShape = z.strictObject({
  /** Absolute. */
  path: z.string().min(1),
  /** Zero-based. */
  line: z.number().int().min(0),
  ...hitFields,
  includeText: z.boolean().optional(),
  explain: z.boolean().optional(),
});

export type SimilarRequest = z.infer<typeof similarShape>;

/** What was compared: the definition around the place, or the chunk where there is none. */
export interface SimilarSubject {
  readonly root: string;
  readonly path: string;
  readonly lines: Lines;
  readonly symbol?: CodeSymbol;
}

/** BadRequest names the parameter and what is allowed. */
export function parseSimilarRequest(value: unknown): SimilarRequest {
  return parseParameters(similarShape, value);
}
