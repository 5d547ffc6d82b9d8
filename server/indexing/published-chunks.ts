/** Reads the chunks of a published file from the JSON that its rows come as. */

import type { ByteSpan, Chunk } from "../contracts/model.ts";

/**
 * The text of a chunk comes from the local file, so no row has it. Of rows that were not compared with the file, any value may
 * have another type. Throws SyntaxError for anything but a list of rows.
 */
export function chunksOf(
  rows: string,
  textOf: (span: ByteSpan, number: number, hash: string) => string,
): readonly Chunk[] {
  const parsed: unknown = JSON.parse(rows);
  if (!Array.isArray(parsed)) throw new SyntaxError("the rows are not a list");
  return parsed.map((row: unknown, i) => {
    if (!Array.isArray(row)) throw new SyntaxError("a row is not a list");
    const [start, end, line, lastLine, context, lastContext, ...rest] =
      row as unknown as PublishedRow;
    const [blockType, hierarchy, symbols, hash] = rest;
    const span = { start, end };
    return {
      span,
      lines: { start: line, end: lastLine },
      context: { start: context, end: lastContext },
      symbols,
      text: textOf(span, i, hash),
      ...(blockType === null ? {} : { blockType }),
      ...(hierarchy === null ? {} : { hierarchy }),
    };
  });
}

/** In the order of the statement in `store/published-files.ts`. */
type PublishedRow = readonly [
  start: number,
  end: number,
  line: number,
  lastLine: number,
  context: number,
  lastContext: number,
  blockType: string | null,
  hierarchy: string | null,
  symbols: Chunk["symbols"],
  /** The beginning of the hash of the text. */
  hash: string,
];
