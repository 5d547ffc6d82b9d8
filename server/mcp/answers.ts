/** Answers as text for an agent: places as path:line, within a number of tokens, and a footer that says what it is based on. */

import { join, relative, resolve } from "node:path";
import { titleOf } from "../common/definition-word.ts";
import { BadRequest } from "../common/errors.ts";
import { pathInside } from "../common/path-inside.ts";
import { sayLeft } from "../common/time-left.ts";
import { loadTokenCounter } from "../common/tokens.ts";
import type { HistoryStatus } from "../contracts/history.ts";
import type { Hit, Lines } from "../contracts/model.ts";
import type { RelatedToHits, SearchAnswer, Status } from "../contracts/session.ts";

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

interface Rendered<T> {
  readonly text: string;
  readonly shown: readonly T[];
}

/** What an answer is based on. */
export interface Basis {
  readonly text: string;
  /** Whether something is missing of what it should be based on: an agent reads that before the rest. */
  readonly isFirst: boolean;
  /** Whether more will be found later. */
  readonly isGrowing: boolean;
}

/** An answer with what it is based on, and what belongs between the two. */
export function withBasis(body: string, { text, isFirst, isGrowing }: Basis, after = ""): string {
  const nothing = isGrowing ? "Nothing was found in what is indexed so far." : "Nothing was found.";
  const found = body === "" ? nothing : body;
  return isFirst ? `${text}\n\n${found}\n\n${after}`.trimEnd() : `${found}\n\n${after}${text}`;
}

/**
 * The first part of each item, then the second part of the best items while there is room, and so on: at most `maxTokens`
 * tokens, unless the basis alone has more.
 */
export async function renderItems<T>(
  items: readonly T[],
  [head, ...parts]: readonly [(item: T) => string, ...((item: T) => string)[]],
  maxTokens: number,
  basis: (leftOut: number) => Basis,
  after = "",
): Promise<Rendered<T>> {
  const counter = await loadTokenCounter();
  const render = (budget: number): Rendered<T> => {
    let left = budget - counter.count(withBasis("", basis(items.length), after));
    const blocks: string[] = [];
    const shown: T[] = [];
    for (const item of items) {
      const text = head(item);
      const cost = counter.count(`${text}\n`);
      if (cost > left) continue;
      left -= cost;
      blocks.push(text);
      shown.push(item);
    }
    for (const part of parts) {
      shown.forEach((item, i) => {
        const text = part(item);
        const cost = counter.count(`${text}\n`);
        if (text === "" || cost > left) return;
        left -= cost;
        blocks[i] = `${blocks[i]}\n${text}`;
      });
    }
    const text = withBasis(blocks.join("\n"), basis(items.length - shown.length), after);
    return { text, shown };
  };
  // Lines that are joined may have a few tokens more than they have one by one.
  let rendered = render(maxTokens);
  for (let budget = maxTokens; rendered.shown.length > 0; rendered = render(budget)) {
    const excess = counter.count(rendered.text) - maxTokens;
    if (excess <= 0) break;
    budget -= excess;
  }
  return rendered;
}

export function relatedPaths(
  related: readonly RelatedToHits[],
  roots: readonly string[],
): { path: string; via: string; dependent: boolean }[] {
  return related.map(({ root, path, via, dependent }) => ({
    path: shownPath(root, path, roots),
    via: shownPath(root, via, roots),
    dependent,
  }));
}

/** What comes after the hits; empty where it was not asked for. */
export function renderRelated(
  related: readonly RelatedToHits[] | undefined,
  roots: readonly string[],
): string {
  if (related === undefined) return "";
  const lines = relatedPaths(related, roots).map(
    ({ path, via, dependent }) => `  ${path} ${dependent ? "uses" : "is used by"} ${via}\n`,
  );
  return `Related files:${lines.length === 0 ? " none" : ""}\n${lines.join("")}\n`;
}

/** The head of each hit, then lines of the best ones while there is room. */
export function renderHits(
  hits: readonly Hit[],
  roots: readonly string[],
  maxTokens: number,
  basis: (leftOut: number) => Basis,
  after: string,
): Promise<Rendered<Hit>> {
  return renderItems(hits, [(hit) => headOf(hit, roots), snippetOf], maxTokens, basis, after);
}

function headOf(hit: Place & Pick<Hit, "score" | "languageId">, roots: readonly string[]): string {
  const { root, path, symbol, languageId, score } = hit;
  const name = symbol === undefined ? "" : ` ${titleOf(symbol, languageId)}`;
  return `${shownPath(root, path, roots)}:${headLineOf(hit) + 1}${name} (${score.toFixed(2)})`;
}

/** From the head's line on; of a long definition the text may begin below it, and its first line is told. */
function snippetOf(hit: Hit): string {
  const { text = "", contextRange } = hit;
  const line = headLineOf(hit);
  const first = Math.max(contextRange.start, line);
  const shown = indented(text.split("\n").slice(first - contextRange.start));
  return first === line || shown === "" ? shown : `  from line ${first + 1}:\n${shown}`;
}

function headLineOf({ symbol, lines }: Pick<Hit, "symbol" | "lines">): number {
  return symbol?.nameLine ?? lines.start;
}

/** The first lines, indented below a head. */
export function indented(lines: readonly string[]): string {
  const shown = lines.slice(0, MAX_SNIPPET_LINES).map((line) => `  ${cutLine(line)}`);
  return shown.join("\n").trimEnd();
}

export function cutLine(line: string): string {
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}...` : line;
}

/** With one root, paths are relative to it; with several they are whole. */
function shownPath(root: string, path: string, roots: readonly string[]): string {
  return roots.length > 1 ? join(root, path) : path;
}

/** As `shownPath`; undefined for a path that is in none of the roots. */
export function shownInside(
  root: string,
  path: string,
  roots: readonly string[],
): string | undefined {
  const whole = join(root, path);
  const inside = roots.flatMap((each) => pathInside(each, whole) ?? []);
  return inside.length > 0 && roots.length > 1 ? whole : inside[0];
}

/** A file that an agent names: its root, its absolute path, and its name in answers. */
export function fileInRoots(path: string, roots: readonly string[]) {
  const whole = resolve(roots[0] ?? "", path);
  if (roots.includes(whole)) throw new BadRequest(`${path} is a folder; name a file in it`);
  const root = roots.find((each) => pathInside(each, whole) !== undefined);
  const name = root === undefined ? undefined : shownInside(root, relative(root, whole), roots);
  if (root === undefined || name === undefined) {
    throw new BadRequest(`${path} is outside of the workspace`);
  }
  return { root, path: whole, name };
}

interface Known extends Pick<SearchAnswer, "state" | "indexed" | "total" | "warnings"> {
  readonly leftOut: number;
  readonly indexes: Status["indexes"];
  /** Where the answer is based on it. */
  readonly history?: HistoryStatus;
}

const MAX_WARNINGS = 2;
/** A reason and a remedy. */
const MAX_WARNING_LENGTH = 300;

/** What the answer is based on, so that an agent knows how far to trust it. */
export function basisOf(known: Known, more: readonly string[]): Basis {
  const { state, warnings, leftOut, indexes, history } = known;
  const behind = Math.max(0, ...indexes.map((index) => index.behind ?? 0));
  const parts = [
    ...stateParts(known),
    ...(behind > 0 ? [`${behind} commits behind`] : []),
    ...(history === undefined ? [] : [historyPart(history)]),
    ...(leftOut > 0 ? [`${leftOut} ${leftOut === 1 ? "result" : "results"} left out`] : []),
    ...[...more, ...warnings]
      .slice(0, MAX_WARNINGS)
      .map((warning) => warning.slice(0, MAX_WARNING_LENGTH)),
  ];
  // What commits say does not depend on how many files are in the index.
  const basis = history?.state ?? state;
  const isGrowing = ["indexing", "reading", "waiting"].includes(basis);
  return { text: `[${parts.join("; ")}]`, isFirst: basis !== "ready", isGrowing };
}

/** How far the index is, for an answer that is based on nothing else. */
export function stateOf(known: Pick<Status, "state" | "indexed" | "total" | "indexes">): string {
  return `[${stateParts(known).join("; ")}]`;
}

function stateParts({
  state,
  indexed,
  total,
  indexes,
}: Pick<Status, "state" | "indexed" | "total" | "indexes">): string[] {
  const counts = `index ${state}, ${indexed} of ${total} files`;
  if (state !== "indexing") return [counts];
  const left = indexes.flatMap(({ leftMs }) => leftMs ?? []);
  if (left.length === 0) return [counts, "ask again in a moment for the rest"];
  return [counts, `${sayLeft(Math.max(...left))}, ask again then for the rest`];
}

function historyPart({ state, reason, commits, total }: HistoryStatus): string {
  const why = reason === undefined ? "" : `: ${reason.slice(0, MAX_WARNING_LENGTH)}`;
  return `history ${state}, ${commits} of ${total} commits${why}`;
}
