/** A passage: one place of the code that may be shown, in one of several lengths. */

import { estimateTokens } from "../common/tokens.ts";
import type { ContextLevel } from "../contracts/context-request.ts";
import type { CodeSymbol, Hit, Lines } from "../contracts/model.ts";

/** The doc comment of a definition is shown with its head, up to this many lines. */
const MAX_DOC_LINES = 12;
/** Where not all of a match fits, its beginning is shown. */
const MAX_SHORT_MATCH_LINES = 12;

/** One way to show a passage: these lines, and the tokens of each. */
export interface View {
  readonly level: ContextLevel;
  readonly lines: readonly number[];
}

export interface Passage {
  readonly index: string;
  readonly root: string;
  readonly path: string;
  readonly languageId: string;
  readonly range: Lines;
  /** What the search found in it, in the order of rank. */
  readonly matches: readonly Lines[];
  readonly symbol?: CodeSymbol;
  readonly score: number;
  /** By the strategy; 0..1. */
  readonly relevance: number;
}

/** The tokens of lines that were counted, as long as the reader of files has the same text. */
const countedTokens = new WeakMap<readonly string[], number[]>();

/** The text of one file, with the tokens of each line, which are counted when they are asked for. */
export class FileText {
  readonly definitions: readonly CodeSymbol[];
  readonly #lines: readonly string[];
  readonly #tokens: number[];

  constructor(lines: readonly string[], definitions: readonly CodeSymbol[]) {
    this.#lines = lines;
    this.#tokens = countedTokens.get(lines) ?? [];
    countedTokens.set(lines, this.#tokens);
    this.definitions = definitions;
  }

  /** The file may have become shorter since it was indexed. */
  has(line: number): boolean {
    return line >= 0 && line < this.#lines.length;
  }

  text(line: number): string {
    return this.#lines[line] ?? "";
  }

  tokens(line: number): number {
    const known = this.#tokens[line];
    if (known !== undefined) return known;
    const tokens = this.has(line) ? estimateTokens(`${this.text(line)}\n`) : 0;
    this.#tokens[line] = tokens;
    return tokens;
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
    const { index, root, path, languageId, contextRange, lines, symbol, score } = hit;
    passages.push({
      index,
      root,
      path,
      languageId,
      range: contextRange,
      matches: [lines],
      ...(symbol === undefined ? {} : { symbol }),
      score,
      relevance: relevance(rank),
    });
  });
  return passages;
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

/** The ways to show a passage, longest first. The shorter ones are there where they are shorter. */
export function viewsOf({ range, matches, symbol }: Passage, file: FileText): View[] {
  const has = (line: number) => file.has(line);
  const full = linesOf(range).filter(has);
  const matched = matches.slice(0, 1).flatMap(linesOf).filter(has);
  const views: View[] = [{ level: "full", lines: full }];
  const members =
    symbol?.type === "class"
      ? file.definitions.filter((each) => isWithin(each.lines, symbol.lines) && each !== symbol)
      : [];
  if (symbol !== undefined && members.length > 1) {
    const heads = [symbol.nameLine, ...members.map(({ nameLine }) => nameLine)].filter(has);
    views.push({ level: "outline", lines: sorted([...heads, ...matched]) });
  }
  views.push({ level: "match", lines: matched });
  views.push({ level: "match", lines: matched.slice(0, MAX_SHORT_MATCH_LINES) });
  if (symbol !== undefined) {
    const start = Math.max(symbol.lines.start, symbol.nameLine - MAX_DOC_LINES);
    views.push({ level: "signature", lines: linesOf({ start, end: symbol.nameLine }).filter(has) });
  }
  return views.filter(
    ({ lines }, i) => lines.length > 0 && (i === 0 || lines.length < full.length),
  );
}

/** The innermost definition that a passage begins in, where it has none of its own. */
export function symbolAt({ symbol, matches, range }: Passage, file: FileText | undefined) {
  const line = matches[0]?.start ?? range.start;
  return (
    symbol ?? file?.definitions.findLast(({ lines }) => lines.start <= line && line <= lines.end)
  );
}

function linesOf({ start, end }: Lines): number[] {
  return Array.from({ length: Math.max(0, end - start + 1) }, (_, i) => start + i);
}

function isWithin(inner: Lines, outer: Lines): boolean {
  return inner.start > outer.start && inner.end <= outer.end;
}

function sorted(lines: readonly number[]): number[] {
  return [...new Set(lines)].toSorted((a, b) => a - b);
}
