/** The parameters of a context request, their validation, and the answer. */

import * as z from "zod";
import type { CodeSymbol, Lines } from "./model.ts";
import { parseParameters } from "./parse-parameters.ts";
import { termList, textList } from "./request-fields.ts";

export const CONTEXT_STRATEGIES = ["relevance", "diversity", "balanced"] as const;
export type ContextStrategy = (typeof CONTEXT_STRATEGIES)[number];

export const CONTEXT_FORMATS = ["md", "json", "xml"] as const;
export type ContextFormat = (typeof CONTEXT_FORMATS)[number];

export const DEFAULT_TOKEN_BUDGET = 4_000;
/** The maximum token budget: more than any model reads. */
const MAX_TOKEN_BUDGET = 1_000_000;
/** A longer message is cut, with a warning. A message may contain a log. */
export const MAX_MESSAGE_LENGTH = 100_000;

export const contextShape = z.strictObject({
  query: z.string(),
  /** Words and names that the code may use, beside the message. */
  terms: termList.optional(),
  tokenBudget: z.number().int().min(1).max(MAX_TOKEN_BUDGET).optional(),
  strategy: z.enum(CONTEXT_STRATEGIES).optional(),
  format: z.enum(CONTEXT_FORMATS).optional(),
  recentFiles: textList.optional(),
  recentTerms: textList.optional(),
  paths: textList.optional(),
  languages: textList.optional(),
  indexes: textList.optional(),
  auto: z.boolean().optional(),
});

export type ContextRequest = z.infer<typeof contextShape>;

/** Validates the parameters. Throws BadRequest with the parameter and the allowed values. */
export function parseContextRequest(value: unknown): ContextRequest {
  return parseParameters(contextShape, value);
}

export type Intent = "symbol" | "how" | "where" | "error" | "history" | "impact";

/** A property of the message that is evidence for or against a search. */
export interface ContextSignal {
  readonly name: string;
  readonly weight: number;
  readonly found?: readonly string[];
}

/** The level of detail of an item. */
export type ContextLevel = "full" | "outline" | "match" | "signature" | "name";

export interface ContextItem {
  readonly index: string;
  readonly root: string;
  readonly path: string;
  readonly lines: Lines;
  readonly level: ContextLevel;
  readonly score: number;
  readonly symbol?: Pick<CodeSymbol, "name" | "type" | "signature" | "lines">;
}

export interface ContextParts {
  /** The context in the requested format, within the budget. */
  readonly text: string;
  readonly items: readonly ContextItem[];
  /** A conservative estimate. */
  readonly tokensUsed: number;
  readonly tokenBudget: number;
  readonly intent: Intent;
  /** The estimated probability (0..1) that a search helps to answer the message. */
  readonly confidence: number;
  readonly signals: readonly ContextSignal[];
  /** False if `auto` decided against a search. */
  readonly isSearched: boolean;
  /** The number of items that did not fit into the budget. */
  readonly leftOut: number;
  readonly warnings: readonly string[];
}
