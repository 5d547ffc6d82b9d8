/** Converts hits to the form of the protocol. */

import type { Location, PositionEncodingKind, Range } from "vscode-languageserver";
import type { CodeSymbol, FurtherPlace, Hit, PublishedPlace } from "../contracts/model.ts";
import { type LineRange, toCursor, toLineRange, toRange, toUri } from "./convert.ts";

export type FoundSymbol = Pick<CodeSymbol, "name" | "type" | "signature">;

/** A hit of cocosearch/search. */
export interface FoundHit
  extends Omit<
    Hit,
    | "root"
    | "path"
    | "lines"
    | "bestLine"
    | "contextRange"
    | "symbol"
    | "symbols"
    | "otherSymbols"
    | "places"
    | "published"
  > {
  /** Set for a hit of a published index: `path` is the path in the repository. */
  readonly published?: PublishedPlace & Pick<Hit, "path">;
  /** The lines of the chunk. */
  readonly location: Location;
  /** The cursor position: the best line, else the line of the definition's name, else the first line. */
  readonly selectionRange: Range;
  /** The best matching line, for lists and highlighting. */
  readonly bestLine?: LineRange;
  readonly contextRange: Range;
  readonly symbol?: FoundSymbol;
  /** The matching definitions of the chunk, best first. */
  readonly symbols?: readonly FoundSymbol[];
  readonly otherSymbols?: readonly FoundSymbol[];
  /** Up to three further places of the file, best first. */
  readonly places?: readonly FoundPlace[];
}

/** The lines of a chunk, and its best matching definition. */
interface FoundPlace extends Pick<FurtherPlace, "hierarchy"> {
  readonly location: Location;
  readonly symbol?: FoundSymbol;
}

/** `file` is the client's path. Other fields, such as the ranks of an analysis, are kept. */
export function toFoundHit(hit: Hit, file: string, encoding: PositionEncodingKind): FoundHit {
  const {
    root: _root,
    path,
    published,
    lines,
    bestLine,
    contextRange,
    symbol,
    symbols,
    otherSymbols,
    places,
    ...rest
  } = hit;
  const uri = published === undefined ? toUri(file) : uriOf(published, path);
  return {
    location: { uri, range: toRange(lines) },
    selectionRange: cursorOf(hit, encoding),
    ...(bestLine === undefined ? {} : { bestLine: toLineRange(bestLine, encoding) }),
    contextRange: toRange(contextRange),
    ...(published === undefined ? {} : { published: { ...published, path } }),
    ...(symbol === undefined ? {} : { symbol: withoutLines(symbol) }),
    ...(symbols === undefined ? {} : { symbols: symbols.map(withoutLines) }),
    ...(otherSymbols === undefined ? {} : { otherSymbols: otherSymbols.map(withoutLines) }),
    ...(places === undefined ? {} : { places: places.map((place) => toFoundPlace(place, uri)) }),
    ...rest,
  };
}

/** The link, or an address that no editor opens if the user wants none. */
function uriOf({ repository, link }: PublishedPlace, path: string): string {
  const place = [...repository.split("/"), ...path.split("/")].map(encodeURIComponent).join("/");
  return link ?? `published://${place}`;
}

function toFoundPlace({ lines, symbol, ...rest }: FurtherPlace, uri: string): FoundPlace {
  const location = { uri, range: toRange(lines) };
  return { location, ...(symbol === undefined ? {} : { symbol: withoutLines(symbol) }), ...rest };
}

/** The cursor position of a hit. */
export function cursorOf(hit: Hit, encoding: PositionEncodingKind): Range {
  if (hit.bestLine === undefined) return toCursor(focusOf(hit));
  const { start } = toLineRange(hit.bestLine, encoding).range;
  return toCursor(start.line, start.character);
}

/** The line to show. A best line or name outside the lines of the hit is ignored. */
export function focusOf({ lines, bestLine, symbol }: Hit): number {
  const line = bestLine?.line ?? symbol?.nameLine ?? lines.start;
  return line >= lines.start && line <= lines.end ? line : lines.start;
}

export function withoutLines({ name, type, signature }: FoundSymbol): FoundSymbol {
  return { name, type, signature };
}
