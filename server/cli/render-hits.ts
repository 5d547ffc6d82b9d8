/** Renders hits as text: place, name, score, and some lines of code. */

import { join } from "node:path";
import { definitionTitle } from "../common/definition-title.ts";
import { furtherPlaces } from "../common/further-places.ts";
import { shortSha } from "../common/short-sha.ts";
import { linkTo } from "../common/terminal.ts";
import type { Hit, Reason } from "../contracts/model.ts";
import type { Colors } from "./command-context.ts";
import { pathFromFolder } from "./find-root.ts";
import { lineOf, queryWordTest, renderSnippet, snippetOf } from "./snippet.ts";
import { printable } from "./terminal-text.ts";

interface HitLayout {
  readonly query: string;
  readonly cwd: string;
  readonly colors: Colors;
  /** Lines of code per hit; 0 shows only the place. */
  readonly lines: number;
  readonly hasLinks: boolean;
}

/** Lines of code shown of a weak match. */
const MAX_WEAK_LINES = 1;

/** Strong hits first, then weak ones under a heading, with fewer lines. */
export function renderHits(hits: readonly Hit[], layout: HitLayout): string {
  const isQueryWord = queryWordTest(layout.query);
  const hasSeveralIndexes = new Set(hits.map(({ index }) => index)).size > 1;
  const firstOther = hits.findIndex(({ relevance }) => relevance !== "strong");
  const blocks = hits.map((hit, i) =>
    [
      ...(i === firstOther ? [layout.colors.dim(headingOf(hit))] : []),
      header(hit, layout, hasSeveralIndexes),
      ...(hit.why ?? []).map((reason) => layout.colors.dim(`  ${reasonLine(reason)}`)),
      ...(layout.lines === 0
        ? []
        : renderSnippet(
            snippetOf(hit, isQueryWord, linesOf(hit, layout)),
            isQueryWord,
            layout.colors,
          )),
      ...placesLine(hit, layout),
      ...linkLine(hit, layout),
    ].join("\n"),
  );
  return blocks.join(layout.lines === 0 ? "\n" : "\n\n");
}

/** Only of a strong hit: a weak one is shown in short form. */
function placesLine(hit: Hit, { colors, lines }: HitLayout): string[] {
  const places = furtherPlaces(hit);
  const isShown = lines > 0 && hit.relevance === "strong" && places !== "";
  return isShown ? [colors.dim(printable(places))] : [];
}

function linkLine({ published }: Hit, { colors, lines }: HitLayout): string[] {
  const link = published?.link;
  return link === undefined || lines === 0 ? [] : [colors.dim(printable(link))];
}

function linesOf({ relevance }: Hit, { lines }: HitLayout): number {
  return relevance === "strong" ? lines : Math.min(lines, MAX_WEAK_LINES);
}

function headingOf({ relevance }: Hit): string {
  return relevance === "chance" ? "no better than chance:" : "weak matches:";
}

/** The path of a file that is here, or `host/repository/path`. */
export function pathOf({ root, path, published }: Hit, cwd: string): string {
  return published === undefined
    ? pathFromFolder(cwd, root, path)
    : `${published.repository}/${path}`;
}

/** `path:line:column`, the format of compilers, which terminals and editors recognize. */
export function locationTextOf(hit: Hit, cwd: string): string {
  const path = printable(pathOf(hit, cwd));
  return `${path}:${lineOf(hit) + 1}:${(hit.bestLine?.column ?? 0) + 1}`;
}

function header(
  hit: Hit,
  { cwd, colors, hasLinks }: HitLayout,
  hasSeveralIndexes: boolean,
): string {
  const { symbol, languageId, score, matchType, index, hierarchy, importers = 0 } = hit;
  const what = symbol === undefined ? hierarchy : definitionTitle(symbol, languageId);
  const place = colors.cyan(locationTextOf(hit, cwd));
  return [
    hasLinks && hit.published === undefined ? linkTo(join(hit.root, hit.path), place) : place,
    ...(what === undefined ? [] : [colors.bold(printable(what))]),
    colors.dim(`${score.toFixed(2)} ${matchType}`),
    ...(importers > 0 ? [colors.dim(`imported by ${importers}`)] : []),
    ...(hasSeveralIndexes ? [colors.dim(`[${printable(index)}]`)] : []),
    ...(hit.published === undefined ? [] : [colors.dim(`at ${shortSha(hit.published.commit)}`)]),
  ].join("  ");
}

function reasonLine({ name, contribution, detail }: Reason): string {
  const sign = contribution < 0 ? "-" : "+";
  const amount = `${sign}${Math.abs(contribution).toFixed(4)}`;
  return `${amount}  ${name}${detail === undefined ? "" : `: ${printable(detail)}`}`;
}
