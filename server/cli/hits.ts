/** A hit as people read it: where it is, how good, and its lines. */

import { isAbsolute, join, relative } from "node:path";
import type { Hit } from "../model.ts";
import { printable } from "./format.ts";
import type { Colors } from "./output.ts";

/** More would push the next hit off the screen. */
const LINES_SHOWN = 12;
/** Where only a part of the context fits, this much of it stands before the hit itself. */
const LINES_BEFORE = 2;
/** Longer lines are data. */
const LONGEST_LINE = 200;

export interface HitStyle {
  readonly colors: Colors;
  readonly cwd: string;
  /** Show all lines that were asked for. */
  readonly whole: boolean;
}

export function hitLines(hit: Hit, style: HitStyle): string[] {
  return [header(hit, style), ...snippet(hit, style), ...reasons(hit, style)];
}

/** `path:line  symbol  score  match`; editors and terminals jump to the first word. */
function header(hit: Hit, { colors, cwd }: HitStyle): string {
  const place = `${colors.cyan(pathFrom(cwd, hit))}${colors.dim(`:${focusOf(hit) + 1}`)}`;
  const what = hit.symbol?.name ?? hit.hierarchy;
  return [
    place,
    ...(what === undefined ? [] : [colors.bold(printable(what))]),
    colors.green(hit.score.toFixed(2)),
    colors.dim(hit.matchType),
  ].join("  ");
}

/** Relative where the file lies below the current folder, so that it can be opened as it stands. */
export function pathFrom(cwd: string, { root, path }: Pick<Hit, "root" | "path">): string {
  const file = join(root, path);
  const below = relative(cwd, file);
  return printable(below.startsWith("..") || isAbsolute(below) ? file : below);
}

/** The line to look at: that of the definition's name, else the chunk's first. */
function focusOf({ symbol, lines, contextRange }: Hit): number {
  const line = symbol?.nameLine ?? lines.start;
  return line >= contextRange.start && line <= contextRange.end ? line : lines.start;
}

function snippet(hit: Hit, { colors, whole }: HitStyle): string[] {
  if (hit.text === undefined) return [];
  const all = withoutBlankEnd(hit.text.split("\n"));
  const first = whole ? 0 : firstShown(hit, all.length);
  const shown = whole ? all : all.slice(first, first + LINES_SHOWN);
  const width = String(hit.contextRange.start + first + shown.length).length;
  const lines = shown.map((line, i) => {
    const number = String(hit.contextRange.start + first + i + 1).padStart(width);
    return `  ${colors.dim(number)}  ${cut(printable(line))}`.trimEnd();
  });
  const left = all.length - first - shown.length;
  if (left > 0) lines.push(colors.dim(`  ${" ".repeat(width)}  (${left} more)`));
  return lines;
}

function firstShown(hit: Hit, length: number): number {
  const before = focusOf(hit) - hit.contextRange.start - LINES_BEFORE;
  return length <= LINES_SHOWN ? 0 : Math.max(0, Math.min(before, length - LINES_SHOWN));
}

function withoutBlankEnd(lines: string[]): string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(0, last + 1);
}

function cut(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}\u{2026}` : line;
}

function reasons({ why }: Hit, { colors }: HitStyle): string[] {
  return (why ?? []).map(({ name, contribution, detail }) => {
    const amount = `${contribution < 0 ? "" : "+"}${contribution.toFixed(4)}`;
    const because = detail === undefined ? "" : `  ${printable(detail)}`;
    return colors.dim(`  ${amount}  ${name}${because}`);
  });
}
