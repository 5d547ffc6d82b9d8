/** The results of ablations as one document in Markdown. */

import { average, meanWithError } from "../bench/statistics.ts";
import { CUTOFF, type Measured, meanOverRepos, meansBy, type Task } from "./metrics.ts";

/** The measurements of one set of questions, by row; the order of questions is the same in all rows. */
export interface Column {
  readonly name: string;
  readonly rows: ReadonlyMap<string, readonly Measured[]>;
}

const WORST = 15;

export function toMarkdown(columns: readonly Column[], commit: string): string {
  return [
    "# What ranking gives",
    `NDCG@${CUTOFF} at commit ${commit}, default settings, built-in model, mean over repositories. Behind each row: what it` +
      " loses against everything, and the standard error of that difference over repositories.",
    table(columns),
    ...columns.flatMap((column) => [
      groups(column, "category", (task) => task.category),
      groups(column, "language", (task) => task.language),
      worst(column),
    ]),
  ].join("\n\n");
}

function table(columns: readonly Column[]): string {
  const names = [...(columns[0]?.rows.keys() ?? [])];
  return [
    `| | ${columns.map(({ name }) => name).join(" | ")} |`,
    `|---|${"---|".repeat(columns.length)}`,
    ...names.map(
      (name) => `| ${name} | ${columns.map((column) => cell(column, name)).join(" | ")} |`,
    ),
  ].join("\n");
}

function cell({ rows }: Column, name: string): string {
  const [whole = []] = rows.values();
  const row = rows.get(name) ?? [];
  const value = meanOverRepos(row).ndcg.toFixed(4);
  if (row === whole) return `**${value}**`;
  const { mean, error } = pairedDifference(row, whole);
  return `${value} (${mean > 0 ? "+" : ""}${mean.toFixed(4)} ± ${error.toFixed(4)})`;
}

/** The difference of two measurements of the same questions: the mean over repositories, and its standard error. */
export function pairedDifference(
  a: readonly Measured[],
  b: readonly Measured[],
): { readonly mean: number; readonly error: number } {
  const byRepo = new Map<string, number[]>();
  for (const [i, { task, measures }] of a.entries()) {
    const difference = measures.ndcg - (b[i]?.measures.ndcg ?? 0);
    byRepo.set(task.repo, [...(byRepo.get(task.repo) ?? []), difference]);
  }
  return meanWithError([...byRepo.values()].map(average));
}

function groups({ name, rows }: Column, by: string, key: (task: Task) => string): string {
  const [whole = []] = rows.values();
  const lines = [...meansBy(whole, key)].map(
    ([group, { count, means }]) =>
      `| ${group} | ${count} | ${means.ndcg.toFixed(3)} | ${means.hit1.toFixed(3)} |`,
  );
  return [
    `## ${name} by ${by}`,
    "",
    `| ${by} | questions | NDCG@${CUTOFF} | first hit right |`,
    "|---|---:|---:|---:|",
    ...lines,
  ].join("\n");
}

function worst({ name, rows }: Column): string {
  const [whole = []] = rows.values();
  const lines = whole
    .toSorted((a, b) => a.measures.ndcg - b.measures.ndcg)
    .slice(0, WORST)
    .map(
      ({ task, measures }) =>
        `- ${measures.ndcg.toFixed(2)} ${task.repo}: ${task.query.split("\n")[0]?.slice(0, 100)}`,
    );
  return [`## ${name}: the worst`, "", ...lines].join("\n");
}
