/** Evaluates the ranking for bug reports: searches each report in the revision that it was written for, and looks for the fixed files. */

import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type ReportAnswer,
  type ReportResult,
  type ReportTask,
  reportTable,
} from "./evaluation/report-metrics.ts";
import { REPORT_ROWS, type ReportRow, reportRowsTable } from "./evaluation/report-rows.ts";
import { openWorkingTree, type WorkingTree } from "./evaluation/revisions.ts";
import { ended, type Server, startServer } from "./evaluation/server.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE = `usage: npm run evaluate-reports -- TASKS.json --git-dirs DIR [options]

  TASKS.json            reports with their fixes: id, repo (owner/name), revision, query, relevant, entities
  --git-dirs DIR        git directories: DIR/<owner>+<name>/repo
  --out FILE            write the results as they come, one JSON object per line: id, results [path, symbols]
  --without LANE|BOOST  leave out a lane or a boost; may be repeated
  --only REPO,...       only these repositories (owner/name)
  --table FILE.md       ask each report in further ways too, and write what each part of the ranking gives
  --work DIR            keep the working trees and the indexes there for the next run`;

interface Options {
  readonly tasks: string;
  readonly gitDirs: string;
  readonly out: string | undefined;
  readonly without: readonly string[];
  readonly only: ReadonlySet<string> | undefined;
  readonly work: string | undefined;
  readonly table: string | undefined;
}

function readOptions(): Options | undefined {
  const { values, positionals } = scriptOptions(USAGE, {
    allowPositionals: true,
    options: {
      "git-dirs": { type: "string" },
      out: { type: "string" },
      without: { type: "string", multiple: true, default: [] },
      only: { type: "string" },
      work: { type: "string" },
      table: { type: "string" },
    },
  });
  const [tasks] = positionals;
  const gitDirs = values["git-dirs"];
  if (tasks === undefined || gitDirs === undefined) return undefined;
  return {
    tasks,
    gitDirs: resolve(gitDirs),
    out: values.out,
    without: values.without,
    only: values.only === undefined ? undefined : new Set(values.only.split(",")),
    work: values.work === undefined ? undefined : resolve(values.work),
    table: values.table,
  };
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) {
    console.error(USAGE);
    return 2;
  }
  const { only, tasks: file, work, out, table } = options;
  const all = JSON.parse(readFileSync(file, "utf8")) as ReportTask[];
  const folder = realpathSync(work ?? mkdtempSync(join(tmpdir(), "cocosearch-reports-")));
  const rows: Answers = new Map([[EVERYTHING, []]]);
  if (table !== undefined) for (const row of REPORT_ROWS) rows.set(row, []);
  if (out !== undefined) writeFileSync(out, "");
  let enginePid: number | undefined;
  for (const repo of new Set(all.map((task) => task.repo))) {
    if (only !== undefined && !only.has(repo)) continue;
    const own = all.filter((task) => task.repo === repo);
    enginePid = await answerRepository(repo, own, folder, options, rows);
  }
  const answers = rows.get(EVERYTHING) ?? [];
  console.log(reportTable(file, answers));
  if (table !== undefined) {
    const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" });
    writeFileSync(table, reportRowsTable(rows, commit.trim()));
  }
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1);
  console.log(
    `  a report takes ${at(0.5)} ms in the middle, ${at(0.95)} ms at the 95th percentile`,
  );
  if (enginePid !== undefined && work === undefined) {
    await ended(enginePid);
    rmSync(folder, { recursive: true });
  }
  return 0;
}

const EVERYTHING: ReportRow = { name: "everything", without: [], queryOf: (text) => text };

/** The answers of each row of the table, in the order of the reports. */
type Answers = Map<ReportRow, ReportAnswer[]>;

/** One server on one tree, which is moved on as a person would: each revision is caught up with, none is indexed from nothing. */
async function answerRepository(
  repo: string,
  tasks: readonly ReportTask[],
  folder: string,
  { gitDirs, without, out }: Options,
  rows: Answers,
): Promise<number> {
  const name = repo.replace("/", "+");
  const tree = openWorkingTree(join(gitDirs, name, "repo"), join(folder, name));
  const inOrder = tasks
    .map((task) => ({ task, date: tree.dateOf(task.revision) }))
    .toSorted((a, b) => a.date - b.date || (a.task.id < b.task.id ? -1 : 1));
  let server: Server | undefined;
  let current: string | undefined;
  for (const { task } of inOrder) {
    const start = performance.now();
    if (task.revision !== current) tree.checkOut(task.revision);
    if (server === undefined) server = await startServer(tree.root, join(folder, "home"));
    else if (task.revision !== current) await server.catchUp();
    current = task.revision;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.error(`${task.id}: ready after ${seconds} s`);
    for (const [row, answers] of rows) {
      const answer = await askReport(server, task, tree, row, without);
      answers.push(answer);
      if (out !== undefined && row === EVERYTHING) {
        // At once: a run takes half an hour, and may be stopped.
        appendFileSync(out, `${JSON.stringify({ id: task.id, results: answer.results })}\n`);
      }
    }
  }
  await server?.stop();
  return server?.enginePid ?? 0;
}

interface LocatedSymbols {
  readonly location: { readonly uri: string };
  readonly symbols?: readonly { readonly name: string }[];
}

async function askReport(
  { connection }: Server,
  task: ReportTask,
  { root }: WorkingTree,
  row: ReportRow,
  without: readonly string[],
): Promise<ReportAnswer> {
  const query = row.queryOf(task.query);
  const left = [...without, ...row.without];
  const start = performance.now();
  const { hits } = await connection.sendRequest<{ hits: readonly LocatedSymbols[] }>(
    "cocosearch/search",
    { query, ...(left.length > 0 ? { without: left } : {}) },
  );
  const ms = performance.now() - start;
  const results = hits.map(
    ({ location, symbols = [] }): ReportResult => ({
      path: fileURLToPath(location.uri)
        .slice(root.length + 1)
        .replaceAll("\\", "/"),
      symbols: symbols.map(({ name }) => name),
    }),
  );
  return { task, results, ms };
}

process.exitCode = await main();
