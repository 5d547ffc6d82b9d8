/** Hits as the protocol carries them. */

import type { Location, Range } from "vscode-languageserver";
import type { CodeSymbol, Hit } from "../contracts/model.ts";
import { toCursor, toRange, toUri } from "./convert.ts";

export type FoundSymbol = Pick<CodeSymbol, "name" | "type" | "signature">;

/** A hit of cocosearch/search. */
export interface FoundHit
  extends Omit<
    Hit,
    "root" | "path" | "lines" | "contextRange" | "symbol" | "symbols" | "otherSymbols"
  > {
  /** The lines that were found. */
  readonly location: Location;
  /** Where the cursor goes: the line of the definition's name, else the first line found. */
  readonly selectionRange: Range;
  readonly contextRange: Range;
  readonly symbol?: FoundSymbol;
  /** Its definitions that answer, best first. */
  readonly symbols?: readonly FoundSymbol[];
  readonly otherSymbols?: readonly FoundSymbol[];
}

/** `file` is the client's name for the hit's file. What an analysis adds to a hit stays. */
export function toFoundHit(hit: Hit, file: string): FoundHit {
  const {
    root: _root,
    path: _path,
    lines,
    contextRange,
    symbol,
    symbols,
    otherSymbols,
    ...rest
  } = hit;
  return {
    location: { uri: toUri(file), range: toRange(lines) },
    selectionRange: toCursor(focusOf(hit)),
    contextRange: toRange(contextRange),
    ...(symbol === undefined ? {} : { symbol: withoutLines(symbol) }),
    ...(symbols === undefined ? {} : { symbols: symbols.map(withoutLines) }),
    ...(otherSymbols === undefined ? {} : { otherSymbols: otherSymbols.map(withoutLines) }),
    ...rest,
  };
}

/** The line to look at. A name outside the lines that were found is not what was found. */
export function focusOf({ lines, symbol }: Pick<Hit, "lines" | "symbol">): number {
  const line = symbol?.nameLine ?? lines.start;
  return line >= lines.start && line <= lines.end ? line : lines.start;
}

export function withoutLines({ name, type, signature }: CodeSymbol): FoundSymbol {
  return { name, type, signature };
}
