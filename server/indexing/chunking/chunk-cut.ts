/** Cuts lines into pieces of limited size at the best boundaries, and merges small pieces. */

import { ANY_LINE } from "./boundary-levels.ts";
import type { ChunkOptions, Page, Piece } from "./chunk-page.ts";
import type { Scopes } from "./chunk-scopes.ts";
import { cutLine } from "./cut-line.ts";

/** A range of lines; `to` is exclusive. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** A head up to this share of a chunk is merged with the first piece of its body. */
const HEAD_SHARE = 1 / 2;
/** Smaller at the top of a file: imports are not the head of the class below them. */
const TOP_HEAD_SHARE = 1 / 8;
/** A last piece below this share of a chunk takes lines from the previous piece. */
const TAIL_SHARE = 1 / 4;

interface Cutting {
  readonly page: Page;
  readonly levels: Uint16Array;
  readonly scopes: Scopes;
  readonly size: number;
  /** The size inside one function, which leaves room for the overlap. */
  readonly sizeWithOverlap: number;
}

/** Pieces in order, without gaps. */
export function cutRanges(
  page: Page,
  levels: Uint16Array,
  scopes: Scopes,
  { chunkSize: size, chunkOverlap }: ChunkOptions,
): Piece[] {
  if (page.text === "") return [];
  const sizeWithOverlap = size - Math.min(chunkOverlap, Math.floor(size / 2));
  const cutting = { page, levels, scopes, size, sizeWithOverlap };
  return cut(cutting, { from: 0, to: page.starts.length - 1 }, -1);
}

/** Recursive: each level of recursion uses a worse boundary level, down to single lines. */
function cut(cutting: Cutting, range: Range, floor: number): Piece[] {
  const { page, levels, size } = cutting;
  const whole = { start: page.starts[range.from] ?? 0, end: page.starts[range.to] ?? 0 };
  if (bytesOf(page, range) <= size) return [whole];
  if (range.to - range.from === 1) return cutLine(page, whole, size);
  const level = bestLevel(levels, range, floor);
  const limit = isInOneFunction(cutting, range) ? cutting.sizeWithOverlap : size;
  const parts = group(cutting, split(levels, range, level), level, limit);
  return parts.flatMap((part) => cut(cutting, part, level));
}

/** The size without trailing white space; 0 for blank lines. */
function bytesOf({ bytesAt, starts, ends }: Page, { from, to }: Range): number {
  return Math.max(0, bytesAt(ends[to - 1] ?? 0) - bytesAt(starts[from] ?? 0));
}

function isInOneFunction({ page, scopes }: Cutting, { from, to }: Range): boolean {
  const last = page.lineAt(page.ends[to - 1] ?? 0);
  const type = scopes.covering({ start: from, end: last })?.symbol.type;
  return type === "function" || type === "method";
}

/** Merges neighbors up to the limit; a larger part stays alone with its head. The first group has no overlap. */
function group(cutting: Cutting, parts: readonly Range[], level: number, limit: number): Range[] {
  const { page, size } = cutting;
  const groups: Range[][] = [];
  for (const part of parts) {
    const current = groups.at(-1);
    const joined = current === undefined ? part : { from: current[0]?.from ?? 0, to: part.to };
    const most = groups.length === 1 ? size : limit;
    if (current === undefined) groups.push([part]);
    else if (bytesOf(page, joined) <= most) current.push(part);
    else if (groups.length === 1 && isHeadOf(cutting, join(current), part, level))
      groups[0] = [joined];
    else groups.push([part]);
  }
  balance(page, groups, limit);
  return groups.map(join);
}

function isHeadOf(
  { page, scopes, size }: Cutting,
  head: Range,
  next: Range,
  level: number,
): boolean {
  const share = level === 0 ? TOP_HEAD_SHARE : HEAD_SHARE;
  return (
    level !== ANY_LINE &&
    bytesOf(page, next) > size &&
    bytesOf(page, head) <= size * share &&
    !scopes.hasWhole({ start: head.from, end: head.to - 1 })
  );
}

/** Moves parts from the previous group to a small last one, while the previous group stays larger. */
function balance(page: Page, groups: readonly Range[][], limit: number): void {
  const [before, last] = groups.slice(-2);
  if (before === undefined || last === undefined) return;
  if (bytesOf(page, join(last)) >= limit * TAIL_SHARE) return;
  for (let moved = before.at(-1); moved !== undefined && before.length > 1; moved = before.at(-1)) {
    const bytes = bytesOf(page, moved);
    if (bytesOf(page, join(last)) + bytes > bytesOf(page, join(before)) - bytes) return;
    before.pop();
    last.unshift(moved);
  }
}

function join(parts: readonly Range[]): Range {
  return { from: parts[0]?.from ?? 0, to: parts.at(-1)?.to ?? 0 };
}

/** The best boundary level above `floor` inside the range. */
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
