/** A passage: one place of the code that may be shown, in one of several lengths. */

import { isProse } from "../common/definition-title.ts";
import { getOrCreate } from "../common/get-or-create.ts";
import type { TokenCounter } from "../common/tokens.ts";
import type { ContextLevel } from "../contracts/context-request.ts";
import type { CodeSymbol, Hit, Lines } from "../contracts/model.ts";

/** The doc comment of a definition is shown with its head, up to this many lines. */
const MAX_DOC_LINES = 12;
/** Where not all of a match fits, its beginning is shown. */
const MAX_SHORT_MATCH_LINES = 12;

/** One way to show a passage: the lines of these ranges, in order and none of them twice. */
export interface View {
  readonly level: ContextLevel;
  readonly ranges: readonly Lines[];
}

export interface Passage {
  readonly index: string;
  readonly root: string;
  readonly path: string;
  readonly languageId: string;
  readonly range: Lines;
  /** The lines that the search found in it, in the order of rank. */
  readonly matches: readonly Lines[];
  readonly symbol?: CodeSymbol;
  readonly score: number;
  /** By the strategy; 0..1. */
  readonly relevance: number;
}

/** Longer lines are data, which people do not read: they are cut. */
const MAX_LINE_LENGTH = 400;

/** The tokens of each line of a text that the reader of files keeps; 0 for a line that is not counted yet. */
const countedTokens = new WeakMap<readonly string[], Int32Array>();

/** The text of one file, with the tokens of each line, which are counted on first use. */
export class FileText {
  readonly definitions: readonly CodeSymbol[];
  readonly #lines: readonly string[];
  readonly #counter: TokenCounter;
  #tokens: Int32Array | undefined;

  constructor(lines: readonly string[], definitions: readonly CodeSymbol[], counter: TokenCounter) {
    this.#lines = lines;
    this.definitions = definitions;
    this.#counter = counter;
  }

  get length(): number {
    return this.#lines.length;
  }

  /** The file may have become shorter since it was indexed. */
  has(line: number): boolean {
    return line >= 0 && line < this.#lines.length;
  }

  text(line: number): string {
    return this.#lines[line] ?? "";
  }

  /** A line as it is shown. */
  shownText(line: number): string {
    const text = this.text(line);
    return text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}...` : text;
  }

  tokens(line: number): number {
    this.#tokens ??= this.#counted();
    const known = this.#tokens[line];
    if (known !== 0) return known ?? 0;
    const tokens = this.#counter.count(`${this.shownText(line)}\n`);
    this.#tokens[line] = tokens;
    return tokens;
  }

  #counted(): Int32Array {
    return getOrCreate(countedTokens, this.#lines, ({ length }) => new Int32Array(length));
  }
}

/** Files of two roots may have one path. */
export function fileKey({ root, path }: Pick<Passage, "root" | "path">): string {
  return `${root}\n${path}`;
}

/** Definitions of one file are put together when they overlap, or are the same. */
export function mergePassages(
  hits: readonly Hit[],
  relevance: (rank: number) => number,
): Passage[] {
  const passages: Passage[] = [];
  const byFile = new Map<string, number[]>();
  hits.forEach((hit, rank) => {
    const key = fileKey(hit);
    const ofFile = byFile.get(key) ?? [];
    const at = ofFile.find((i) => {
      const other = passages[i];
      return other !== undefined && isTogether(other, hit);
    });
    const known = at === undefined ? undefined : passages[at];
    if (at !== undefined && known !== undefined) {
      passages[at] = {
        ...known,
        range: union(known.range, hit.contextRange),
        matches: [...known.matches, hit.lines],
      };
      return;
    }
    ofFile.push(passages.length);
    byFile.set(key, ofFile);
    passages.push(passageOf(hit, relevance(rank)));
  });
  return passages;
}

export function passageOf(
  { index, root, path, languageId, contextRange, lines, symbol, score }: Hit,
  relevance: number,
): Passage {
  return {
    index,
    root,
    path,
    languageId,
    range: contextRange,
    matches: [lines],
    ...(symbol === undefined ? {} : { symbol }),
    score,
    relevance,
  };
}

function isTogether({ range, symbol }: Passage, hit: Hit): boolean {
  const isSame = symbol !== undefined && symbol.name === hit.symbol?.name;
  return (
    (isSame && symbol.nameLine === hit.symbol?.nameLine) ||
    (range.start <= hit.contextRange.end && hit.contextRange.start <= range.end)
  );
}

function union(a: Lines, b: Lines): Lines {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** The views of a passage, the full text first. A shorter view is included only if it has fewer lines than the full text. */
export function viewsOf({ range, matches, symbol, languageId }: Passage, file: FileText): View[] {
  const full = within(file, range);
  const matched = matches.slice(0, 1).flatMap((match) => within(file, match));
  const views: View[] = [{ level: "full", ranges: full }];
  const members =
    symbol?.type === "class"
      ? file.definitions.filter((each) => isWithin(each.lines, symbol.lines) && each !== symbol)
      : [];
  if (symbol !== undefined && members.length > 1) {
    const heads = [symbol.nameLine, ...members.map(({ nameLine }) => nameLine)];
    const lines = [...heads.filter((line) => file.has(line)), ...matched.flatMap(lineNumbersOf)];
    views.push({ level: "outline", ranges: rangesOf(lines) });
  }
  views.push({ level: "match", ranges: matched });
  views.push({ level: "match", ranges: matched.map(beginningOf) });
  // A heading alone says what a reference to it says.
  if (symbol !== undefined && !isProse(languageId)) {
    const start = Math.max(symbol.lines.start, symbol.nameLine - MAX_DOC_LINES);
    views.push({ level: "signature", ranges: within(file, { start, end: symbol.nameLine }) });
  }
  const most = lengthOf(full);
  return views.filter(({ ranges }, i) => {
    const length = lengthOf(ranges);
    return length > 0 && (i === 0 || length < most);
  });
}

/** The innermost definition that a passage begins in, where it has none of its own. */
export function symbolAt({ symbol, matches, range }: Passage, file: FileText | undefined) {
  const line = matches[0]?.start ?? range.start;
  return (
    symbol ?? file?.definitions.findLast(({ lines }) => lines.start <= line && line <= lines.end)
  );
}

/** All lines of a range. */
export function lineNumbersOf({ start, end }: Lines): number[] {
  return Array.from({ length: Math.max(0, end - start + 1) }, (_, i) => start + i);
}

/** The part of a range that is inside the file: none, or one range. */
function within(file: FileText, lines: Lines): Lines[] {
  const start = Math.max(0, lines.start);
  const end = Math.min(file.length - 1, lines.end);
  return end < start ? [] : [{ start, end }];
}

function beginningOf({ start, end }: Lines): Lines {
  return { start, end: Math.min(end, start + MAX_SHORT_MATCH_LINES - 1) };
}

function lengthOf(ranges: readonly Lines[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
}

function isWithin(inner: Lines, outer: Lines): boolean {
  return inner.start > outer.start && inner.end <= outer.end;
}

function rangesOf(lines: readonly number[]): Lines[] {
  const ranges: { start: number; end: number }[] = [];
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last === undefined || line > last.end + 1) ranges.push({ start: line, end: line });
    else last.end = line;
  }
  return ranges;
}
