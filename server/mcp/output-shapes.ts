/** The published shapes of `structuredContent`, one per tool. Lines count from 1; paths are relative to a single root, else absolute. */

import * as z from "zod";
import type { HistoryStatus } from "../contracts/history.ts";
import { SYMBOL_TYPES } from "../contracts/model.ts";
import type { IndexState } from "../contracts/session.ts";
import { OUTCOMES } from "./basis.ts";

const line = z.number().int().min(1);
const amount = z.number().int().min(0);

const STATES = [
  "indexing",
  "ready",
  "paused",
  "degraded",
  "unavailable",
  "no-root",
] as const satisfies readonly IndexState[];
const HISTORY_STATES = [
  "off",
  "unavailable",
  "waiting",
  "reading",
  "ready",
] as const satisfies readonly HistoryStatus["state"][];

const ofIndex = { state: z.enum(STATES), outcome: z.enum(OUTCOMES) };

/** For lists that can be read in pages. */
const paged = {
  more: amount.describe("How many further results there are."),
  cursor: z.string().optional().describe("For the next page of the same call."),
  indexChanged: z
    .boolean()
    .optional()
    .describe("The index changed since the page before: results may repeat or be missing."),
};

/** The definition that a hit is named after: its whole range, which may begin before the passage and end after it. */
const definition = z.strictObject({
  type: z.enum(SYMBOL_TYPES),
  startLine: line,
  endLine: line,
  signature: z.string(),
});

const passage = {
  path: z.string(),
  startLine: line,
  endLine: line,
  symbol: z.string().optional(),
  definition: definition.optional(),
  /** With `seen`: the text has only the head line. */
  shownBefore: z.boolean().optional(),
};

/** With `team`: a hit in a repository that is not checked out here. Its path begins with the repository. */
const published = z.strictObject({
  repository: z.string(),
  commit: z.string(),
  link: z.string().optional(),
});

/** With `exact` or `pattern`: every match is counted, and places are listed as far as the token budget goes. */
const occurrences = {
  matches: amount.optional(),
  matchingFiles: amount.optional(),
  isComplete: z.boolean().optional(),
  missing: z
    .array(z.strictObject({ reason: z.string(), files: amount, examples: z.array(z.string()) }))
    .optional(),
  places: z
    .array(z.strictObject({ path: z.string(), line, column: line, symbol: z.string().optional() }))
    .optional(),
};

/** `hits` and `more` of a search, or the fields of `occurrences`. */
export const searchOutput = z.strictObject({
  ...ofIndex,
  hits: z
    .array(
      z.strictObject({ ...passage, importers: amount.optional(), published: published.optional() }),
    )
    .optional(),
  ...paged,
  more: paged.more.optional(),
  ...occurrences,
  alsoTry: z.array(z.string()).optional(),
  related: z
    .array(z.strictObject({ path: z.string(), via: z.string(), dependent: z.boolean() }))
    .optional(),
});

export const contextOutput = z.strictObject({
  ...ofIndex,
  intent: z.string(),
  items: z.array(z.strictObject({ ...passage, level: z.string() })),
});

const call = z.strictObject({ path: z.string(), line, name: z.string() });

/** One shape for all relations: `kind` says which of the fields there are. */
const relatedItem = z.strictObject({
  kind: z.enum(["file", "test", "package", "call", "similar"]),
  path: z.string().optional(),
  package: z.string().optional(),
  line: line.optional(),
  via: z.string().optional(),
  dependent: z.boolean().optional(),
  hops: amount.optional(),
  types: z.array(z.string()).optional(),
  coChange: z.number().optional(),
  caller: z.string().optional(),
  target: call.optional(),
  confidence: z.number().optional(),
  name: z.string().optional(),
  score: z.number().optional(),
  definition: definition.optional(),
});

export const relatedOutput = z.strictObject({
  ...ofIndex,
  relation: z.string(),
  results: z.array(relatedItem),
  ...paged,
});

const commit = {
  sha: z.string(),
  subject: z.string(),
  author: z.string(),
  date: z.string(),
};

const place = {
  path: z.string(),
  startLine: line.optional(),
  endLine: line.optional(),
};

export const patternOutput = z.strictObject({
  state: z.enum(HISTORY_STATES),
  outcome: z.enum(OUTCOMES),
  commits: z.array(
    z.strictObject({
      ...commit,
      places: z.array(
        z.strictObject({
          ...place,
          symbols: z.array(z.string()),
          now: z.strictObject(place).optional(),
        }),
      ),
    }),
  ),
});

export const explainOutput = z.strictObject({
  ...ofIndex,
  lines: amount,
  uncommitted: amount,
  commits: z.array(z.strictObject({ ...commit, ...place, lines: amount })),
});
