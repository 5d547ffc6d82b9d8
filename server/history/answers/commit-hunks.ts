/** Renders the commits of an answer: their best hunks, and the current place of that code. */

import { messageOf } from "../../common/errors.ts";
import type { CommitRow } from "../../contracts/history.ts";
import type { HunkHit } from "../../contracts/history-request.ts";
import { notCheckedOut } from "../changed-files.ts";
import { chooseHunks, patchText } from "../choose-hunks.ts";
import { momentOf } from "../commit-changes.ts";
import type { CommitIndex } from "../commit-index.ts";
import { decodeHunks } from "../decode-hunks.ts";
import { locate } from "../locate.ts";
import { maskPatch } from "../mask-patch.ts";
import { type DiffHunk, hunksInside } from "../parse-diff.ts";
import { NoHistory } from "../repository.ts";
import { GitError } from "../run-git.ts";
import type { HistoryContext, HistoryIndex } from "./context.ts";

interface Shown {
  readonly index: HistoryIndex;
  readonly commits: CommitIndex;
  readonly rows: readonly CommitRow[];
  /** By hash, from `readPatchesIfPossible`. */
  readonly patches: ReadonlyMap<string, readonly DiffHunk[]>;
  readonly queryTerms: ReadonlySet<string>;
  readonly withPatch: boolean;
}

/** The hunks of each row, in the order of the rows. */
export async function showCommits(shown: Shown, context: HistoryContext): Promise<HunkHit[][]> {
  const { rows, patches, queryTerms } = shown;
  const placed = await Promise.all(
    rows.map(async (row) => {
      const wanted = new Set(row.files.map(({ path }) => path));
      const hunks = (patches.get(row.sha) ?? []).filter(({ path }) => wanted.has(path));
      const chosen = chooseHunks(hunks, queryTerms, context.tools.termsOf);
      return await Promise.all(chosen.map((hunk) => toHit(hunk, row, shown, context)));
    }),
  );
  const missing = placed.flat().filter(({ hit }) => isMissing(hit));
  const away = await excludedBySparseCheckout(
    shown.index,
    missing.map(({ pathNow }) => pathNow),
    context,
  );
  return placed.map((hits) =>
    hits.map(({ hit, pathNow }) =>
      isMissing(hit) && away.has(pathNow) ? { ...hit, isCheckedOut: false } : hit,
    ),
  );
}

/** Whether the file is missing without a commit that deleted it. */
function isMissing({ now, goneSince }: HunkHit): boolean {
  return now === undefined && goneSince === undefined;
}

/** The missing files that a sparse checkout excludes. */
async function excludedBySparseCheckout(
  { history, root }: HistoryIndex,
  paths: readonly string[],
  { log }: HistoryContext,
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  try {
    return await notCheckedOut(await history.reader.repository(), root, [...new Set(paths)]);
  } catch (error) {
    if (!(error instanceof GitError) && !(error instanceof NoHistory)) throw error;
    log.debug("the sparse checkout could not be read", { reason: messageOf(error) });
    return new Set();
  }
}

/** Without git, or if it fails, commits are shown without hunks. */
export async function readPatchesIfPossible(
  index: HistoryIndex,
  shas: readonly string[],
  { log, tools }: HistoryContext,
  signal: AbortSignal | undefined,
): Promise<Map<string, readonly DiffHunk[]>> {
  try {
    const { reader } = index.history;
    const opened = await reader.repository();
    const { prefix } = opened.repository;
    const found = await reader.patches.read(opened, shas, signal);
    const decode = (bytes: Buffer, path: string) => tools.decode(bytes, index.encodingOf(path));
    return new Map(
      [...found].map(([sha, hunks]) => [sha, decodeHunks(hunksInside(hunks, prefix), decode)]),
    );
  } catch (error) {
    signal?.throwIfAborted();
    log.warn("commits are shown without hunks", { reason: messageOf(error) });
    return new Map();
  }
}

async function toHit(
  hunk: DiffHunk,
  row: CommitRow,
  { index, commits, withPatch }: Shown,
  { readLines, tools }: HistoryContext,
): Promise<{ readonly hit: HunkHit; readonly pathNow: string }> {
  const { path, start, oldStart, oldLines, lines: count, text } = hunk;
  const isGone = count === 0;
  const from = isGone ? oldStart : start;
  const now = commits.changes.pathNow(path, momentOf(row));
  const file = await readLines(index.root, now);
  const added = text.filter((line) => line.startsWith("+")).map((line) => line.slice(1));
  const place = file === undefined ? undefined : locate(added, file);
  const goneSince = file === undefined ? commits.changes.deletedBy(now) : undefined;
  const hit = {
    path,
    lines: { start: from, end: from + Math.max(1, isGone ? oldLines : count) - 1 },
    symbols: symbolsOf(hunk, row),
    ...(file === undefined ? {} : { now: { path: now, ...(place && { lines: place }) } }),
    ...(goneSince === undefined ? {} : { goneSince }),
    ...(withPatch ? { patch: patchText(maskPatch(text, tools.maskSecrets)) } : {}),
  };
  return { hit, pathNow: now };
}

/** The definitions that the stored hunks inside this hunk change. */
function symbolsOf({ path, start, lines, oldStart, oldLines }: DiffHunk, row: CommitRow): string[] {
  const inside = row.hunks.filter(
    (hunk) =>
      hunk.path === path &&
      ((hunk.start >= start && hunk.start <= start + lines) ||
        (hunk.oldStart >= oldStart && hunk.oldStart <= oldStart + oldLines)),
  );
  return [...new Set(inside.flatMap(({ symbols }) => symbols))];
}
