/** The parameters of a request for every occurrence of a text or a pattern, their validation, and the answer. */

import * as z from "zod";
import { BadRequest } from "../common/errors.ts";
import type { CodeSymbol } from "./model.ts";
import { parseParameters } from "./parse-parameters.ts";
import { textList } from "./request-fields.ts";
import type { FoundPlace, ScanFailure } from "./scanner.ts";

/** Longer patterns are generated; RE2 takes memory in proportion to it. */
const MAX_SOUGHT_LENGTH = 1_000;

export const DEFAULT_OCCURRENCES = 100;
const MAX_OCCURRENCES = 1_000;

const soughtText = z.string().min(1).max(MAX_SOUGHT_LENGTH);

const occurrencesShape = z.strictObject({
  /** The text as it is in one line. */
  exact: soughtText.optional(),
  /** A regular expression in the syntax of RE2, for each line by itself. */
  pattern: soughtText.optional(),
  ignoreCase: z.boolean().optional(),
  /** Puts the files in the order of the ranking of this query. */
  query: z.string().optional(),
  paths: textList.optional(),
  languages: textList.optional(),
  /** Names of indexes to search instead of the open folders. */
  indexes: textList.optional(),
  /** The number of listed places. */
  limit: z.number().int().min(1).max(MAX_OCCURRENCES).optional(),
  /** Continues the list of an earlier answer. */
  cursor: z.string().max(100).optional(),
});

/** The names of all parameters, for the test of the documentation. */
export const OCCURRENCES_PARAMETERS: readonly string[] = Object.keys(occurrencesShape.shape);

export type OccurrencesRequest = z.infer<typeof occurrencesShape>;

/** Validates the parameters. Throws BadRequest with the parameter and the allowed values. */
export function parseOccurrencesRequest(value: unknown): OccurrencesRequest {
  const request = parseParameters(occurrencesShape, value);
  const { exact, pattern } = request;
  if (exact === undefined && pattern === undefined)
    throw new BadRequest("a text is expected, or a pattern", { parameter: "exact" });
  if (exact !== undefined && pattern !== undefined)
    throw new BadRequest("a text and a pattern cannot be combined: pass one of them", {
      parameter: "pattern",
    });
  const parameter = exact === undefined ? "pattern" : "exact";
  const problem = problemOf(exact ?? pattern ?? "");
  if (problem !== undefined) throw new BadRequest(problem, { parameter });
  return request;
}

function problemOf(sought: string): string | undefined {
  if (sought.includes("\0")) return "a null byte is in no text file; leave it out";
  if (/[\r\n]/.test(sought))
    return "lines are searched one by one; pass the text of one line, without a line break";
  return undefined;
}

/** The innermost definition around a place. */
export interface AroundPlace extends Pick<CodeSymbol, "name" | "type"> {
  /** The line of its name, zero-based. */
  readonly line: number;
}

export interface Occurrence extends FoundPlace {
  /** Undefined outside of definitions, and in a file that changed since it was indexed. */
  readonly definition?: AroundPlace;
}

export interface OccurrencesInFile {
  /** The folder that `path` is relative to. */
  readonly root: string;
  readonly path: string;
  readonly languageId: string;
  /** The number of matches in the file. */
  readonly matches: number;
  /** Whether the text is that of an unsaved buffer. */
  readonly isUnsaved?: boolean;
  /** The listed places, in source order. */
  readonly places: readonly Occurrence[];
}

/** Why content of the workspace was not searched. */
export type MissingReason = ScanFailure | "excluded" | "not indexed yet" | "time limit";

export interface MissingFiles {
  readonly reason: MissingReason;
  /** The number of files. An excluded folder counts as one. */
  readonly files: number;
  /** At most three of their paths. */
  readonly examples: readonly string[];
}

export interface OccurrencesParts {
  /** The number of matches in all files. */
  readonly matches: number;
  /** The number of files with matches. */
  readonly matchingFiles: number;
  /** Whether every indexed file was searched to its end. Excluded files are not indexed. */
  readonly isComplete: boolean;
  /** The content that was not searched, by reason. */
  readonly missing: readonly MissingFiles[];
  /** `ranking` if a query orders the files. */
  readonly order: "ranking" | "category";
  /**
   * The files with matches in their order, each with the places of it that are listed. With a cursor, only files with
   * listed places.
   */
  readonly files: readonly OccurrencesInFile[];
  /** The cursor of the first listed place. */
  readonly start: string;
  /** Continues the list. Undefined at its end. */
  readonly cursor?: string;
  readonly warnings: readonly string[];
}

/** A position in the list of places of one request. */
export interface Cursor {
  readonly from: number;
  /** Identifies the request. */
  readonly key: string;
  /** The number of all matches when the cursor was made. */
  readonly matches: number;
}

export function formatCursor({ from, key, matches }: Cursor): string {
  return `${from}.${matches}.${key}`;
}

/** Undefined for any other text. */
export function parseCursor(text: string): Cursor | undefined {
  const [, from, matches, key] = /^(\d{1,15})\.(\d{1,15})\.(\w+)$/.exec(text) ?? [];
  if (key === undefined) return undefined;
  return { from: Number(from), matches: Number(matches), key };
}

/** The cursor for the places after the first `shown` places from `start` on. */
export function cursorAfter(start: string, shown: number): string {
  const cursor = parseCursor(start);
  return cursor === undefined ? start : formatCursor({ ...cursor, from: cursor.from + shown });
}
