/** How well hits answer natural questions: ranks of the right places (overlapping lines) and of their files. */

import { average, meanWithError } from "../bench/statistics.ts";
import type { Answer } from "./ask.ts";
import { CUTOFF, covers, type Result, type Target, type Task } from "./metrics.ts";

/** `listed@5`: among the first five hits and the further places that they name. */
const MEASURES = ["place@1", "place@5", "listed@5", "file@1", "file@5"] as const;

/** The measures of one question, 1 or 0 each. */
type PlaceMeasures = Readonly<Record<(typeof MEASURES)[number], number>>;

/** Any of the relevant and secondary places is right. */
function placeMeasures(task: Task, results: readonly Result[]): PlaceMeasures {
  const targets = [...task.relevant, ...task.secondary];
  const rank = (isRight: (result: Result, target: Target) => boolean) => {
    const at = results
      .slice(0, CUTOFF)
      .findIndex((result) => targets.some((target) => isRight(result, target)));
    return at === -1 ? Number.POSITIVE_INFINITY : at + 1;
  };
  const place = rank((result, target) => covers(result, target, task));
  const listed = rank((result, target) =>
    [result, ...(result.places ?? [])].some((each) => covers(each, target, task)),
  );
  const file = rank((result, target) => result.path === target.path);
  return {
    "place@1": Number(place === 1),
    "place@5": Number(place <= 5),
    "listed@5": Number(listed <= 5),
    "file@1": Number(file === 1),
    "file@5": Number(file <= 5),
  };
}

/** The table that a person reads: means over questions, by style and by repository; with `base`, each with its paired difference. */
export function placeReport(
  title: string,
  answers: readonly Answer[],
  base?: ReadonlyMap<string, readonly Result[]>,
): string {
  const rows = answers.map(({ task, results }) => ({
    task,
    now: placeMeasures(task, results),
    before: placeMeasures(task, base?.get(task.id) ?? []),
  }));
  const line = (name: string, group: typeof rows) => {
    const cells = MEASURES.map((measure) => {
      const mean = average(group.map(({ now }) => now[measure])).toFixed(3);
      if (base === undefined) return `${measure} ${mean}`;
      const changes = group.map(({ now, before }) => now[measure] - before[measure]);
      return `${measure} ${mean} (${formatDifference(changes)})`;
    });
    return `  ${`${name} (${group.length})`.padEnd(22)} ${cells.join("  ")}`;
  };
  const groups = (key: (task: Task) => string) =>
    [...new Set(rows.map(({ task }) => key(task)))].toSorted().map((name) =>
      line(
        name,
        rows.filter(({ task }) => key(task) === name),
      ),
    );
  return [
    `${title}: ${rows.length} questions, any right place or file among the first k`,
    line("all", rows),
    ...groups(({ style }) => style ?? ""),
    ...groups(({ repo }) => repo),
  ].join("\n");
}

function formatDifference(changes: readonly number[]): string {
  const { mean, error } = meanWithError(changes);
  return `${mean < 0 ? "" : "+"}${mean.toFixed(3)} ± ${error.toFixed(3)}`;
}
