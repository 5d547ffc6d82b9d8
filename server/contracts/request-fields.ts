/** Fields that several requests have, with their bounds. */

import * as z from "zod";
import { SYMBOL_TYPES } from "./model.ts";

/** Globs, names or words. */
export const textList = z.array(z.string().min(1).max(1000)).max(100);

/** Which chunks may be hits, and how many of them. */
export const hitFields = {
  limit: z.number().int().min(1).max(200).optional(),
  minScore: z.number().min(0).max(1).optional(),
  languages: textList.optional(),
  symbolTypes: z.array(z.enum(SYMBOL_TYPES)).optional(),
  symbolName: z.string().max(1000).optional(),
  paths: textList.optional(),
};
