/** Decodes hunks of files that are not in UTF-8, by the encoding of the file in the index. */

import { type DiffHunk, shownLine } from "./parse-diff.ts";

/** The text of bytes in the encoding of an indexed file; undefined for binary bytes. */
type DecodeFile = (bytes: Buffer, path: string) => string | undefined;

/**
 * A hunk of a file without a known encoding stays UTF-8 with U+FFFD: a few lines are too little to guess from. Lines are decoded one by
 * one, as in all encodings that git does not take for binary no character contains a line feed.
 */
export function decodeHunks(hunks: readonly DiffHunk[], decode: DecodeFile): readonly DiffHunk[] {
  if (hunks.every(({ undecoded }) => undecoded === undefined)) return hunks;
  return hunks.map(({ undecoded, ...hunk }) => {
    if (undecoded === undefined) return hunk;
    const text = hunk.text.map((line, i) => {
      const decoded = decode(Buffer.from(undecoded[i] ?? "", "latin1"), hunk.path) ?? line;
      return shownLine(decoded).replace(/\r$/, "");
    });
    return { ...hunk, text };
  });
}
