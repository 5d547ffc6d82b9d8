/** Renders answers for an agent: places as path:from-to within a token budget. */

import { join, relative, resolve } from "node:path";
import { definitionTitle } from "../common/definition-title.ts";
import { BadRequest } from "../common/errors.ts";
import { furtherPlaces } from "../common/further-places.ts";
import { getOrCreate } from "../common/get-or-create.ts";
import { literalOf } from "../common/literal-query.ts";
import { inOtherWorktree, otherWorktree } from "../common/other-worktree.ts";
import { pathInside } from "../common/path-inside.ts";
import { shortSha } from "../common/short-sha.ts";
import { loadTokenCounter, type TokenCounter } from "../common/tokens.ts";
import type { CodeSymbol, Hit, Lines, PublishedPlace } from "../contracts/model.ts";
import type { RelatedToHits } from "../contracts/session.ts";
import { type Basis, withBasis } from "./basis.ts";
import type { ShownPassage } from "./shown-lines.ts";

/** Lines shown of each hit; the agent reads the file for more. */
const MAX_SNIPPET_LINES = 12;
const MAX_LINE_LENGTH = 200;

/** Marks hits that may be wrong. */
const RELEVANCES = { weak: "weak", chance: "no better than chance" } as const;

type Place = Pick<Hit, "root" | "path" | "lines" | "symbol" | "published">;

/** A place in structured content; lines count from 1. */
interface StructuredPlace {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol?: string;
  readonly definition?: StructuredDefinition;
  readonly [more: string]: unknown;
}

interface StructuredDefinition {
  readonly type: CodeSymbol["type"];
  readonly startLine: number;
  readonly endLine: number;
  readonly signature: string;
}

type Definition = Pick<CodeSymbol, "name" | "type" | "signature" | "lines">;

interface PlacedItem {
  readonly root: string;
  readonly path: string;
  readonly lines: Lines;
  readonly symbol?: Definition;
  readonly published?: PublishedPlace;
}

/** A signature of a generated definition may have thousands of parameters. */
const MAX_SIGNATURE_LENGTH = 400;

export function hitLocation(item: PlacedItem, roots: readonly string[]): StructuredPlace {
  const { lines, symbol, published } = item;
  return {
    path: pathOfHit(item, roots),
    ...(published === undefined ? {} : { published }),
    startLine: lines.start + 1,
    endLine: lines.end + 1,
    ...(symbol === undefined ? {} : { symbol: symbol.name, definition: definitionOf(symbol) }),
  };
}

/** The whole range of a definition; a passage may show a part of it. */
export function definitionOf({ type, lines, signature }: Definition): StructuredDefinition {
  return {
    type,
    startLine: lines.start + 1,
    endLine: lines.end + 1,
    signature: signature.slice(0, MAX_SIGNATURE_LENGTH),
  };
}

/** The results behind the shown ones. */
export interface MoreResults {
  readonly more: number;
  /** For the next page; undefined if there is none. */
  readonly cursor?: string;
}

/** Hits with these ranks keep their places in the text. */
const BEST_HITS = 3;

/**
 * Puts the blocks of a file together, at the place of the first of them, except for the first `best` ones, which keep their
 * places. A file that ends the best ones continues behind them.
 */
export function groupByFile<T>(
  items: readonly T[],
  fileOf: (item: T) => string,
  best: number = BEST_HITS,
): T[] {
  const kept = items.slice(0, best);
  const last = kept.at(-1);
  const files = new Map<string, T[]>(last === undefined ? [] : [[fileOf(last), []]]);
  for (const item of items.slice(best)) getOrCreate(files, fileOf(item), () => []).push(item);
  return [...kept, ...[...files.values()].flat()];
}

interface Rendered<T> {
  readonly text: string;
  readonly shown: readonly T[];
  /** The shown items with their second part. */
  readonly given: readonly T[];
}

/**
 * Renders the first part of each item, then the second part of the best items while the budget lasts, and so on: at most
 * `maxTokens` tokens, unless the basis alone has more. The shown items are the first ones. `after` is the text between the
 * items and the basis. `arrange` orders the blocks of the shown items in the text, by their positions.
 */
export async function renderItems<T>(
  items: readonly T[],
  [head, ...parts]: readonly [(item: T) => string, ...((item: T) => string)[]],
  maxTokens: number,
  basis: (omitted: number) => Basis,
  after: (shown: readonly T[]) => string = () => "",
  arrange: (shown: readonly number[]) => readonly number[] = (shown) => shown,
): Promise<Rendered<T>> {
  const counter = await loadTokenCounter();
  const render = (budget: number): Rendered<T> => {
    let left = budget - counter.count(withBasis("", basis(items.length), after(items.slice(0, 1))));
    const blocks: string[] = [];
    const shown: T[] = [];
    for (const item of items) {
      const text = head(item);
      const cost = counter.count(`${text}\n`);
      if (cost > left) break;
      left -= cost;
      blocks.push(text);
      shown.push(item);
    }
    const given: T[] = [];
    for (const part of parts) {
      shown.forEach((item, i) => {
        const text = part(item);
        const cost = counter.count(`${text}\n`);
        if (text === "" || cost > left) return;
        left -= cost;
        blocks[i] = `${blocks[i]}\n${text}`;
        if (part === parts[0]) given.push(item);
      });
    }
    const omitted = items.length - shown.length;
    const body = arrange([...blocks.keys()]).map((i) => blocks[i]);
    const text = withBasis(body.join("\n"), basis(omitted), after(shown));
    return { text, shown, given };
  };
  return withinTokens(maxTokens, counter, render);
}

/** Renders again with a smaller budget if needed: lines that are joined may have a few tokens more than they have one by one. */
export function withinTokens<
  R extends { readonly text: string; readonly shown: readonly unknown[] },
>(maxTokens: number, counter: TokenCounter, render: (budget: number) => R): R {
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

/** The section of related files; empty if the request has none. */
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

/** Says how many results follow, and how to get them. */
export function renderMore({ more, cursor }: MoreResults): string {
  if (more === 0) return "";
  const how =
    cursor === undefined ? "narrow the call, or raise maxTokens" : `pass cursor "${cursor}"`;
  return `${more.toLocaleString("en-US")} more: ${how}.\n\n`;
}

/** How to get every place of a name, which a ranked list does not have; empty for a query in words, or if all hits are shown. */
export function renderExact(query: string, isCut: boolean): string {
  const literal = isCut ? literalOf(query) : undefined;
  return literal === undefined ? "" : `Every place: exact ${JSON.stringify(literal)}.\n\n`;
}

/** The words of the best hits that the query lacks; empty if there are none. */
export function renderAlsoTry(words: readonly string[] = []): string {
  return words.length === 0 ? "" : `Also try: ${words.join(", ")}\n\n`;
}

/** Longer lines are cut: a client may show them in one row, and a model reads no further. */
const MAX_TEXT_LINE = 400;

/** The text of an answer, without long lines. */
export function withShortLines(text: string): string {
  if (text.length <= MAX_TEXT_LINE) return text;
  const cut = (line: string) => `${line.slice(0, MAX_TEXT_LINE - 3)}...`;
  return text
    .split("\n")
    .map((line) => (line.length > MAX_TEXT_LINE ? cut(line) : line))
    .join("\n");
}

/**
 * Renders the head of each hit, in groups by file, then code of the best hits and further places of their files while the
 * budget lasts. A weak hit behind the best ones has its best line only: their code was half of an answer, and agents read a
 * file before they trust it (test/agents/results.md).
 */
export async function renderHitList(
  hits: readonly Hit[],
  roots: readonly string[],
  maxTokens: number,
  basis: (omitted: number) => Basis,
  after: (shown: readonly Hit[]) => string,
  isSeen: (hit: Hit) => boolean,
): Promise<Rendered<Hit>> {
  const best = new Set(hits.slice(0, BEST_HITS));
  const isShort = (hit: Hit) => hit.relevance !== "strong" && !best.has(hit);
  const codeOf = (hit: Hit) => (isShort(hit) ? bestLineOf(hit) : snippetOf(hit));
  const parts = [
    (hit: Hit) => `${headOf(hit, roots)}${isSeen(hit) ? " (shown before)" : ""}`,
    (hit: Hit) => (isSeen(hit) ? "" : codeOf(hit)),
    (hit: Hit) => (isShort(hit) ? "" : furtherPlaces(hit)),
  ] as const;
  const fileOf = (i: number) => join(hits[i]?.root ?? "", hits[i]?.path ?? "");
  const arrange = (shown: readonly number[]) => groupByFile(shown, fileOf);
  const rendered = await renderItems(hits, parts, maxTokens, basis, after, arrange);
  return { ...rendered, given: rendered.given.filter((hit) => !isShort(hit)) };
}

function headOf(
  hit: Place & Pick<Hit, "score" | "relevance" | "languageId">,
  roots: readonly string[],
): string {
  const { symbol, languageId, score, relevance, published } = hit;
  const name = symbol === undefined ? "" : ` ${definitionTitle(symbol, languageId)}`;
  const quality = relevance === "strong" ? "" : ` ${RELEVANCES[relevance]}`;
  const place = `${pathOfHit(hit, roots)}:${rangeOf(hit)}`;
  return `${place}${name} (${score.toFixed(2)}${quality})${whereOf(published)}`;
}

/** How to read a file that is not checked out here. */
function whereOf(published: PublishedPlace | undefined): string {
  if (published === undefined) return "";
  const { commit, link } = published;
  return ` at ${shortSha(commit)}, not checked out${link === undefined ? "" : `: ${link}`}`;
}

function pathOfHit(
  { root, path, published }: Pick<PlacedItem, "root" | "path" | "published">,
  roots: readonly string[],
): string {
  return published === undefined ? shownPath(root, path, roots) : nameOf(path, published);
}

/** A file of a published index by its repository, since its root exists on another machine only. */
const nameOf = (path: string, { repository }: PublishedPlace) => `${repository}/${path}`;

function bestLineOf({ bestLine }: Hit): string {
  return bestLine === undefined
    ? ""
    : `  ${bestLine.line + 1}: ${shortenLine(bestLine.text.trim())}`;
}

/** The code from the line of the head on. If the text starts below it, a line number precedes the code. */
function snippetOf(hit: Hit): string {
  const { start, lines } = passageOf(hit);
  const shown = indented(lines);
  const isBelow = start !== headLineOf(hit);
  return isBelow && shown !== "" ? `  from line ${start + 1}:\n${shown}` : shown;
}

/** `12-40`: from the line of the head to the end of the definition, or of the chunk; lines from 1. */
function rangeOf(hit: Pick<Hit, "symbol" | "lines">): string {
  const start = headLineOf(hit);
  const { end } = hit.symbol?.lines ?? hit.lines;
  return end > start ? `${start + 1}-${end + 1}` : `${start + 1}`;
}

/** The lines that the snippet of a hit shows. */
export function passageOf(hit: Hit): ShownPassage {
  const { text = "", contextRange, published } = hit;
  const path = published === undefined ? hit.path : nameOf(hit.path, published);
  const start = Math.max(contextRange.start, headLineOf(hit));
  const from = start - contextRange.start;
  return { path, start, lines: text.split("\n").slice(from, from + MAX_SNIPPET_LINES) };
}

function headLineOf({ symbol, lines }: Pick<Hit, "symbol" | "lines">): number {
  return symbol?.nameLine ?? lines.start;
}

/** The first lines, indented. */
export function indented(lines: readonly string[]): string {
  const shown = lines.slice(0, MAX_SNIPPET_LINES).map((line) => `  ${shortenLine(line)}`);
  return shown.join("\n").trimEnd();
}

export function shortenLine(line: string): string {
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}...` : line;
}

/** Relative to the root if there is one root, else absolute. */
export function shownPath(root: string, path: string, roots: readonly string[]): string {
  return roots.length > 1 ? join(root, path) : path;
}

/** Like `shownPath`; undefined outside the roots. */
export function shownInside(
  root: string,
  path: string,
  roots: readonly string[],
): string | undefined {
  const whole = join(root, path);
  const inside = roots.flatMap((each) => pathInside(each, whole) ?? []);
  return inside.length > 0 && roots.length > 1 ? whole : inside[0];
}

/** Resolves a file that an agent names to its root, its absolute path and its name in answers. */
export function fileInRoots(path: string, roots: readonly string[]) {
  const whole = resolve(roots[0] ?? "", path);
  if (roots.includes(whole)) throw new BadRequest(`${path} is a folder; name a file in it`);
  const root = roots.find((each) => pathInside(each, whole) !== undefined);
  const name = root === undefined ? undefined : shownInside(root, relative(root, whole), roots);
  if (root === undefined || name === undefined) {
    const [top] = roots.flatMap((each) => otherWorktree(each, whole) ?? []);
    throw new BadRequest(
      top === undefined ? `${path} is outside the workspace` : inOtherWorktree(path, top),
    );
  }
  return { root, path: whole, name };
}
