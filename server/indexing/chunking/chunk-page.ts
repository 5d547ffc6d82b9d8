/** A text with its lines and byte offsets, shared by all steps of chunking. */

import { byteOffsetsOf, lineAt, lineStartsOf } from "../../common/text.ts";
import type { ChunkStrategy } from "../../contracts/model.ts";

export interface ChunkOptions {
  readonly languageId: string;
  /** In UTF-8 bytes. */
  readonly chunkSize: number;
  /** The overlap of neighboring pieces of one definition, in bytes; rounded to whole lines. */
  readonly chunkOverlap: number;
  /** Default: adaptive. */
  readonly strategy?: ChunkStrategy | undefined;
}

/** A range of the text in UTF-16 units; `end` is exclusive. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

export interface Page {
  readonly text: string;
  /** The start of each line, followed by the end of the text. */
  readonly starts: readonly number[];
  /** The end of each line without trailing white space; for a blank line, the end of the last non-blank line. */
  readonly ends: readonly number[];
  readonly bytesAt: (offset: number) => number;
  readonly lineAt: (offset: number) => number;
}

export function toPage(text: string): Page {
  const lineStarts = lineStartsOf(text);
  return {
    text,
    starts: [...lineStarts, text.length],
    ends: contentEnds(text, lineStarts),
    bytesAt: byteOffsetsOf(text),
    lineAt: (offset) => lineAt(lineStarts, offset),
  };
}

function contentEnds(text: string, starts: readonly number[]): number[] {
  let last = 0;
  return starts.map((start, line) => {
    let end = starts[line + 1] ?? text.length;
    while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
    if (end > start) last = end;
    return last;
  });
}

function isSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13);
}
