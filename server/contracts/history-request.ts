/** The parameters of history requests, their validation, and the answers. */

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
  /** Whether the answer includes the text of the hunks. */
  patch: z.boolean().optional(),
  /** Whether to search the diffs of all commits for the names in the query (`git log -S`): exact and slow. */
  pickaxe: z.boolean().optional(),
  /** Lanes to disable, for evaluations. */
  without: z.array(z.enum(["message", "diff", "symbols", "vector"])).optional(),
});

export type HistoryRequest = z.infer<typeof requestShape>;

const explainShape = z.strictObject({
  /** An absolute path. */
  path: z.string().min(1),
  /** Zero-based, both ends included. */
  lines: z.strictObject({
    start: z.number().int().min(0),
    end: z.number().int().min(0),
  }),
});

export type ExplainRequest = z.infer<typeof explainShape>;

/** A hunk in an answer. */
export interface HunkHit {
  /** The path in that commit. */
  readonly path: string;
  /** The lines in the file after the commit, or before it if the hunk only removes lines. */
  readonly lines: Lines;
  readonly symbols: readonly string[];
  /** The location in the working tree. Without lines if only the file is known. */
  readonly now?: { readonly path: string; readonly lines?: Lines };
  /** False if a sparse checkout excludes the file from the working tree. */
  readonly isCheckedOut?: false;
  /** The commit that removed it, if known. */
  readonly goneSince?: string;
  /** At most 80 lines of the diff, if requested. */
  readonly patch?: string;
}

/** The reason, for display, that the file of a hunk does not exist. */
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
  /** The folder whose repository contains the commit. */
  readonly root: string;
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
  /** Unix time in seconds. */
  readonly time: number;
  /** The age in words. */
  readonly age: string;
  readonly files: readonly TouchedFile[];
  /** Best first. */
  readonly hunks: readonly HunkHit[];
  /** Commits with the same change: cherry-picks and reapplied changes. */
  readonly same: readonly SameCommit[];
  /** 0 to 1, relative to the best attainable score. */
  readonly score: number;
  readonly why: readonly Reason[];
}

export interface HistoryAnswer {
  readonly commits: readonly CommitHit[];
  /** The status of the history with the most unread commits. */
  readonly history: HistoryStatus;
  readonly warnings: readonly string[];
}

/** A commit that wrote some of the lines. */
export interface ShapingCommit {
  readonly sha: string;
  readonly subject: string;
  /** The first paragraph of the message after the subject. */
  readonly paragraph: string;
  readonly author: string;
  readonly time: number;
  readonly age: string;
  /** The path of the first line when it was written. Lines that were moved from several files have their own origins. */
  readonly path: string;
  /** The lines of the range that it wrote. */
  readonly lines: readonly number[];
  /** The matching part of its diff, at most 80 lines. */
  readonly patch: string;
  /** Whether a shallow clone begins with this commit. It then also has the lines of older, missing commits. */
  readonly isBoundary?: boolean;
}

/** Displayed below a boundary commit. */
export const BOUNDARY_NOTE =
  "this shallow clone begins here: an older commit may have written these lines (git fetch --unshallow)";

/** The origin of one line, as in `git blame -w -C`. */
export interface LineOrigin {
  readonly line: number;
  /** Undefined for a line that is not committed. */
  readonly sha?: string;
  readonly path?: string;
  /** Its zero-based number in that commit. */
  readonly originalLine?: number;
}

export interface Explanation {
  /** Sorted by the number of lines that they wrote, then newest first. */
  readonly commits: readonly ShapingCommit[];
  readonly origins: readonly LineOrigin[];
  /** Other commits that wrote the three lines before or after the range. */
  readonly neighbors: readonly string[];
  /** Markdown for a hover. */
  readonly summary: string;
}

/** Throws BadRequest with the parameter and the allowed values. */
export function parseHistoryRequest(value: unknown): HistoryRequest {
  return parseParameters(requestShape, value);
}

export function parseExplainRequest(value: unknown): ExplainRequest {
  return parseParameters(explainShape, value);
}
