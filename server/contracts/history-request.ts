/** Questions about a repository's past: their parameters, the check of these, and the answers. */

import * as z from "zod";
import { shortSha } from "../common/short-sha.ts";
import { parseTime } from "../common/time-text.ts";
import type { HistoryStatus, TouchedFile } from "./history.ts";
import type { Lines, Reason } from "./model.ts";
import { parseParameters } from "./parse-parameters.ts";
import { textList } from "./request-fields.ts";

const MOMENT = "a date, an age such as 90d, or seconds since 1970";
const moment = z
  .union([z.string(), z.number()])
  .refine((given) => parseTime(given, Date.now()) !== undefined, {
    message: `${MOMENT} is expected`,
  })
  .describe(MOMENT);

const requestShape = z.strictObject({
  query: z.string(),
  /** A date, an age (`90d`, `6 months`), or seconds since 1970. */
  since: moment.optional(),
  until: moment.optional(),
  author: z.string().max(1000).optional(),
  paths: textList.optional(),
  languages: textList.optional(),
  limit: z.number().int().min(1).max(200).optional(),
  /** Whether the text of the hunks is part of the answer. */
  patch: z.boolean().optional(),
  /** Whether the diffs of all commits are looked through for the names in the query: exact, and slow. */
  pickaxe: z.boolean().optional(),
  /** Lanes to leave out: for evaluations. */
  without: z.array(z.enum(["message", "diff", "symbols", "vector"])).optional(),
});

export type HistoryRequest = z.infer<typeof requestShape>;

const explainShape = z.strictObject({
  /** Absolute. */
  path: z.string().min(1),
  /** Zero-based, both ends included. */
  lines: z.strictObject({
    start: z.number().int().min(0),
    end: z.number().int().min(0),
  }),
});

export type ExplainRequest = z.infer<typeof explainShape>;

/** A run of changed lines, as a part of an answer. */
export interface HunkHit {
  /** As it was called in that commit. */
  readonly path: string;
  /** In the file as it was after the commit, or before it where nothing is left of the lines. */
  readonly lines: Lines;
  readonly symbols: readonly string[];
  /** Where the code is in the working tree; without lines where only the file is known. */
  readonly now?: { readonly path: string; readonly lines?: Lines };
  /** False where a sparse checkout leaves the file out of the working tree. */
  readonly isCheckedOut?: false;
  /** The commit that removed it, where that is known. */
  readonly goneSince?: string;
  /** The lines of the diff, at most 80, where they were asked for. */
  readonly patch?: string;
}

/** For people, of a hunk whose file is not there. */
export function whyMissing({ isCheckedOut, goneSince }: HunkHit): string {
  if (isCheckedOut === false) return "not checked out";
  return goneSince === undefined ? "gone" : `gone since ${shortSha(goneSince)}`;
}

export interface SameCommit {
  readonly sha: string;
  readonly time: number;
  readonly age: string;
}

export interface CommitHit {
  /** The folder whose history it is. */
  readonly root: string;
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
  /** In seconds since 1970. */
  readonly time: number;
  /** How long ago, in words. */
  readonly age: string;
  readonly files: readonly TouchedFile[];
  /** Best first. */
  readonly hunks: readonly HunkHit[];
  /** Commits that are the same change: cherry-picks, and what was done again. */
  readonly same: readonly SameCommit[];
  /** 0 to 1, of the best attainable. */
  readonly score: number;
  readonly why: readonly Reason[];
}

export interface HistoryAnswer {
  readonly commits: readonly CommitHit[];
  /** Of the history with the most left to read. */
  readonly history: HistoryStatus;
  readonly warnings: readonly string[];
}

/** A commit that shaped some lines. */
export interface ShapingCommit {
  readonly sha: string;
  readonly subject: string;
  /** The first paragraph of the message after the subject. */
  readonly paragraph: string;
  readonly author: string;
  readonly time: number;
  readonly age: string;
  /** Where the first of the lines was when it was written: of code that was moved here from several files, each has its own origin. */
  readonly path: string;
  /** The lines of the range that it shaped. */
  readonly lines: readonly number[];
  /** Its part of the diff, at most 80 lines. */
  readonly patch: string;
  /** Whether a shallow clone begins with it, so that it has also the lines of the commits before it, which are missing. */
  readonly isBoundary?: boolean;
}

/** For people, below such a commit. */
export const BOUNDARY_NOTE =
  "this shallow clone begins here: an older commit may have written these lines (git fetch --unshallow)";

/** Where one line comes from: the same that `git blame -w -C` says. */
export interface LineOrigin {
  readonly line: number;
  /** Undefined for a line that is not committed. */
  readonly sha?: string;
  readonly path?: string;
  /** Its number in that commit, from zero. */
  readonly originalLine?: number;
}

export interface Explanation {
  /** By how many of the lines they shaped, most first; then newest first. */
  readonly commits: readonly ShapingCommit[];
  readonly origins: readonly LineOrigin[];
  /** The commits of the three lines before the range, and after it, as far as they are others. */
  readonly neighbors: readonly string[];
  /** For a hover: Markdown. */
  readonly summary: string;
}

/** BadRequest names the parameter and what is allowed. */
export function parseHistoryRequest(value: unknown): HistoryRequest {
  return parseParameters(requestShape, value);
}

export function parseExplainRequest(value: unknown): ExplainRequest {
  return parseParameters(explainShape, value);
}
