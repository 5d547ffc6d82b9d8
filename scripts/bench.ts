/** Measures the real server as an editor runs it. One JSON line a run and one with the medians on stdout; a table on stderr. */

import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { benchOnce } from "./bench/run.ts";
import { medians, type Numbers, rounded } from "./bench/statistics.ts";

const USAGE = `usage: npm run bench -- --root DIR [--root DIR ...] [--runs N]

  --root DIR  a repository to index and ask; the numbers depend on it
  --runs N    how often (default: 3); the medians count`;

const DEFAULT_RUNS = 3;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      root: { type: "string", multiple: true, default: [] },
      runs: { type: "string", default: String(DEFAULT_RUNS) },
    },
  });
  const runs = Number(values.runs);
  if (values.root.length === 0 || !Number.isInteger(runs) || runs < 1) {
    console.error(USAGE);
    return 2;
  }
  const found: { readonly root: string; readonly numbers: Numbers }[] = [];
  for (const root of values.root.map((each) => resolve(each))) {
    const all: Numbers[] = [];
    for (let run = 1; run <= runs; run++) {
      const numbers = await benchOnce(root);
      all.push(numbers);
      console.log(JSON.stringify({ root, run, ...roundedAll(numbers) }));
    }
    const numbers = medians(all);
    console.log(JSON.stringify({ root, runs, ...numbers }));
    found.push({ root, numbers });
  }
  console.error(table(found));
  return 0;
}

function roundedAll(numbers: Numbers): Numbers {
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, value && rounded(value)]),
  );
}

/** A row a number, a column a repository. */
function table(found: readonly { readonly root: string; readonly numbers: Numbers }[]): string {
  const names = Object.keys(found[0]?.numbers ?? {});
  const rows = [
    ["", ...found.map(({ root }) => basename(root))],
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
