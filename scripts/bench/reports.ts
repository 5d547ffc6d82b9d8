/** Measures how long bug reports take with the real server: idle, while files change, and the slowest by stage. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { ProtocolConnection } from "vscode-languageserver/node";
import { ended, startServer } from "../evaluation/server.ts";
import { percentile } from "./statistics.ts";

const USAGE = `usage: node --import tsx scripts/bench/reports.ts TASKS.json --root DIR [--home DIR] [--rounds N]

  TASKS.json  reports: id, query
  --root DIR  a scratch copy of a repository: its files are saved again and again while reports are asked
  --home DIR  keep the index there for the next run
  --rounds N  how often each report is asked (default: 3); the least time counts where nothing else happens`;

interface Report {
  readonly id: string;
  readonly query: string;
}

const MAX_LENGTH = 10_000;
const SLOWEST = 10;
const CHANGED_FILES = 100;
const CHANGE_EVERY_MS = 5_000;
const SETTLE_MS = 3_000;

type Stages = ReadonlyMap<string, number>;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      root: { type: "string" },
      home: { type: "string" },
      rounds: { type: "string", default: "3" },
    },
  });
  const [tasks] = positionals;
  const rounds = Number(values.rounds);
  if (tasks === undefined || values.root === undefined || !(rounds >= 1)) {
    console.error(USAGE);
    return 2;
  }
  const all = JSON.parse(readFileSync(tasks, "utf8")) as Report[];
  const reports = all.filter(({ query }) => query.length <= MAX_LENGTH);
  const root = resolve(values.root);
  const home = values.home ?? mkdtempSync(join(tmpdir(), "cocosearch-report-times-"));
  const server = await startServer(root, home);
  const { connection } = server;
  await delay(SETTLE_MS);
  const idle = await timesOf(connection, reports, rounds);
  console.log(line("idle", [...idle.values()]));
  const stages = await stagesOf(connection, reports);
  console.log(slowest(reports, idle, stages));
  const busy = await whileFilesChange(connection, root, () => timesOf(connection, reports, 1));
  console.log(line("while files change", [...busy.values()]));
  await server.stop();
  await ended(server.enginePid);
  if (values.home === undefined) rmSync(home, { recursive: true });
  return 0;
}

/** The least time of each report over the rounds. */
async function timesOf(
  connection: ProtocolConnection,
  reports: readonly Report[],
  rounds: number,
): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (let round = 1; round <= rounds; round++) {
    for (const { id, query } of reports) {
      const start = performance.now();
      // Each time another text, so that no answer comes from the cache.
      const text = `${query}\n${asked++}`;
      await connection.sendRequest("cocosearch/search", { query: text });
      times.set(id, Math.min(performance.now() - start, times.get(id) ?? Infinity));
    }
  }
  return times;
}

let asked = 0;

async function stagesOf(
  connection: ProtocolConnection,
  reports: readonly Report[],
): Promise<Map<string, Stages>> {
  const found = new Map<string, Stages>();
  for (const { id, query } of reports) {
    const { stages } = await connection.sendRequest<{
      stages: readonly { readonly name: string; readonly ms: number }[];
    }>("cocosearch/analyze", { query });
    found.set(id, new Map(stages.map(({ name, ms }) => [name, ms])));
  }
  return found;
}

/** Files are saved with another last line until the work is done, and then as they were. */
async function whileFilesChange<T>(
  connection: ProtocolConnection,
  root: string,
  work: () => Promise<T>,
): Promise<T> {
  const { hits } = await connection.sendRequest<{
    hits: readonly { readonly location: { readonly uri: string } }[];
  }>("cocosearch/search", { query: "def function class", limit: CHANGED_FILES, minScore: 0 });
  const files = [...new Set(hits.map(({ location }) => new URL(location.uri)))]
    .filter(({ pathname }) => /\.(?:py|[jt]s|go)$/.test(pathname) && pathname.startsWith(root))
    .map((file) => ({ file, text: readFileSync(file, "utf8") }));
  let count = 0;
  const save = () => {
    count++;
    for (const { file, text } of files)
      writeFileSync(file, `${text}\nchanged_${count} = ${count}\n`);
  };
  save();
  const timer = setInterval(save, CHANGE_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    for (const { file, text } of files) writeFileSync(file, text);
    console.log(`${files.length} files were saved ${count} times`);
  }
}

function line(name: string, times: readonly number[]): string {
  const at = (share: number) => `${percentile(times, share).toFixed(1)} ms`;
  return `${name}: ${times.length} reports, p50 ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}`;
}

/** The reports that took longest, with the stages that took most of it. */
function slowest(
  reports: readonly Report[],
  times: ReadonlyMap<string, number>,
  stages: ReadonlyMap<string, Stages>,
): string {
  const rows = reports
    .map(({ id, query }) => ({ id, length: query.length, ms: times.get(id) ?? 0 }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST);
  const lines = rows.map(({ id, length, ms }) => {
    const most = [...(stages.get(id) ?? [])]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 5)
      .map(([name, each]) => `${name} ${each.toFixed(1)}`);
    return `| ${id} | ${length} | ${ms.toFixed(1)} | ${most.join(", ")} |`;
  });
  return ["| report | characters | ms | stages |", "|---|---:|---:|---|", ...lines].join("\n");
}

process.exitCode = await main();
