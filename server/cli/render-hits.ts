/** Hits for people: where, what, how good, and some lines of each. */

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
}

export function renderHits(hits: readonly Hit[], look: HitLayout): string {
  const isAsked = askedWords(look.query);
  const isOfSeveral = new Set(hits.map(({ index }) => index)).size > 1;
  const blocks = hits.map((hit) =>
    [
      header(hit, look, isOfSeveral),
      ...(hit.why ?? []).map((reason) => look.colors.dim(`  ${reasonLine(reason)}`)),
      ...(look.lines === 0
        ? []
        : renderSnippet(snippetOf(hit, isAsked, look.lines), isAsked, look.colors)),
    ].join("\n"),
  );
  return blocks.join(look.lines === 0 ? "\n" : "\n\n");
}

/** `path:line` first, as compilers write it, so that terminals and editors can jump there. */
export function placeOf(hit: Hit, cwd: string): string {
  return `${printable(shownPath(cwd, hit.root, hit.path))}:${lineOf(hit) + 1}`;
}

function header(hit: Hit, { cwd, colors }: HitLayout, isOfSeveral: boolean): string {
  const { symbol, score, matchType, index, hierarchy } = hit;
  const what = symbol === undefined ? hierarchy : `${symbol.type} ${symbol.name}`;
  return [
    colors.cyan(placeOf(hit, cwd)),
    ...(what === undefined ? [] : [colors.bold(printable(what))]),
    colors.dim(`${score.toFixed(2)} ${matchType}`),
    ...(isOfSeveral ? [colors.dim(`[${printable(index)}]`)] : []),
  ].join("  ");
}

function reasonLine({ name, contribution, detail }: Reason): string {
  const sign = contribution < 0 ? "-" : "+";
  const amount = `${sign}${Math.abs(contribution).toFixed(4)}`;
  return `${amount}  ${name}${detail === undefined ? "" : `: ${printable(detail)}`}`;
}
