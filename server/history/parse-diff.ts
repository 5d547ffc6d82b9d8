/** Parses the diff of one commit, with its lines of context, into hunks to show. */

import { DiffLineReader } from "./diff-line-reader.ts";

/** Longer lines are cut; they are data, not code. */
const MAX_LINE_LENGTH = 400;
const MAX_HUNKS_PER_COMMIT = 200;

export interface DiffHunk {
  readonly path: string;
  /** Zero-based, in the file after the commit; `lines` is 0 if the file was deleted. */
  readonly start: number;
  readonly lines: number;
  readonly oldStart: number;
  readonly oldLines: number;
  /** The header `@@ … @@` and the lines, each with its first character (`+`, `-`, space) and without a line ending. */
  readonly text: readonly string[];
}

/** The hunks in the order of the diff, at most 200. */
export function parseDiff(output: string): DiffHunk[] {
  const reader = new DiffLineReader();
  const hunks: DiffHunk[] = [];
  let text: string[] = [];
  for (let from = 0; from < output.length; ) {
    const newline = output.indexOf("\n", from);
    const end = newline === -1 ? output.length : newline;
    const line = output.slice(from, end);
    from = end + 1;
    const kind = reader.read(line);
    if (kind === "oldPath" || kind === "newPath" || kind === "other") continue;
    if (kind === "hunk") {
      if (hunks.length >= MAX_HUNKS_PER_COMMIT) break;
      const { start, lines, oldStart, oldLines } = reader.header;
      text = [];
      hunks.push({ path: reader.path, start, lines, oldStart, oldLines, text });
    }
    const shown = line.slice(0, MAX_LINE_LENGTH);
    text.push(kind === "hunk" ? shown : shown.replace(/\r$/, ""));
  }
  return hunks;
}

/** The hunks of files below the folder `prefix` (with its slash), with paths relative to it. */
export function hunksInside(hunks: readonly DiffHunk[], prefix: string): readonly DiffHunk[] {
  if (prefix === "") return hunks;
  return hunks.flatMap((hunk) =>
    hunk.path.startsWith(prefix) ? [{ ...hunk, path: hunk.path.slice(prefix.length) }] : [],
  );
}
