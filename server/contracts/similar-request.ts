/** The parameters of a search for similar code, their validation, and the subject of the comparison. */

import * as z from "zod";
import type { CodeSymbol, Lines } from "./model.ts";
import { parseParameters } from "./parse-parameters.ts";
import { hitFields } from "./request-fields.ts";

export const similarShape = z.strictObject({
  /** An absolute path. */
  path: z.string().min(1),
  /** Zero-based. */
  line: z.number().int().min(0),
  ...hitFields,
  includeText: z.boolean().optional(),
  explain: z.boolean().optional(),
});

export type SimilarRequest = z.infer<typeof similarShape>;

/** The compared code: the definition around the position, or the chunk if there is none. */
export interface SimilarSubject {
  readonly root: string;
  readonly path: string;
  readonly lines: Lines;
  readonly symbol?: CodeSymbol;
}

/** Throws BadRequest with the parameter and the allowed values. */
export function parseSimilarRequest(value: unknown): SimilarRequest {
  return parseParameters(similarShape, value);
}
