/** Converts between positions of the protocol and of the index. Only this file handles position encodings and exclusive ends. */

import { fileURLToPath, pathToFileURL } from "node:url";
import { type Position, PositionEncodingKind, type Range } from "vscode-languageserver";
import { memoize } from "../common/memoize.ts";
import type { BestLine, Lines } from "../contracts/model.ts";
import type { FoundPlace, PartLength } from "../contracts/scanner.ts";

const ENCODINGS: readonly PositionEncodingKind[] = [
  PositionEncodingKind.UTF8,
  PositionEncodingKind.UTF16,
  PositionEncodingKind.UTF32,
];

/** The first known encoding in the client's order of preference; UTF-16 if the client offers none. */
export function chooseEncoding(offered: unknown): PositionEncodingKind {
  const known = Array.isArray(offered) ? offered : [];
  return known.find((each) => ENCODINGS.includes(each)) ?? PositionEncodingKind.UTF16;
}

/** A range of whole lines, from column 0 of the first to column 0 after the last. */
export function toRange({ start, end }: Lines): Range {
  return { start: { line: start, character: 0 }, end: { line: end + 1, character: 0 } };
}

/** A range whose lines are checked, but not its characters. */
interface ClientRange {
  readonly start: { readonly line: number };
  readonly end: { readonly line: number; readonly character?: unknown };
}

/** The lines of a client's range, without a last line that ends at column 0. */
export function toLines({ start, end }: ClientRange): Lines {
  const isBefore = end.character === 0 && end.line > start.line;
  return { start: start.line, end: isBefore ? end.line - 1 : end.line };
}

/** An empty range for the cursor. */
export function toCursor(line: number, character = 0): Range {
  const at = { line, character };
  return { start: at, end: at };
}

/** The best line of a hit in the client's encoding. */
export interface LineRange {
  /** From the cursor position to the end of `text`. */
  readonly range: Range;
  readonly text: string;
  /** The column where `text` begins. */
  readonly textStart: number;
  readonly highlights: readonly Range[];
}

export function toLineRange(
  { line, column, lead, text, highlights, written = lead + text }: BestLine,
  encoding: PositionEncodingKind,
): LineRange {
  const between = (whole: string, start: number, end: number): Range => ({
    start: { line, character: widthOf(whole.slice(0, start), encoding) },
    end: { line, character: widthOf(whole.slice(0, end), encoding) },
  });
  return {
    range: between(written, column, Math.max(column, written.length)),
    text,
    textStart: widthOf(lead, encoding),
    highlights: highlights.map(([start, end]) => between(lead + text, start, end)),
  };
}

/** A place of a text in the client's encoding. */
export interface PlaceRange {
  /** The match, as far as `text` has it. */
  readonly range: Range;
  /** The line, or a part of a long line. */
  readonly text: string;
  /** The column where `text` begins. */
  readonly textStart: number;
}

const NOTHING_BEFORE: PartLength = { units: 0, bytes: 0, characters: 0 };

export function toPlaceRange(
  { line, column, length, text, before = NOTHING_BEFORE }: FoundPlace,
  encoding: PositionEncodingKind,
): PlaceRange {
  const textStart =
    encoding === PositionEncodingKind.UTF16
      ? before.units
      : encoding === PositionEncodingKind.UTF8
        ? before.bytes
        : before.characters;
  const at = (unit: number) => ({
    line,
    character: textStart + widthOf(text.slice(0, unit - before.units), encoding),
  });
  return { range: { start: at(column), end: at(column + length) }, text, textStart };
}

/** The range of a name; `lead` is the text before it on the line. */
export function toNameRange(
  { line, lead, name }: { readonly line: number; readonly lead: string; readonly name: string },
  encoding: PositionEncodingKind,
): Range {
  const start = { line, character: widthOf(lead, encoding) };
  return { start, end: { line, character: widthOf(lead + name, encoding) } };
}

function widthOf(text: string, encoding: PositionEncodingKind): number {
  if (encoding === PositionEncodingKind.UTF16) return text.length;
  return encoding === PositionEncodingKind.UTF8 ? Buffer.byteLength(text) : Array.from(text).length;
}

/** The path of a local file URI; undefined for untitled buffers, terminals and remote hosts. */
export function toPath(uri: unknown): string | undefined {
  if (typeof uri !== "string" || !uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri);
  } catch (error) {
    // The URI has a host, an encoded slash, or an invalid escape.
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

/** Files recur in answers: enough for some hundred questions, in half a megabyte. */
const MAX_KNOWN_URIS = 2_000;

/** Takes an absolute path. */
export const toUri = memoize((path) => pathToFileURL(path).href, MAX_KNOWN_URIS);

/** Converts a position from the client's encoding to UTF-16 units; `text` is its line. */
export function toUtf16(
  { line, character }: Position,
  text: string,
  encoding: PositionEncodingKind,
): Position {
  if (encoding === PositionEncodingKind.UTF16) return { line, character };
  let units = 0;
  let left = character;
  for (const symbol of text) {
    const width = encoding === PositionEncodingKind.UTF8 ? Buffer.byteLength(symbol) : 1;
    if (left < width) break;
    left -= width;
    units += symbol.length;
  }
  return { line, character: units };
}
