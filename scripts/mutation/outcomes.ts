/** What became of each fault, kept in a file line by line, so that a run can be continued. */

import { appendFileSync, existsSync, readFileSync } from "node:fs";

export type Result = "killed" | "too long" | "survived" | "no test is near";

export interface Outcome {
  /** Where the fault is and what it is, in words that hold also after other lines were added. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly kind: string;
  readonly change: string;
  readonly result: Result;
  /** The test that noticed, or how many did not. */
  readonly by: string;
}

export type Place = Omit<Outcome, "line" | "result" | "by">;

export const keyOf = ({ path, column, text, kind, change }: Place) =>
  JSON.stringify([path, column, text, kind, change]);

export function readOutcomes(file: string | undefined): Map<string, Outcome> {
  if (file === undefined || !existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const outcomes = lines.map((line) => JSON.parse(line) as Outcome);
  // Of a fault that was tried again, the last line counts.
  return new Map(outcomes.map((outcome) => [keyOf(outcome), outcome]));
}

export function appendOutcome(file: string | undefined, outcome: Outcome): void {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(outcome)}\n`);
}

export function isNoticed({ result }: Pick<Outcome, "result">): boolean {
  return result === "killed" || result === "too long";
}

/** Per folder, and in total. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const folders = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const folder = outcome.path.split("/").slice(0, 2).join("/");
    folders.set(folder, [...(folders.get(folder) ?? []), outcome]);
  }
  const lines = [...folders]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([folder, all]) => `${folder.padEnd(24)} ${all.filter(isNoticed).length} of ${all.length}`,
    );
  const noticed = outcomes.filter(isNoticed).length;
  const share = ((100 * noticed) / Math.max(1, outcomes.length)).toFixed(1);
  return [...lines, `${noticed} of ${outcomes.length} noticed: ${share} %`].join("\n");
}

export function describeOutcome({ result, path, line, kind, change, by }: Outcome): string {
  return `${result}: ${path}:${line} ${kind}: ${change} (${by})`;
}
