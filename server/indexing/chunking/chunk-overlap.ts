/** Adds overlap: neighboring pieces of one definition share lines, so that text across a cut is found. */

import type { ChunkOptions, Page, Piece } from "./chunk-page.ts";
import type { Scopes } from "./chunk-scopes.ts";

/** Extends a piece by the overlap with the previous piece. Separate definitions have no overlap. */
export function shareLines(
  page: Page,
  scopes: Scopes,
  previous: Piece | undefined,
  piece: Piece,
  { chunkSize, chunkOverlap }: ChunkOptions,
): Piece {
  if (previous === undefined) return piece;
  const first = page.lineAt(piece.start);
  const scope = scopes.at(first);
  const isWithin = scope !== undefined && page.starts[first] === piece.start;
  if (!isWithin || scopes.at(page.lineAt(previous.end - 1)) !== scope) return piece;

  const own = page.bytesAt(piece.end) - page.bytesAt(piece.start);
  const spare = Math.min(chunkOverlap, chunkSize - own);
  const lowest = page.bytesAt(piece.start) - spare;
  let start = piece.start;
  for (let line = first - 1; line >= 0; line--) {
    const at = page.starts[line] ?? 0;
    if (at <= previous.start || page.bytesAt(at) < lowest || scopes.at(line) !== scope) break;
    if (page.text.slice(at, page.starts[line + 1]).trim() !== "") start = at;
  }
  return { start, end: piece.end };
}
