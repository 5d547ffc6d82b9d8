/** Cuts a file into chunks at the boundaries of its syntax. Nothing is dropped, and no chunk is larger than asked for. */

import type { Chunk } from "../model.ts";
import type { Syntax } from "../ports.ts";
import { cutRanges } from "./chunk-cut.ts";
import { boundaryLevels } from "./chunk-levels.ts";
import { shareLines } from "./chunk-overlap.ts";
import { type ChunkOptions, type Piece, toPage } from "./chunk-page.ts";
import { createScopes } from "./chunk-scopes.ts";

/** Raised when the same file would give other chunks: stored indexes are refreshed then. */
export const CHUNKER_VERSION = "1";

/** In source order. Chunks overlap only inside one definition; each definition is named by exactly one chunk. */
export function chunk(text: string, syntax: Syntax, options: ChunkOptions): Chunk[] {
  const page = toPage(text);
  const scopes = createScopes(page, syntax.definitions);
  const levels = boundaryLevels(page, syntax, options);
  const pieces = cutRanges(page, levels, scopes, options).flatMap((piece) => trim(text, piece));
  const symbols = scopes.symbolsOf(pieces);
  return pieces.map((piece, i) => {
    const wider = shareLines(page, scopes, pieces[i - 1], piece, options);
    const lines = { start: page.lineAt(wider.start), end: page.lineAt(wider.end - 1) };
    const own = symbols[i] ?? [];
    const context = scopes.covering(lines)?.symbol.lines ?? lines;
    const hierarchy = scopes.around(lines)?.symbol.name;
    const blockType = own[0]?.nodeType;
    return {
      span: { start: page.bytesAt(wider.start), end: page.bytesAt(wider.end) },
      lines,
      text: text.slice(wider.start, wider.end),
      symbols: own.map(({ symbol }) => symbol),
      context,
      ...(blockType === undefined ? {} : { blockType }),
      ...(hierarchy === undefined ? {} : { hierarchy }),
    };
  });
}

/** Without blank lines at its beginning and white space at its end; nothing where nothing else is there. */
function trim(text: string, { start, end }: Piece): Piece[] {
  const content = text.slice(start, end);
  const kept = content.trimEnd().length;
  if (kept === 0) return [];
  const first = content.search(/\S/);
  const blank = content.lastIndexOf("\n", first) + 1;
  return [{ start: start + blank, end: start + kept }];
}
