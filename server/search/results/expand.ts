/** Computes the displayed range around a hit, and its text. */

import type { ChunkFacts } from "../../contracts/lanes.ts";
import type { Lines } from "../../contracts/model.ts";
import type { SearchRequest } from "../../contracts/session.ts";

/** A definition longer than this is shown around the match only. */
const MAX_LINES = 50;

/** Maximum length of a displayed line. */
const MAX_LINE_LENGTH = 200;

type ContextOptions = Pick<SearchRequest, "contextBefore" | "contextAfter" | "smartContext">;

/** The range around a chunk: explicit lines, else the enclosing definition, else the chunk's own lines. */
export function contextRange(
  { lines, context }: Pick<ChunkFacts, "lines" | "context">,
  { contextBefore, contextAfter, smartContext }: ContextOptions,
): Lines {
  if (contextBefore !== undefined || contextAfter !== undefined) {
    return {
      start: Math.max(0, lines.start - (contextBefore ?? 0)),
      end: lines.end + (contextAfter ?? 0),
    };
  }
  if (smartContext === false) return lines;
  return centered(lines, wholeOf({ lines, context }));
}

/** The range if it contains the line, else one of the same definition around the line: a chunk may be longer than a range. */
export function rangeWithLine(
  range: Lines,
  line: number,
  facts: Pick<ChunkFacts, "lines" | "context">,
): Lines {
  if (range.start <= line && line <= range.end) return range;
  return centered({ start: line, end: line }, wholeOf(facts));
}

function wholeOf({ lines, context }: Pick<ChunkFacts, "lines" | "context">): Lines {
  return {
    start: Math.min(lines.start, context.start),
    end: Math.max(lines.end, context.end),
  };
}

/** At most `MAX_LINES` of `whole`, centered on `match`. */
function centered(match: Lines, whole: Lines): Lines {
  if (whole.end - whole.start < MAX_LINES) return whole;
  const middle = Math.floor((match.start + match.end) / 2);
  const earliest = Math.max(whole.start, middle - MAX_LINES / 2);
  const start = Math.min(earliest, whole.end - MAX_LINES + 1);
  return { start, end: start + MAX_LINES - 1 };
}

/** Joins lines into one text; a line that is too long is truncated with an ellipsis. */
export function asText(lines: readonly string[]): string {
  return lines
    .map((line) => (line.length > MAX_LINE_LENGTH ? `${cutAt(line, MAX_LINE_LENGTH)}...` : line))
    .join("\n");
}

/** Truncates without splitting a surrogate pair. */
function cutAt(line: string, length: number): string {
  const isHigh = /[\uD800-\uDBFF]/.test(line[length - 1] ?? "");
  return line.slice(0, isHigh ? length - 1 : length);
}
