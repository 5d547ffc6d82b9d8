/** A text with what every step of the cutting asks about it. */

import { byteOffsetsOf, lineAt, lineStartsOf } from "../../common/text.ts";
import type { ChunkStrategy } from "../../contracts/model.ts";

export interface ChunkOptions {
  readonly languageId: string;
  /** Bytes of UTF-8. */
  readonly chunkSize: number;
  /** Bytes that two neighboring pieces of one definition share, in whole lines. */
  readonly chunkOverlap: number;
  /** Default: adaptive. */
  readonly strategy?: ChunkStrategy | undefined;
}

/** A stretch of the text in UTF-16 units, the end excluded. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

export interface Page {
  readonly text: string;
  /** Where each line begins, and the end of the text after the last. */
  readonly starts: readonly number[];
  /** Where each line ends without white space; a blank line, where the last one that is not blank ended. */
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
