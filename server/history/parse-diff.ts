/** Parses the diff of one commit, with its lines of context, into hunks to show. */

import { DiffLineReader } from "./diff-line-reader.ts";

/** Longer lines are cut; they are data, not code. */
const MAX_LINE_LENGTH = 400;
/** A character has at most four bytes. */
const MAX_LINE_BYTES = 4 * MAX_LINE_LENGTH;
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
  /** The same lines as bytes (latin1), if they are not valid UTF-8; see decode-hunks.ts. */
  readonly undecoded?: readonly string[];
}

interface OpenHunk extends DiffHunk {
  readonly text: string[];
  readonly undecoded: string[];
}

/** The hunks in the order of the diff, at most 200. `output` has one character per byte (latin1), as files differ in encoding. */
export function parseDiff(output: string): DiffHunk[] {
  const reader = new DiffLineReader();
  const hunks: OpenHunk[] = [];
  for (let from = 0; from < output.length; ) {
    const newline = output.indexOf("\n", from);
    const end = newline === -1 ? output.length : newline;
    const bytes = output.slice(from, end);
    const line = fromUtf8(bytes);
    from = end + 1;
    const kind = reader.read(line);
    if (kind === "oldPath" || kind === "newPath" || kind === "other") continue;
    if (kind === "hunk") {
      if (hunks.length >= MAX_HUNKS_PER_COMMIT) break;
      const { start, lines, oldStart, oldLines } = reader.header;
      const range = { start, lines, oldStart, oldLines };
      hunks.push({ path: reader.path, ...range, text: [], undecoded: [] });
    }
    const isHeader = kind === "hunk";
    hunks.at(-1)?.text.push(isHeader ? shownLine(line) : shownLine(line).replace(/\r$/, ""));
    hunks.at(-1)?.undecoded.push(bytes.slice(0, MAX_LINE_BYTES));
  }
  return hunks.map(({ undecoded, ...hunk }) =>
    hunk.text.some((line) => line.includes("\ufffd")) ? { ...hunk, undecoded } : hunk,
  );
}

/** The shown part of a line. */
export function shownLine(line: string): string {
  return line.slice(0, MAX_LINE_LENGTH);
}

function fromUtf8(bytes: string): string {
  return /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}

/** The hunks of files below the folder `prefix` (with its slash), with paths relative to it. */
export function hunksInside(hunks: readonly DiffHunk[], prefix: string): readonly DiffHunk[] {
  if (prefix === "") return hunks;
  return hunks.flatMap((hunk) =>
    hunk.path.startsWith(prefix) ? [{ ...hunk, path: hunk.path.slice(prefix.length) }] : [],
  );
}
