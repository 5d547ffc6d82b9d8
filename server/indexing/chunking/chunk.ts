/** Cuts a file into chunks at the boundaries of its syntax. Nothing is dropped, and no chunk is larger than asked for. */

import type { Syntax } from "../../contracts/languages.ts";
import type { Chunk } from "../../contracts/model.ts";
import { type ChunkOptions, toPage } from "./chunk-page.ts";
import { createScopes } from "./chunk-scopes.ts";
import { cutInto, linesOf } from "./chunk-strategies.ts";

/** Raised when the same file would give other chunks, or when more of it is a secret: stored indexes are refreshed then. */
export const CHUNKER_VERSION = "12";

/** In source order. Each definition is named by exactly one chunk. */
export function chunk(text: string, syntax: Syntax, options: ChunkOptions): Chunk[] {
  const page = toPage(text);
  const scopes = createScopes(page, syntax.definitions);
  const cuts = cutInto({ page, syntax, scopes, options });
  const symbols = scopes.symbolsOf(cuts.map(({ own }) => own));
  return cuts.map(({ shown }, i) => {
    const lines = linesOf(page, shown);
    const own = symbols[i] ?? [];
    const context = scopes.covering(lines)?.symbol.lines ?? lines;
    const hierarchy = scopes.around(lines)?.symbol.name;
    const blockType = own[0]?.nodeType;
    return {
      span: { start: page.bytesAt(shown.start), end: page.bytesAt(shown.end) },
      lines,
      text: text.slice(shown.start, shown.end),
      symbols: own.map(({ symbol }) => symbol),
      context,
      ...(blockType === undefined ? {} : { blockType }),
      ...(hierarchy === undefined ? {} : { hierarchy }),
    };
  });
}
