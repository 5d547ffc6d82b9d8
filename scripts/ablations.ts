/** Measures the contribution of each lane and each boost to the ranking, by turning it off; prints one table. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { BOOSTS } from "../server/search/boosts/boosts.ts";
import { ask } from "./evaluation/ask.ts";
import { type Measured, measure, type Task } from "./evaluation/metrics.ts";
import { ended, startServer } from "./evaluation/server.ts";
import { type Column, toMarkdown } from "./evaluation/table.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE = `usage: npm run ablations -- --set NAME=TASKS.json [--set ...] --repos DIR [--home DIR] [--out FILE.md]

  --set NAME=FILE  a column of the table; may be repeated
  --repos DIR      checkouts: DIR/<repo>/<benchmark_root> is indexed
  --home DIR       keep the indexes there for the next run
  --out FILE       where the table is written (default: stdout)`;

const LANES = ["vector", "keyword", "symbol"];
const boosts = BOOSTS.map(({ name }) => name);

/** Lanes and boosts that are turned off, by the name of the row. */
const ROWS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["everything", []],
  ...LANES.map((lane) => [`without ${lane}`, [lane]] as const),
  ...LANES.map((lane) => [`${lane} alone`, LANES.filter((each) => each !== lane)] as const),
  ...boosts.map((boost) => [`without ${boost}`, [boost]] as const),
  ["without any boost", boosts],
  ["vector alone, without any boost", ["keyword", "symbol", ...boosts]],
]);

async function main(): Promise<number> {
  const { values } = scriptOptions(USAGE, {
    options: {
      set: { type: "string", multiple: true, default: [] },
      repos: { type: "string" },
      home: { type: "string" },
      out: { type: "string" },
    },
  });
  const sets = values.set.map((each) => each.split("=", 2));
  if (values.repos === undefined || sets.length === 0 || sets.some(([, file]) => !file)) {
    console.error(USAGE);
    return 2;
  }
  const columns = sets.map(([name = "", file = ""]) => ({
    name,
    tasks: JSON.parse(readFileSync(file, "utf8")) as Task[],
    rows: new Map([...ROWS.keys()].map((row) => [row, [] as Measured[]] as const)),
  }));
  await measureAll(columns, resolve(values.repos), values.home && resolve(values.home));
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const table = toMarkdown(columns, commit);
  if (values.out === undefined) console.log(table);
  else writeFileSync(values.out, table);
  return 0;
}

interface Filled extends Column {
  readonly tasks: readonly Task[];
  readonly rows: ReadonlyMap<string, Measured[]>;
}

/** Starts one server per repository for all rows. */
async function measureAll(
  columns: readonly Filled[],
  repos: string,
  kept: string | undefined,
): Promise<void> {
  const home = kept ?? mkdtempSync(join(tmpdir(), "cocosearch-ablations-"));
  const tasks = columns.flatMap((column) => column.tasks);
  let enginePid: number | undefined;
  for (const repo of new Set(tasks.map((task) => task.repo))) {
    const root = join(repos, repo, tasks.find((task) => task.repo === repo)?.benchmark_root ?? "");
    const server = await startServer(root, home);
    enginePid = server.enginePid;
    for (const column of columns) {
      for (const task of column.tasks.filter((each) => each.repo === repo)) {
        for (const [row, without] of ROWS) {
          const { results } = await ask(server, task, root, { without });
          column.rows.get(row)?.push({ task, measures: measure(task, results) });
        }
      }
    }
    await server.stop();
    console.error(repo);
  }
  if (enginePid === undefined || kept !== undefined) return;
  await ended(enginePid);
  rmSync(home, { recursive: true });
}

process.exitCode = await main();
