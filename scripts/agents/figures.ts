/** The tables of a run: the success and the cost of each arm. */

import { average, meanWithError } from "../bench/statistics.ts";
import { ARMS, type Arm, type Outcome } from "./outcome.ts";
import { KINDS } from "./tasks.ts";

/** The measures of a task. */
const MEASURES = {
  right: ({ isRight }: Outcome) => Number(isRight),
  recall: ({ recall }: Outcome) => recall,
  precision: ({ precision }: Outcome) => precision,
  calls: ({ calls }: Outcome) => calls.length,
  bytes: ({ calls }: Outcome) => calls.reduce((sum, { bytes }) => sum + bytes, 0),
} as const;
type Measure = keyof typeof MEASURES;
const NAMES = Object.keys(MEASURES) as Measure[];

/** The tools of the arm without ours. */
const OTHERS: ReadonlySet<string> = new Set([
  "grep_files",
  "read_file",
  "list_files",
  "git_history",
]);

export function figuresOf(outcomes: readonly Outcome[]): string {
  return [armsTable(outcomes), firstCalls(outcomes), toolsTable(outcomes), faults(outcomes)]
    .filter(Boolean)
    .join("\n\n");
}

/** The differences between two runs of the same tasks, by arm. */
export function comparisonOf(outcomes: readonly Outcome[], before: readonly Outcome[]): string {
  const lines = ARMS.map((arm) => {
    const pairs = pairsOf(ofArm(outcomes, arm), ofArm(before, arm));
    const cells = NAMES.map((name) => change(name, pairs));
    return `| ${arm} | ${pairs.length} | ${cells.join(" | ")} |`;
  });
  return [
    `| arm | tasks in both runs | ${NAMES.join(" | ")} |`,
    `|---|---:|${"---:|".repeat(NAMES.length)}`,
    ...lines,
  ].join("\n");
}

/** By kind: both arms, and the paired difference with its standard error over the tasks that both have. */
function armsTable(outcomes: readonly Outcome[]): string {
  const rows = [...KINDS, "all"].flatMap((kind) => {
    const own = outcomes.filter((each) => kind === "all" || each.kind === kind);
    if (own.length === 0) return [];
    const [ours, others] = [ofArm(own, "with"), ofArm(own, "without")];
    const pairs = pairsOf(ours, others);
    return [
      row(kind, "with", ours),
      row(kind, "without", others),
      `| ${kind} | difference | ${pairs.length} | ${NAMES.map((name) => change(name, pairs)).join(" | ")} |`,
    ];
  });
  return [
    `| kind | arm | tasks | ${NAMES.join(" | ")} |`,
    `|---|---|---:|${"---:|".repeat(NAMES.length)}`,
    ...rows,
  ].join("\n");
}

function row(kind: string, arm: Arm, own: readonly Outcome[]): string {
  const cells = NAMES.map((name) => shown(name, average(own.map(MEASURES[name]))));
  return `| ${kind} | ${arm} | ${own.length} | ${own.length === 0 ? NAMES.map(() => "").join(" | ") : cells.join(" | ")} |`;
}

/** Two outcomes of the same task in the same tree. */
type Pair = readonly [now: Outcome, before: Outcome];

function pairsOf(now: readonly Outcome[], before: readonly Outcome[]): Pair[] {
  const byTask = new Map(before.map((each) => [each.task, each]));
  return now.flatMap((each): Pair[] => {
    const other = byTask.get(each.task);
    return other?.tree === each.tree ? [[each, other]] : [];
  });
}

function change(name: Measure, pairs: readonly Pair[]): string {
  if (pairs.length === 0) return "";
  const differences = pairs.map(([now, before]) => MEASURES[name](now) - MEASURES[name](before));
  const { mean, error } = meanWithError(differences);
  const sign = mean > 0 ? "+" : "";
  const share =
    name === "bytes" || name === "calls"
      ? ` (${percent(mean, average(pairs.map(([, before]) => MEASURES[name](before))))})`
      : "";
  return `${sign}${shown(name, mean)} ± ${shown(name, error)}${share}`;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "-" : `${part > 0 ? "+" : ""}${((100 * part) / whole).toFixed(0)} %`;
}

function shown(name: Measure, value: number): string {
  return value.toFixed(name === "bytes" ? 0 : name === "calls" ? 1 : 2);
}

function ofArm(outcomes: readonly Outcome[], arm: Arm): Outcome[] {
  return outcomes.filter((each) => each.arm === arm);
}

/** In the arm with our tools: how often the first call is one of ours. */
function firstCalls(outcomes: readonly Outcome[]): string {
  const lines = (["conceptual", "literal"] as const).map((first) => {
    const own = ofArm(outcomes, "with").filter(
      (each) => each.first === first && each.calls.length > 0,
    );
    const ours = own.filter(({ calls }) => isOurs(calls[0]?.tool ?? ""));
    return `| ${first} | ${own.length} | ${ours.length} | ${percent(ours.length, own.length).replace("+", "")} |`;
  });
  return [
    "| better first call | tasks | first call is ours | share |",
    "|---|---:|---:|---:|",
    ...lines,
  ].join("\n");
}

function isOurs(tool: string): boolean {
  return !OTHERS.has(tool);
}

function toolsTable(outcomes: readonly Outcome[]): string {
  const lines = ARMS.flatMap((arm) => {
    const calls = ofArm(outcomes, arm).flatMap((each) => each.calls);
    const names = [...new Set(calls.map(({ tool }) => tool))].toSorted();
    return names.map((name) => {
      const own = calls.filter(({ tool }) => tool === name);
      const failed = own.filter(({ isError }) => isError).length;
      const bytes = average(own.map((each) => each.bytes)).toFixed(0);
      return `| ${arm} | ${name} | ${own.length} | ${failed} | ${bytes} |`;
    });
  });
  return [
    "| arm | tool | calls | errors | mean bytes |",
    "|---|---|---:|---:|---:|",
    ...lines,
  ].join("\n");
}

/** Agents that gave no answer, by name. */
function faults(outcomes: readonly Outcome[]): string {
  return outcomes
    .filter(({ fault }) => fault !== undefined)
    .map(
      ({ task, arm, fault, detail = "" }) =>
        `no answer: ${task} (${arm}): ${fault}: ${detail.replaceAll("\n", " ")}`,
    )
    .join("\n");
}
