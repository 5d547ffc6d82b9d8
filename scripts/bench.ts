/** Measures the real server as an editor runs it. One JSON line a run and one with the medians on stdout; a table on stderr. */

import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Measured, writeResults } from "./bench/results.ts";
import { buildRevision } from "./bench/revision.ts";
import { benchOnce } from "./bench/run.ts";
import { medians, type Numbers, rounded } from "./bench/statistics.ts";
import { MAIN } from "./editor.ts";

const USAGE = `usage: npm run bench -- --root DIR [--root DIR ...] [--runs N] [--compare REV] [--results]

  --root DIR     a repository to index and ask; the numbers depend on it
  --runs N       how often (default: 3); the medians count
  --compare REV  a revision that is built in a scratch folder and measured in turns with this checkout
  --results      write test/bench/results.md and its plot`;

const DEFAULT_RUNS = 3;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      root: { type: "string", multiple: true, default: [] },
      runs: { type: "string", default: String(DEFAULT_RUNS) },
      compare: { type: "string" },
      results: { type: "boolean", default: false },
    },
  });
  const runs = Number(values.runs);
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
    const found: Measured[] = [];
    for (const root of values.root) {
      found.push(...(await measure(resolve(root), programs, runs)));
    }
    console.error(table(found));
    if (values.results) writeResults(found, runs);
    return 0;
  } finally {
    other?.remove();
  }
}

/** The programs take turns, and each begins every second time: what else the machine does meets both. */
async function measure(
  root: string,
  programs: ReadonlyMap<string, string>,
  runs: number,
): Promise<Measured[]> {
  const all = new Map<string, Numbers[]>([...programs.keys()].map((name) => [name, []]));
  for (let run = 1; run <= runs; run++) {
    const turns = [...programs];
    for (const [name, program] of run % 2 === 0 ? turns.toReversed() : turns) {
      const numbers = await benchOnce(root, program);
      all.get(name)?.push(numbers);
      console.log(JSON.stringify({ root, program: name, run, ...roundedAll(numbers) }));
    }
  }
  return [...all].map(([program, each]) => {
    const numbers = medians(each);
    console.log(JSON.stringify({ root, program, runs, ...numbers }));
    return { root, program, numbers };
  });
}

function roundedAll(numbers: Numbers): Numbers {
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, value && rounded(value)]),
  );
}

/** A row per number, a column per repository and program. */
function table(found: readonly Measured[]): string {
  const names = Object.keys(found[0]?.numbers ?? {});
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
