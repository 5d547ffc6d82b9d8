/** Renders an analysis as text: a table of stages, and the rank of each hit after each stage. */

import type { Analysis, AnalyzedHit, Stage } from "../contracts/session.ts";
import type { Colors } from "./command-context.ts";
import { shownQuery } from "./query-text.ts";
import { locationTextOf } from "./render-hits.ts";
import { printable, table } from "./terminal-text.ts";

/** Longer notes would break the table. */
const MAX_NOTE_LENGTH = 60;

export function renderAnalysis(analysis: Analysis, cwd: string, colors: Colors): string {
  const { query, mode, cache, stages, hits } = analysis;
  return [
    `${colors.bold(printable(shownQuery(query)))}  ${colors.dim(`mode ${mode}, cache ${cache}`)}`,
    heading(stageTable(stages), colors),
    ...(hits.length === 0 ? [] : [heading(rankTable(hits, cwd), colors)]),
  ].join("\n\n");
}

function stageTable(stages: readonly Stage[]): string {
  const rows = stages.map(({ name, count, ms, notes }) => [
    name,
    count ?? "",
    ms.toFixed(2).padStart(8),
    notesOf(notes),
  ]);
  const total = stages.reduce((sum, { ms }) => sum + ms, 0);
  return table([
    ["stage", "count", "      ms", "notes"],
    ...rows,
    ["sum", "", total.toFixed(2).padStart(8), ""],
  ]);
}

function notesOf(notes: Stage["notes"]): string {
  const all = Object.entries(notes ?? {}).map(
    ([name, value]) => `${name} ${typeof value === "object" ? value.join(" ") || "-" : value}`,
  );
  const text = printable(all.join(", "));
  return text.length > MAX_NOTE_LENGTH ? `${text.slice(0, MAX_NOTE_LENGTH)}...` : text;
}

/** One column per stage, in order. A dash means that the lane did not find the hit. */
function rankTable(hits: readonly AnalyzedHit[], cwd: string): string {
  const columns = [...new Set(hits.flatMap(({ ranks }) => Object.keys(ranks)))];
  const order = stageOrder(hits);
  columns.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  const rows = hits.map((hit, i) => [
    i + 1,
    hit.score.toFixed(3),
    ...columns.map((column) => hit.ranks[column] ?? "-"),
    `${locationTextOf(hit, cwd)}${hit.symbol === undefined ? "" : `  ${printable(hit.symbol.name)}`}`,
  ]);
  return table([["#", "score", ...columns, "where"], ...rows]);
}

/** Sort keys of the stages: the position counted from the last stage, because hits differ in the lanes that found them. */
function stageOrder(hits: readonly AnalyzedHit[]): Map<string, number> {
  const order = new Map<string, number>();
  for (const { ranks } of hits) {
    const names = Object.keys(ranks);
    names.forEach((name, i) => {
      const fromEnd = i - names.length;
      order.set(name, Math.min(fromEnd, order.get(name) ?? 0));
    });
  }
  return order;
}

function heading(text: string, colors: Colors): string {
  const [first = "", ...rest] = text.split("\n");
  return [colors.dim(first), ...rest].join("\n");
}
