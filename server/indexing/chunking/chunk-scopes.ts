/** Finds the definition that contains a line or a range of lines. */

import type { Definition } from "../../contracts/languages.ts";
import type { Lines } from "../../contracts/model.ts";
import type { Page, Piece } from "./chunk-page.ts";

export interface Scopes {
  /** The innermost definition of a line. */
  at(line: number): Definition | undefined;
  /** The smallest definition that contains the lines. */
  covering(lines: Lines): Definition | undefined;
  /** The smallest definition that contains the lines and at least one more. */
  enclosing(lines: Lines): Definition | undefined;
  /** Whether a definition begins and ends within the lines. */
  hasWhole(lines: Lines): boolean;
  /** The definitions of each piece, by the line of their name. Pieces must be in order. */
  symbolsOf(pieces: readonly Piece[]): Definition[][];
}

export function createScopes(page: Page, definitions: readonly Definition[]): Scopes {
  /** Per line, the index plus 1 of the innermost definition (0: none); per definition, the same for the enclosing one. */
  const innermost = new Uint32Array(page.starts.length);
  const parents = new Uint32Array(definitions.length + 1);
  definitions.forEach(({ symbol: { lines } }, i) => {
    parents[i + 1] = innermost[lines.start] ?? 0;
    innermost.fill(i + 1, lines.start, lines.end + 1);
  });

  const climb = (line: number, holds: (lines: Lines) => boolean): Definition | undefined => {
    for (let index = innermost[line] ?? 0; index > 0; index = parents[index] ?? 0) {
      const definition = definitions[index - 1];
      if (definition !== undefined && holds(definition.symbol.lines)) return definition;
    }
    return undefined;
  };

  return {
    at: (line) => climb(line, () => true),
    covering: (lines) => climb(lines.start, (own) => holdsAll(own, lines)),
    enclosing: (lines) => climb(lines.start, (own) => holdsAll(own, lines) && !isSame(own, lines)),
    hasWhole: (lines) => {
      for (let line = lines.start; line <= lines.end; line++) {
        if (climb(line, (own) => holdsAll(lines, own)) !== undefined) return true;
      }
      return false;
    },
    symbolsOf: (pieces) => {
      const named: Definition[][] = pieces.map(() => []);
      for (const definition of definitions) {
        const { nameLine } = definition.symbol;
        // A cut long line has several pieces, so the offset decides instead of the line.
        const anchor = Math.max(page.starts[nameLine] ?? 0, definition.nodeStart);
        named[pieceAt(pieces, anchor)]?.push(definition);
      }
      return named;
    },
  };
}

function holdsAll(outer: Lines, inner: Lines): boolean {
  return outer.start <= inner.start && outer.end >= inner.end;
}

function isSame(a: Lines, b: Lines): boolean {
  return a.start === b.start && a.end === b.end;
}

/** Binary search for the last piece that starts at or before the offset. */
function pieceAt(pieces: readonly Piece[], offset: number): number {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
