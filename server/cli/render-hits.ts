/** Hits for people: where, what, how good, and some lines of each. */

import { join } from "node:path";
import { definitionTitle } from "../common/definition-title.ts";
import { linkTo } from "../common/terminal.ts";
import type { Hit, Reason } from "../contracts/model.ts";
import type { Colors } from "./command-context.ts";
import { shownPath } from "./find-root.ts";
import { askedWords, lineOf, renderSnippet, snippetOf } from "./snippet.ts";
import { printable } from "./terminal-text.ts";

export interface HitLayout {
  readonly query: string;
  readonly cwd: string;
  readonly colors: Colors;
  /** Lines shown of each hit; 0 shows only where it is. */
  readonly lines: number;
  readonly hasLinks: boolean;
}

/** Enough to see that it is none of interest. */
const MAX_WEAK_LINES = 1;

/** The strong ones, then under a heading and in short the others. */
export function renderHits(hits: readonly Hit[], look: HitLayout): string {
  const isAsked = askedWords(look.query);
  const isOfSeveral = new Set(hits.map(({ index }) => index)).size > 1;
  const firstOther = hits.findIndex(({ relevance }) => relevance !== "strong");
  const blocks = hits.map((hit, i) =>
    [
      ...(i === firstOther ? [look.colors.dim(headingOf(hit))] : []),
      header(hit, look, isOfSeveral),
      ...(hit.why ?? []).map((reason) => look.colors.dim(`  ${reasonLine(reason)}`)),
      ...(look.lines === 0
        ? []
        : renderSnippet(snippetOf(hit, isAsked, linesOf(hit, look)), isAsked, look.colors)),
    ].join("\n"),
  );
  return blocks.join(look.lines === 0 ? "\n" : "\n\n");
}

function linesOf({ relevance }: Hit, { lines }: HitLayout): number {
  return relevance === "strong" ? lines : Math.min(lines, MAX_WEAK_LINES);
}

function headingOf({ relevance }: Hit): string {
  return relevance === "chance" ? "no better than chance:" : "weak matches:";
}

/** `path:line:column` first, as compilers write it, so that terminals and editors can jump there. */
export function placeOf(hit: Hit, cwd: string): string {
  const path = printable(shownPath(cwd, hit.root, hit.path));
  return `${path}:${lineOf(hit) + 1}:${(hit.bestLine?.column ?? 0) + 1}`;
}

function header(hit: Hit, { cwd, colors, hasLinks }: HitLayout, isOfSeveral: boolean): string {
  const { symbol, languageId, score, matchType, index, hierarchy, importers = 0 } = hit;
  const what = symbol === undefined ? hierarchy : definitionTitle(symbol, languageId);
  const place = colors.cyan(placeOf(hit, cwd));
  return [
    hasLinks ? linkTo(join(hit.root, hit.path), place) : place,
    ...(what === undefined ? [] : [colors.bold(printable(what))]),
    colors.dim(`${score.toFixed(2)} ${matchType}`),
    ...(importers > 0 ? [colors.dim(`imported by ${importers}`)] : []),
    ...(isOfSeveral ? [colors.dim(`[${printable(index)}]`)] : []),
  ].join("  ");
}

function reasonLine({ name, contribution, detail }: Reason): string {
  const sign = contribution < 0 ? "-" : "+";
  const amount = `${sign}${Math.abs(contribution).toFixed(4)}`;
  return `${amount}  ${name}${detail === undefined ? "" : `: ${printable(detail)}`}`;
}
