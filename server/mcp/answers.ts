/** Answers as text for an agent: places as path:line, within a number of tokens, and a footer that says what it is based on. */

import { join } from "node:path";
import { estimateTokens, estimateWithin } from "../common/tokens.ts";
import type { Hit, Lines } from "../contracts/model.ts";
import type { SearchAnswer, Status } from "../contracts/session.ts";

/** Lines shown of each hit; the agent reads on where it wants more. */
const MAX_SNIPPET_LINES = 12;
const MAX_LINE_LENGTH = 200;

type Place = Pick<Hit, "root" | "path" | "lines" | "symbol">;

/** A place for a program; lines are counted from one. */
export interface StructuredPlace {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol?: string;
  readonly [more: string]: unknown;
}

interface PlacedItem {
  readonly root: string;
  readonly path: string;
  readonly lines: Lines;
  readonly symbol?: { readonly name: string };
}

export function placeOf(
  { root, path, lines, symbol }: PlacedItem,
  roots: readonly string[],
): StructuredPlace {
  return {
    path: shownPath(root, path, roots),
    startLine: lines.start + 1,
    endLine: lines.end + 1,
    ...(symbol === undefined ? {} : { symbol: symbol.name }),
  };
}

export interface RenderedHits {
  readonly text: string;
  readonly shown: readonly Hit[];
}

/** The head of each hit, then lines of the best ones while there is room. */
export function renderHits(
  hits: readonly Hit[],
  roots: readonly string[],
  maxTokens: number,
  footer: (leftOut: number) => string,
): RenderedHits {
  let left = estimateWithin(maxTokens) - estimateTokens(footer(hits.length));
  const blocks: string[] = [];
  const shown: Hit[] = [];
  for (const hit of hits) {
    const head = headOf(hit, roots);
    const cost = estimateTokens(`${head}\n`);
    if (cost > left) continue;
    left -= cost;
    blocks.push(head);
    shown.push(hit);
  }
  shown.forEach((hit, i) => {
    const snippet = snippetOf(hit);
    const cost = estimateTokens(`${snippet}\n`);
    if (snippet === "" || cost > left) return;
    left -= cost;
    blocks[i] = `${blocks[i]}\n${snippet}`;
  });
  const body = blocks.length === 0 ? "Nothing was found." : blocks.join("\n");
  return { text: `${body}\n\n${footer(hits.length - shown.length)}`, shown };
}

function headOf(hit: Place & Pick<Hit, "score">, roots: readonly string[]): string {
  const { root, path, lines, symbol, score } = hit;
  const line = symbol?.nameLine ?? lines.start;
  const name = symbol === undefined ? "" : ` ${symbol.type} ${symbol.name}`;
  return `${shownPath(root, path, roots)}:${line + 1}${name} (${score.toFixed(2)})`;
}

/** From the definition's name on, where the text has it. */
function snippetOf({ text, contextRange, symbol, lines }: Hit): string {
  const first = Math.max(contextRange.start, symbol?.nameLine ?? lines.start);
  const all = (text ?? "").split("\n").slice(first - contextRange.start);
  const shown = all.slice(0, MAX_SNIPPET_LINES).map((line) => {
    const cut = line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}...` : line;
    return `  ${cut}`;
  });
  return shown.join("\n").trimEnd();
}

/** With one root, paths are relative to it; with several they are whole. */
function shownPath(root: string, path: string, roots: readonly string[]): string {
  return roots.length > 1 ? join(root, path) : path;
}

interface Footer extends Pick<SearchAnswer, "state" | "indexed" | "total" | "warnings"> {
  readonly leftOut: number;
  readonly indexes: Status["indexes"];
}

const MAX_WARNINGS = 2;
const MAX_WARNING_LENGTH = 100;

/** What the answer is based on, so that an agent knows how far to trust it. */
export function footerOf(
  { state, indexed, total, warnings, leftOut, indexes }: Footer,
  more: readonly string[],
): string {
  const behind = Math.max(0, ...indexes.map((index) => index.behind ?? 0));
  const parts = [
    `index ${state}, ${indexed} of ${total} files`,
    ...(behind > 0 ? [`${behind} commits behind`] : []),
    ...(leftOut > 0 ? [`${leftOut} results left out`] : []),
    ...[...more, ...warnings]
      .slice(0, MAX_WARNINGS)
      .map((warning) => warning.slice(0, MAX_WARNING_LENGTH)),
  ];
  return `[${parts.join("; ")}]`;
}
