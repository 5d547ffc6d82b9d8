/** Parameters that several requests share, with their limits. */

import * as z from "zod";
import { SYMBOL_TYPES } from "./model.ts";

/** Globs, names or words. */
export const textList = z.array(z.string().min(1).max(1000)).max(100);

/** Terms beside a question: server/search/query/terms.ts bounds their number and length with warnings instead of errors. */
export const termList = z.array(z.string());

/** Hits behind this rank cannot be paged to: the lanes rank a few hundred chunks, and the last ones match by chance. */
export const MAX_RANKED = 200;

/** The filters and the number of hits. */
export const hitFields = {
  limit: z.number().int().min(1).max(200).optional(),
  /** Skips this many hits of the same list, so that it can be read in pages of `limit`; the answer then has `more`. */
  offset: z
    .number()
    .int()
    .min(0)
    .max(MAX_RANKED - 1)
    .optional(),
  minScore: z.number().min(0).max(1).optional(),
  languages: textList.optional(),
  symbolTypes: z.array(z.enum(SYMBOL_TYPES)).optional(),
  symbolName: z.string().max(1000).optional(),
  paths: textList.optional(),
};
