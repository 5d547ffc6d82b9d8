/** Judges the ranking: asks the real server the questions of a task file and counts how often the labelled files come first. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Hit } from "../server/model.ts";
import {
  CUTOFF,
  type Measured,
  measure,
  type Result,
  report,
  type Task,
} from "./evaluation/metrics.ts";
import { ended, type Server, startServer } from "./evaluation/server.ts";

const USAGE = `usage: npm run evaluate -- TASKS.json --repos DIR [options]

  TASKS.json            questions with labels: id, repo, query, category, language, benchmark_root, relevant, secondary
  --repos DIR           checkouts: DIR/<repo>/<benchmark_root> is what is indexed
  --out FILE            write the results, one JSON object a line: id, results [path, startLine, endLine]
  --without LANE|BOOST  leave out a lane (vector, keyword, symbol) or a boost; may be repeated
  --only REPO,...       only these repositories
  --home DIR            keep the indexes there for the next run`;

interface Options {
  readonly tasks: string;
  readonly repos: string;
  readonly out: string | undefined;
  readonly without: readonly string[];
  readonly only: ReadonlySet<string> | undefined;
  readonly home: string | undefined;
}

function readOptions(args: readonly string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      repos: { type: "string" },
      out: { type: "string" },
      without: { type: "string", multiple: true, default: [] },
      only: { type: "string" },
      home: { type: "string" },
    },
  });
  const [tasks] = positionals;
  if (tasks === undefined || values.repos === undefined) return undefined;
  return {
    tasks,
    repos: resolve(values.repos),
    out: values.out,
    without: values.without,
    only: values.only === undefined ? undefined : new Set(values.only.split(",")),
    home: values.home === undefined ? undefined : resolve(values.home),
  };
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    console.error(USAGE);
    return 2;
  }
  const { only } = options;
  const tasks = (JSON.parse(readFileSync(options.tasks, "utf8")) as Task[]).filter(
    ({ repo }) => only === undefined || only.has(repo),
  );
  const home = options.home ?? mkdtempSync(join(tmpdir(), "cocosearch-evaluate-"));
  const answers = await answersOf(tasks, options, home);
  const measured = answers.map(
    ({ task, results }): Measured => ({ task, measures: measure(task, results) }),
  );
  if (options.out !== undefined) {
    const lines = answers.map(({ task, results }) => JSON.stringify({ id: task.id, results }));
    writeFileSync(options.out, `${lines.join("\n")}\n`);
  }
  const left = options.without.length > 0 ? ` without ${options.without.join(", ")}` : "";
  console.log(report(`${options.tasks}${left}`, measured));
  console.log(`  a query takes ${latency(answers.map(({ ms }) => ms))}`);
  return 0;
}

interface Answer {
  readonly task: Task;
  readonly results: readonly Result[];
  readonly ms: number;
}

/** One repository after the other, each in a server of its own; the engine behind them is one. */
async function answersOf(
  tasks: readonly Task[],
  { repos, without, home: kept }: Options,
  home: string,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let enginePid: number | undefined;
  for (const repo of new Set(tasks.map((task) => task.repo))) {
    const own = tasks.filter((task) => task.repo === repo);
    const root = join(repos, repo, own[0]?.benchmark_root ?? "");
    const start = performance.now();
    const server = await startServer(root, home);
    enginePid = server.enginePid;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.error(`${repo}: ready after ${seconds} s, ${own.length} queries`);
    for (const task of own) answers.push(await ask(server, task, root, without));
    await server.stop();
  }
  if (enginePid !== undefined && kept === undefined) {
    await ended(enginePid);
    rmSync(home, { recursive: true });
  }
  return answers;
}

/** A hit as the protocol carries it. */
interface Located extends Omit<Hit, "path" | "lines"> {
  readonly location: {
    readonly uri: string;
    readonly range: {
      readonly start: { readonly line: number };
      readonly end: { readonly line: number };
    };
  };
}

async function ask(
  { connection }: Server,
  task: Task,
  root: string,
  without: readonly string[],
): Promise<Answer> {
  const start = performance.now();
  const { hits } = await connection.sendRequest<{ hits: readonly Located[] }>("cocosearch/search", {
    query: task.query,
    limit: CUTOFF,
    without,
  });
  const ms = performance.now() - start;
  const results = hits.map(({ location: { uri, range } }) => ({
    path: fileURLToPath(uri)
      .slice(root.length + 1)
      .replaceAll("\\", "/"),
    startLine: range.start.line + 1,
    endLine: range.end.line + 1,
  }));
  return { task, results, ms };
}

function latency(all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  return `${at(0.5)} ms in the middle, ${at(0.95)} ms at the 95th percentile`;
}

process.exitCode = await main();
