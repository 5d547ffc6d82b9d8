/** Cuts a file into chunks at syntax boundaries. No text is dropped, and no chunk exceeds the chunk size. */

import type { Syntax } from "../../contracts/languages.ts";
import type { Chunk } from "../../contracts/model.ts";
import { type ChunkOptions, toPage } from "./chunk-page.ts";
import { createScopes } from "./chunk-scopes.ts";
import { cutInto, linesInRange } from "./chunk-strategies.ts";

/** Incremented if chunking or the redaction of secrets changes, so that stored indexes are refreshed. */
export const CHUNKER_VERSION = "16";

/**
 * Chunks in source order. Each definition is a symbol of exactly one chunk. Variables are symbols, but no boundaries: a list of
 * constants is cut like other statements.
 */
export function chunk(text: string, syntax: Syntax, options: ChunkOptions): Chunk[] {
  const page = toPage(text);
  const scopes = createScopes(page, syntax.definitions);
  const blocks = syntax.definitions.filter(({ symbol }) => symbol.type !== "variable");
  const cutting = { page, syntax: { ...syntax, definitions: blocks }, options };
  const cuts = cutInto({ ...cutting, scopes: createScopes(page, blocks) });
  const symbols = scopes.symbolsOf(cuts.map(({ own }) => own));
  return cuts.map(({ shown }, i) => {
    const lines = linesInRange(page, shown);
    const own = symbols[i] ?? [];
    const context = scopes.covering(lines)?.symbol.lines ?? lines;
    const hierarchy = scopes.enclosing(lines)?.symbol.name;
    const blockType = own.find(({ symbol }) => symbol.type !== "variable")?.nodeType;
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
