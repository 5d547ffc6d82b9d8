/** Evaluates the ranking: asks the server the questions of a task file and measures how high the labeled files rank. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Answer, ask } from "./evaluation/ask.ts";
import {
  type Measured,
  meanOverRepos,
  measure,
  type Result,
  report,
  type Task,
} from "./evaluation/metrics.ts";
import { placeReport } from "./evaluation/place-metrics.ts";
import { startRewritingModel } from "./evaluation/rewriting-model.ts";
import { ended, startServer } from "./evaluation/server.ts";
import { pairedDifference } from "./evaluation/table.ts";
import { readTasks } from "./evaluation/tasks.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE = `usage: npm run evaluate -- TASKS.json --repos DIR [options]

  TASKS.json            questions with labels: id, repo, query, category, language, benchmark_root, relevant, secondary;
                        or a folder of tables, as test/ranking/questions
  --repos DIR           checkouts: DIR/<repo>/<benchmark_root> is indexed
  --out FILE            write the results, one JSON object a line: id, results [path, startLine, endLine]
  --without LANE|BOOST  leave out a lane (vector, keyword, symbol) or a boost; may be repeated
  --only REPO,...       only these repositories
  --home DIR            keep the indexes there for the next run
  --whole               index the whole repository instead of its folder benchmark_root
  --terms FILE          send these terms beside the questions: lines "id<tab>term term ..."
  --compare FILE        print differences to a stored run (a file written by --out), with their paired standard error
  --rewrites FILE       rewrite queries by a model that answers as the file says (id to text), and with random words for
                        every other question; shows what rewriting does to both groups`;

interface Options {
  readonly tasks: string;
  readonly repos: string;
  readonly out: string | undefined;
  readonly without: readonly string[];
  readonly only: ReadonlySet<string> | undefined;
  readonly home: string | undefined;
  readonly whole: boolean;
  readonly terms: ReadonlyMap<string, readonly string[]> | undefined;
  readonly compare: string | undefined;
  readonly rewrites: string | undefined;
}

function readOptions(): Options | undefined {
  const { values, positionals } = scriptOptions(USAGE, {
    allowPositionals: true,
    options: {
      repos: { type: "string" },
      out: { type: "string" },
      without: { type: "string", multiple: true, default: [] },
      only: { type: "string" },
      home: { type: "string" },
      whole: { type: "boolean", default: false },
      terms: { type: "string" },
      compare: { type: "string" },
      rewrites: { type: "string" },
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
    whole: values.whole,
    terms: values.terms === undefined ? undefined : readTerms(values.terms),
    compare: values.compare,
    rewrites: values.rewrites,
  };
}

/** Terms by the id of their question. */
function readTerms(file: string): Map<string, readonly string[]> {
  const lines = readFileSync(file, "utf8").split("\n");
  return new Map(
    lines.map((line) => {
      const [id = "", terms = ""] = line.split("\t");
      return [id, terms.split(" ").filter((term) => term !== "")];
    }),
  );
}

/** The results of a stored run by the id of their question. */
function readRun(file: string): Map<string, readonly Result[]> {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return new Map(
    lines.map((line) => {
      const { id, results } = JSON.parse(line) as { id: string; results: Result[] };
      return [id, results];
    }),
  );
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) {
    console.error(USAGE);
    return 2;
  }
  const { only } = options;
  const tasks = readTasks(options.tasks)
    .filter(({ repo }) => only === undefined || only.has(repo))
    .map((task) => (options.whole ? { ...task, benchmark_root: null } : task));
  const home = options.home ?? mkdtempSync(join(tmpdir(), "cocosearch-evaluate-"));
  const model =
    options.rewrites === undefined ? undefined : await startRewritingModel(tasks, options.rewrites);
  const answers = await answersOf(tasks, options, home);
  await model?.close();
  const measured = answers.map(
    ({ task, results }): Measured => ({ task, measures: measure(task, results) }),
  );
  if (options.out !== undefined) {
    const lines = answers.map(({ task, results }) => JSON.stringify({ id: task.id, results }));
    writeFileSync(options.out, `${lines.join("\n")}\n`);
  }
  const base = options.compare === undefined ? undefined : readRun(options.compare);
  const left = options.without.length > 0 ? ` without ${options.without.join(", ")}` : "";
  const title = `${options.tasks}${options.whole ? ", whole repositories" : ""}${left}`;
  const isByPlace = tasks.some(({ style }) => style !== undefined);
  console.log(isByPlace ? placeReport(title, answers, base) : report(title, measured));
  if (base !== undefined && !isByPlace) {
    const before = answers.map(
      ({ task }): Measured => ({ task, measures: measure(task, base.get(task.id) ?? []) }),
    );
    const { mean, error } = pairedDifference(measured, before);
    console.log(`  difference of NDCG to the stored run: ${mean.toFixed(4)} ± ${error.toFixed(4)}`);
  }
  if (model !== undefined) {
    const byHand = measured.filter(({ task }) => model.byHand.has(task.id));
    const others = measured.filter(({ task }) => !model.byHand.has(task.id));
    console.log(`  rewritten by hand (${byHand.length}): ${meanOverRepos(byHand).ndcg.toFixed(4)}`);
    console.log(`  random words (${others.length}): ${meanOverRepos(others).ndcg.toFixed(4)}`);
    console.log(`  the model was asked ${model.asked()} times`);
  }
  console.log(`  a query takes ${latency(answers.map(({ ms }) => ms))}`);
  return 0;
}

/** One repository after the other, each in a server of its own; the engine behind them is one. */
async function answersOf(
  tasks: readonly Task[],
  { repos, without, terms, home: kept }: Options,
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
    for (const task of own) {
      answers.push(await ask(server, task, root, { without, terms: terms?.get(task.id) }));
    }
    await server.stop();
  }
  if (enginePid !== undefined && kept === undefined) {
    await ended(enginePid);
    rmSync(home, { recursive: true });
  }
  return answers;
}

function latency(all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  return `${at(0.5)} ms in the middle, ${at(0.95)} ms at the 95th percentile`;
}

process.exitCode = await main();
