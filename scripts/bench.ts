/** Measures the real server as an editor runs it. One JSON line per run on stdout; a table of medians on stderr. */

import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type Measured, writeResults } from "./bench/results.ts";
import { buildRevision } from "./bench/revision.ts";
import { benchOnce } from "./bench/run.ts";
import { medians, type Numbers, namesOf, rounded } from "./bench/statistics.ts";
import { MAIN } from "./editor.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE = `usage: npm run bench -- --root DIR [--root DIR ...] [--runs N] [--compare REV] [--results]
       npm run bench -- --recorded FILE [--recorded FILE ...] [--results]

  --root DIR     a repository to index and ask; the numbers depend on it
  --runs N       how often (default: 3); the medians count
  --compare REV  a revision that is built in a scratch folder and measured in turns with this checkout
  --recorded FILE  reads the output of an earlier run from FILE instead of measuring
  --results      write test/bench/results.md and its plot`;

const DEFAULT_RUNS = 3;

async function main(): Promise<number> {
  const { values } = scriptOptions(USAGE, {
    options: {
      root: { type: "string", multiple: true, default: [] },
      runs: { type: "string", default: String(DEFAULT_RUNS) },
      compare: { type: "string" },
      recorded: { type: "string", multiple: true, default: [] },
      results: { type: "boolean", default: false },
    },
  });
  const runs = Number(values.runs);
  if (values.recorded.length > 0) {
    const found = values.recorded.flatMap((file) => readRecorded(file));
    show(mediansOf(found), values.results);
    return 0;
  }
  if (values.root.length === 0 || !Number.isInteger(runs) || runs < 1) {
    console.error(USAGE);
    return 2;
  }
  const other = values.compare === undefined ? undefined : buildRevision(values.compare);
  try {
    const programs = new Map([
      ...(other === undefined ? [] : [[other.name, other.program] as const]),
      ["this checkout", MAIN],
    ]);
    const found: Run[] = [];
    for (const root of values.root) found.push(...(await measure(resolve(root), programs, runs)));
    show(mediansOf(found), values.results);
    return 0;
  } finally {
    other?.remove();
  }
}

interface Run {
  readonly root: string;
  readonly program: string;
  readonly run: number;
  readonly numbers: Numbers;
}

function show(measured: readonly Measured[], isWritten: boolean): void {
  console.error(table(measured));
  if (isWritten) writeResults(measured);
}

/** Interleaves the programs and alternates their order, so that other load on the machine affects both. */
async function measure(
  root: string,
  programs: ReadonlyMap<string, string>,
  runs: number,
): Promise<Run[]> {
  const found: Run[] = [];
  for (let run = 1; run <= runs; run++) {
    const turns = [...programs];
    for (const [program, path] of run % 2 === 0 ? turns.toReversed() : turns) {
      const measured = { root, program, run, numbers: roundedAll(await benchOnce(root, path)) };
      found.push(measured);
      console.log(JSON.stringify(measured));
    }
  }
  return found;
}

/** Medians per repository and program, in order of first occurrence. */
function mediansOf(found: readonly Run[]): Measured[] {
  const groups = new Map<string, Run[]>();
  for (const run of found) {
    const key = `${run.root}\n${run.program}`;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].flatMap((runs) => {
    const [first] = runs;
    if (first === undefined) return [];
    const { root, program } = first;
    return [{ root, program, runs: runs.length, numbers: medians(runs.map((run) => run.numbers)) }];
  });
}

function readRecorded(file: string): Run[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Run);
}

function roundedAll(numbers: Numbers): Numbers {
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, value && rounded(value)]),
  );
}

/** A row per number, a column per repository and program. */
function table(found: readonly Measured[]): string {
  const names = namesOf(found);
  const rows = [
    ["", ...found.map(({ root, program }) => `${basename(root)} ${program}`)],
    ...names.map((name) => [name, ...found.map(({ numbers }) => String(numbers[name] ?? "-"))]),
  ];
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))),
    )
    .map((row) => row.join("  "))
    .join("\n");
}

process.exitCode = await main();
