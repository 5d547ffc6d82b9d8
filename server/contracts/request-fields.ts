/** Parameters that several requests share, with their limits. */

import * as z from "zod";
import { SYMBOL_TYPES } from "./model.ts";

/** Globs, names or words. */
export const textList = z.array(z.string().min(1).max(1000)).max(100);

/** Terms beside a question: server/search/query/terms.ts bounds their number and length with warnings instead of errors. */
export const termList = z.array(z.string());

/** The filters and the number of hits. */
export const hitFields = {
  limit: z.number().int().min(1).max(200).optional(),
  minScore: z.number().min(0).max(1).optional(),
  languages: textList.optional(),
  symbolTypes: z.array(z.enum(SYMBOL_TYPES)).optional(),
  symbolName: z.string().max(1000).optional(),
  paths: textList.optional(),
};
