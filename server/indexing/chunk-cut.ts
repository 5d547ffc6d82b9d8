/** Cuts lines into pieces of at most a size: at the best boundaries, merging what is small, down to the inside of one long line. */

import { wholeCharacter } from "../text.ts";
import { ANY_LINE } from "./chunk-levels.ts";
import type { ChunkOptions, Page, Piece } from "./chunk-page.ts";
import type { Scopes } from "./chunk-scopes.ts";

/** Lines, the end excluded. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** A head of at most this share of a chunk goes with the first lines of what is cut after it. */
const HEAD_SHARE = 1 / 2;
/** At the top of a file less: imports are not the head of the class below them. */
const TOP_HEAD_SHARE = 1 / 8;
/** A last piece smaller than this share of a chunk takes lines from the one before it. */
const TAIL_SHARE = 1 / 4;
/** A long line is cut at a separator within this share of the piece's end. */
const SEPARATOR_SHARE = 0.3;
const IS_SEPARATOR = /[\s,;(){}[\]<>]/;

/** In order and without gaps. */
export function cutRanges(
  page: Page,
  levels: Uint16Array,
  scopes: Scopes,
  { chunkSize, chunkOverlap }: ChunkOptions,
): Piece[] {
  const bytes = ({ from, to }: Range) =>
    page.bytesAt(page.ends[to - 1] ?? 0) - page.bytesAt(page.starts[from] ?? 0);
  /** Inside one function the shared lines need room. */
  const overlapped = chunkSize - Math.min(chunkOverlap, Math.floor(chunkSize / 2));

  const cut = (range: Range, floor: number): Piece[] => {
    if (bytes(range) <= chunkSize) return [toPiece(page, range)];
    if (range.to - range.from === 1) return cutLine(page, toPiece(page, range), chunkSize);
    const level = bestLevel(levels, range, floor);
    const limit = isInOneFunction(range) ? overlapped : chunkSize;
    return group(split(levels, range, level), level, limit).flatMap((part) => cut(part, level));
  };

  const isInOneFunction = ({ from, to }: Range) => {
    const type = scopes.covering({ start: from, end: page.lineAt(page.ends[to - 1] ?? 0) })?.symbol
      .type;
    return type === "function" || type === "method";
  };

  /** Neighbours together up to the limit; what is larger stays alone, with its head. */
  const group = (parts: readonly Range[], level: number, limit: number): Range[] => {
    const groups: Range[][] = [];
    for (const part of parts) {
      const current = groups.at(-1);
      const joined = current === undefined ? part : { from: current[0]?.from ?? 0, to: part.to };
      if (current === undefined) groups.push([part]);
      else if (bytes(joined) <= limit) current.push(part);
      else if (groups.length === 1 && isHeadOf(join(current), part, level)) groups[0] = [joined];
      else groups.push([part]);
    }
    return balance(groups, limit);
  };

  const isHeadOf = (head: Range, next: Range, level: number) =>
    level !== ANY_LINE &&
    bytes(next) > chunkSize &&
    bytes(head) <= chunkSize * (level === 0 ? TOP_HEAD_SHARE : HEAD_SHARE) &&
    !scopes.hasWhole({ start: head.from, end: head.to - 1 });

  /** A small end takes from the group before it. */
  const balance = (groups: Range[][], limit: number): Range[] => {
    const [before, last] = [groups.at(-2), groups.at(-1)];
    if (before !== undefined && last !== undefined && bytes(join(last)) < limit * TAIL_SHARE) {
      while (before.length > 1) {
        const moved = before.at(-1) as Range;
        const [left, right] = [
          bytes(join(before)) - bytes(moved),
          bytes(join(last)) + bytes(moved),
        ];
        if (right > left) break;
        before.pop();
        last.unshift(moved);
      }
    }
    return groups.map(join);
  };

  const all = { from: 0, to: page.starts.length - 1 };
  return page.text === "" ? [] : cut(all, -1);
}

function join(parts: readonly Range[]): Range {
  return { from: parts[0]?.from ?? 0, to: parts.at(-1)?.to ?? 0 };
}

function toPiece({ starts }: Page, { from, to }: Range): Piece {
  return { start: starts[from] ?? 0, end: starts[to] ?? 0 };
}

/** The best level, worse than the floor, at which the range can be cut. */
function bestLevel(levels: Uint16Array, { from, to }: Range, floor: number): number {
  let best = ANY_LINE;
  for (let line = from + 1; line < to; line++) {
    const level = levels[line] ?? ANY_LINE;
    if (level > floor && level < best) best = level;
  }
  return best;
}

function split(levels: Uint16Array, { from, to }: Range, level: number): Range[] {
  const parts: Range[] = [];
  let start = from;
  for (let line = from + 1; line < to; line++) {
    if ((levels[line] ?? ANY_LINE) !== level && level !== ANY_LINE) continue;
    parts.push({ from: start, to: line });
    start = line;
  }
  parts.push({ from: start, to });
  return parts;
}

/** One line that is too long, preferably after a separator and never through a character. */
function cutLine(page: Page, { start, end }: Piece, size: number): Piece[] {
  const pieces: Piece[] = [];
  for (let from = start; from < end; ) {
    let to = Math.min(end, from + size);
    for (
      let bytes = sizeOf(page, from, to);
      bytes > size && to - from > 2;
      bytes = sizeOf(page, from, to)
    ) {
      to = from + Math.max(2, Math.floor(((to - from) * size) / bytes));
    }
    if (to < end) to = Math.max(from + 1, afterSeparator(page.text, from, to));
    if (wholeCharacter(page.text, to) !== to) to += to - 1 > from ? -1 : 1;
    pieces.push({ start: from, end: to });
    from = to;
  }
  return pieces;
}

function sizeOf(page: Page, from: number, to: number): number {
  return page.bytesAt(to) - page.bytesAt(from);
}

function afterSeparator(text: string, from: number, to: number): number {
  const lowest = to - Math.floor((to - from) * SEPARATOR_SHARE);
  for (let at = to; at > lowest; at--) if (IS_SEPARATOR.test(text[at - 1] ?? "")) return at;
  return to;
}
