/** Between the protocol's places and ours. The only file that knows of position encodings and of ends that are excluded. */

import { fileURLToPath, pathToFileURL } from "node:url";
import { type Position, PositionEncodingKind, type Range } from "vscode-languageserver";
import type { BestLine, Lines } from "../contracts/model.ts";

const ENCODINGS: readonly PositionEncodingKind[] = [
  PositionEncodingKind.UTF8,
  PositionEncodingKind.UTF16,
  PositionEncodingKind.UTF32,
];

/** The first encoding in the client's order of preference that is known; UTF-16 where it does not say. */
export function chooseEncoding(offered: unknown): PositionEncodingKind {
  const known = Array.isArray(offered) ? offered : [];
  return known.find((each) => ENCODINGS.includes(each)) ?? PositionEncodingKind.UTF16;
}

/** Whole lines: from the first character of the first to the first character after the last. */
export function toRange({ start, end }: Lines): Range {
  return { start: { line: start, character: 0 }, end: { line: end + 1, character: 0 } };
}

/** A range of which only the lines were checked. */
interface ClientRange {
  readonly start: { readonly line: number };
  readonly end: { readonly line: number; readonly character?: unknown };
}

/** The lines of a range as a client gave it. */
export function toLines({ start, end }: ClientRange): Lines {
  const isBefore = end.character === 0 && end.line > start.line;
  return { start: start.line, end: isBefore ? end.line - 1 : end.line };
}

/** A place to put the cursor, with nothing selected. */
export function toCursor(line: number, character = 0): Range {
  const at = { line, character };
  return { start: at, end: at };
}

/** The best line of a hit in the client's encoding. */
export interface LineRange {
  /** From where the cursor goes to the end of `text`. */
  readonly range: Range;
  readonly text: string;
  /** The character of the line at which `text` begins. */
  readonly textStart: number;
  readonly highlights: readonly Range[];
}

export function toLineRange(
  { line, column, lead, text, highlights }: BestLine,
  encoding: PositionEncodingKind,
): LineRange {
  const whole = lead + text;
  const width = (end: number) => widthOf(whole.slice(0, end), encoding);
  const between = (start: number, end: number): Range => ({
    start: { line, character: width(start) },
    end: { line, character: width(end) },
  });
  return {
    range: between(column, Math.max(column, whole.length)),
    text,
    textStart: width(lead.length),
    highlights: highlights.map(([start, end]) => between(start, end)),
  };
}

/** A name on a line; `lead` is what is before it there. */
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

/** Undefined for anything but a file on this machine: an untitled buffer, a terminal, a remote host. */
export function toPath(uri: unknown): string | undefined {
  if (typeof uri !== "string" || !uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri);
  } catch (error) {
    // A host, an encoded slash, or a percent sign that encodes nothing.
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

export function toUri(path: string): string {
  return pathToFileURL(path).href;
}

/** A position in the client's encoding as one in UTF-16 units; `line` is the text of its line. */
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
