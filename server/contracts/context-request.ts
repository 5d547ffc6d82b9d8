/** The parameters of a context request, their check, and the answer to it. */

import * as z from "zod";
import type { CodeSymbol, Lines } from "./model.ts";
import { parseParameters } from "./parse-parameters.ts";
import { textList } from "./request-fields.ts";

export const CONTEXT_STRATEGIES = ["relevance", "diversity", "balanced"] as const;
export type ContextStrategy = (typeof CONTEXT_STRATEGIES)[number];

export const CONTEXT_FORMATS = ["md", "json", "xml"] as const;
export type ContextFormat = (typeof CONTEXT_FORMATS)[number];

export const DEFAULT_TOKEN_BUDGET = 4_000;
/** More than any model reads; a larger number is a mistake. */
const MAX_TOKEN_BUDGET = 1_000_000;
/** A message may contain a log; a longer one is cut, with a warning. */
export const MAX_MESSAGE_LENGTH = 100_000;

export const contextShape = z.strictObject({
  query: z.string(),
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

/** Checks the parameters of a context request; BadRequest names the parameter and what is allowed. */
export function parseContextRequest(value: unknown): ContextRequest {
  return parseParameters(contextShape, value);
}

export type Intent = "symbol" | "how" | "where" | "error" | "history" | "impact";

/** One property of a message that speaks for or against a search. */
export interface ContextSignal {
  readonly name: string;
  readonly weight: number;
  readonly found?: readonly string[];
}

/** How much of a definition an item shows. */
export type ContextLevel = "full" | "outline" | "match" | "signature" | "name";

export interface ContextItem {
  readonly index: string;
  readonly root: string;
  readonly path: string;
  readonly lines: Lines;
  readonly level: ContextLevel;
  readonly score: number;
  readonly symbol?: Pick<CodeSymbol, "name" | "type" | "signature">;
}

export interface ContextParts {
  /** In the requested format; never over the budget. */
  readonly text: string;
  readonly items: readonly ContextItem[];
  /** An estimate, which is on the safe side. */
  readonly tokensUsed: number;
  readonly tokenBudget: number;
  readonly intent: Intent;
  /** That searching helps to answer the message: 0..1. */
  readonly confidence: number;
  readonly signals: readonly ContextSignal[];
  /** False where `auto` decided against a search. */
  readonly isSearched: boolean;
  /** What was found and did not fit. */
  readonly leftOut: number;
  readonly warnings: readonly string[];
}
