/** The chunk strategies: along definitions, one definition per chunk, or by size without syntax. */

import type { Syntax } from "../../contracts/languages.ts";
import type { Lines } from "../../contracts/model.ts";
import { ANY_LINE, boundaryLevels } from "./boundary-levels.ts";
import { cutRanges } from "./chunk-cut.ts";
import type { ChunkOptions, Page, Piece } from "./chunk-page.ts";
import { createScopes, type Scopes } from "./chunk-scopes.ts";

interface Cutting {
  readonly page: Page;
  readonly syntax: Syntax;
  readonly scopes: Scopes;
  readonly options: ChunkOptions;
}

/** A piece without and with its overlap. */
interface Cut {
  readonly own: Piece;
  readonly shown: Piece;
}

/** Cuts in order; together they cover all text except blank lines. */
export function cutInto(cutting: Cutting): Cut[] {
  switch (cutting.options.strategy ?? "adaptive") {
    case "adaptive":
      return adaptive(cutting);
    case "semantic":
      return semantic(cutting);
    case "fixed":
      return alone(plain(cutting, cutting.options.chunkSize));
    case "sliding":
      return sliding(cutting);
  }
}

/** Keeps definitions whole if they fit, merges small neighbors, and cuts large definitions at inner boundaries. */
function adaptive(cutting: Cutting): Cut[] {
  return shared(cutting, piecesOf(cutting));
}

function piecesOf({ page, syntax, scopes, options }: Cutting): Piece[] {
  const levels = boundaryLevels(page, syntax, options);
  return trimAll(page.text, cutRanges(page, levels, scopes, options));
}

function shared({ page, scopes, options }: Cutting, pieces: readonly Piece[]): Cut[] {
  return pieces.map((own, i) => ({
    own,
    shown: shareLines(page, scopes, pieces[i - 1], own, options),
  }));
}

function alone(pieces: readonly Piece[]): Cut[] {
  return pieces.map((own) => ({ own, shown: own }));
}

/** Like `adaptive`, but a chunk has at most one of several sibling definitions. */
function semantic(cutting: Cutting): Cut[] {
  const { page, syntax } = cutting;
  const borders = new Set<number>();
  for (const { symbol, start } of syntax.definitions) {
    borders.add(page.starts[page.lineAt(start)] ?? 0);
    borders.add(page.starts[symbol.lines.end + 1] ?? page.text.length);
  }
  const pieces = piecesOf(cutting).flatMap((piece) => splitAt(page, piece, borders));
  return shared(cutting, pieces);
}

/** A line without a word character stays with the lines before it. */
function splitAt({ text, starts, lineAt }: Page, piece: Piece, borders: Set<number>): Piece[] {
  const parts: Piece[] = [];
  let { start } = piece;
  for (let line = lineAt(piece.start) + 1; (starts[line] ?? piece.end) < piece.end; line++) {
    const at = starts[line] ?? piece.end;
    const hasWord = (part: string) => /[\p{L}\p{N}]/u.test(part);
    if (!borders.has(at) || !hasWord(text.slice(at, piece.end))) continue;
    if (hasWord(text.slice(start, at))) {
      parts.push({ start, end: at });
      start = at;
    }
  }
  return trimAll(text, [...parts, { start, end: piece.end }]);
}

/** Packs whole lines up to the size. */
function plain({ page, options }: Cutting, chunkSize: number): Piece[] {
  const levels = new Uint16Array(page.starts.length - 1).fill(ANY_LINE);
  const scopes = createScopes(page, []);
  return trimAll(
    page.text,
    cutRanges(page, levels, scopes, { ...options, chunkSize, chunkOverlap: 0 }),
  );
}

/** Overlapping windows of the size. */
function sliding(cutting: Cutting): Cut[] {
  const { page, options } = cutting;
  const overlap = Math.min(options.chunkOverlap, Math.floor(options.chunkSize / 2));
  const pieces = plain(cutting, options.chunkSize - overlap);
  return pieces.map((piece, i) => {
    const previous = pieces[i - 1];
    if (previous === undefined || page.starts[page.lineAt(piece.start)] !== piece.start)
      return { own: piece, shown: piece };
    const lowest = page.bytesAt(piece.start) - overlap;
    let { start } = piece;
    for (let line = page.lineAt(piece.start) - 1; line >= 0; line--) {
      const at = page.starts[line] ?? 0;
      if (at <= previous.start || page.bytesAt(at) < lowest) break;
      if (page.text.slice(at, page.starts[line + 1]).trim() !== "") start = at;
    }
    return { own: piece, shown: { start, end: piece.end } };
  });
}

function trimAll(text: string, pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece) => trim(text, piece));
}

/** Trims leading blank lines and trailing white space. Empty for a blank piece. */
function trim(text: string, { start, end }: Piece): Piece[] {
  const content = text.slice(start, end);
  const kept = content.trimEnd().length;
  if (kept === 0) return [];
  const first = content.search(/\S/);
  const blank = content.lastIndexOf("\n", first) + 1;
  return [{ start: start + blank, end: start + kept }];
}

/** The 0-based lines of a piece. */
export function linesInRange(page: Page, { start, end }: Piece): Lines {
  return { start: page.lineAt(start), end: page.lineAt(end - 1) };
}

/** Extends a piece by the overlap with the previous piece. Separate definitions have no overlap. */
function shareLines(
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
