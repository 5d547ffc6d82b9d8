/** The parameters of a search and their validation. Separate from session.ts, so that zod is loaded with the first search only. */

import * as z from "zod";
import { parseParameters } from "./parse-parameters.ts";
import { hitFields, termList, textList } from "./request-fields.ts";

/** A longer query is cut, with a warning. A query may be pasted text. */
export const MAX_QUERY_LENGTH = 10_000;

const lines = z.number().int().min(0).max(1000);

const requestShape = z.strictObject({
  query: z.string(),
  /** Words and names that the code may use, beside a question. */
  terms: termList.optional(),
  ...hitFields,
  hybrid: z.boolean().optional(),
  indexes: textList.optional(),
  /** A revision, a date or an age (`30d`): restricts the search to files that changed since. */
  changedSince: z
    .string()
    .min(1)
    .max(200)
    .describe("a revision, a date or an age such as 30d")
    .optional(),
  contextBefore: lines.optional(),
  contextAfter: lines.optional(),
  smartContext: z.boolean().optional(),
  includeText: z.boolean().optional(),
  explain: z.boolean().optional(),
  /** Whether the configured reranker is asked; default: true. */
  rerank: z.boolean().optional(),
  /** True while the user types: neither the reranker nor the rewriting model is asked. */
  typing: z.boolean().optional(),
  expand: z
    .strictObject({
      hops: z.number().int().min(1).max(3).optional(),
      limit: z.number().int().min(1).max(30).optional(),
    })
    .optional(),
  /** Lanes and boosts to disable, for ablations by scripts/evaluate. */
  without: textList.optional(),
});

/** The names of all parameters, for the test of the documentation. */
export const SEARCH_PARAMETERS: readonly string[] = Object.keys(requestShape.shape);

export type SearchRequest = z.infer<typeof requestShape>;

/** Validates the parameters. Throws BadRequest with the parameter and the allowed values. */
export function parseSearchRequest(value: unknown): SearchRequest {
  return parseParameters(requestShape, value);
}
