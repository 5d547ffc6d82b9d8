/** Calibrates scores: asks the server the questions of task files, names and unanswerable ones, and fits how likely a hit is right. */

import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { askForEvidence, type Listed } from "./calibration/ask.ts";
import { fitModels, isPart } from "./calibration/fit.ts";
import { foreignQuestions, nameQuestions, nonsenseQuestions } from "./calibration/questions.ts";
import type { Task } from "./evaluation/metrics.ts";
import { startServer } from "./evaluation/server.ts";
import { readTasks } from "./evaluation/tasks.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE = `usage: npm run calibrate -- TASKS... --repos DIR --home DIR --data FILE [--only REPO,...] [--write PART]

  TASKS            questions with labels, as for evaluate: a file, or a folder of tables as test/ranking/questions
  --repos DIR      checkouts: DIR/<repo>/<benchmark_root> is indexed
  --home DIR       where the indexes are kept
  --data FILE      observations, one JSON object per list; the server is asked only for repositories that it lacks
  --only REPO,...  ask only about these repositories
  --write PART     write these coefficients into server/search/results/score-model.ts: "score", of tasks whose labels have
                   lines, or "chance", the test for lists that come by chance`;

const MODEL = join(import.meta.dirname, "../server/search/results/score-model.ts");

async function main(): Promise<number> {
  const { values, positionals } = scriptOptions(USAGE, {
    allowPositionals: true,
    options: {
      repos: { type: "string" },
      home: { type: "string" },
      data: { type: "string" },
      only: { type: "string" },
      write: { type: "string" },
    },
  });
  const { repos, home, data, only, write } = values;
  const isUsable = positionals.length > 0 && (write === undefined || isPart(write));
  if (!isUsable || repos === undefined || home === undefined || data === undefined) {
    console.error(USAGE);
    return 2;
  }
  const tasks = positionals.flatMap(readTasks);
  if (write === "score" && !tasks.every(isByPlace)) {
    console.error(
      "The score of a hit is the probability of its place: --write score needs tasks whose labels have lines, as test/ranking/questions.",
    );
    return 2;
  }
  const wanted = only?.split(",");
  const known = new Set(readLists(data).map(({ repo }) => repo));
  const missing = tasks
    .map(({ repo }) => repo)
    .filter((repo) => !known.has(repo) && (wanted === undefined || wanted.includes(repo)));
  await observe(new Set(missing), tasks, { repos: resolve(repos), home: resolve(home), data });
  const { report, sourceOf } = fitModels(readLists(data));
  console.log(report);
  if (write !== undefined) writeFileSync(MODEL, sourceOf(write));
  return 0;
}

function isByPlace({ relevant, secondary }: Task): boolean {
  return [...relevant, ...secondary].every(({ startLine }) => startLine !== undefined);
}

function readLists(data: string): Listed[] {
  if (!existsSync(data)) return [];
  const lines = readFileSync(data, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Listed);
}

/** Appends the lists of each repository when it is done. */
async function observe(
  names: ReadonlySet<string>,
  tasks: readonly Task[],
  { repos, home, data }: { repos: string; home: string; data: string },
): Promise<void> {
  for (const repo of names) {
    const own = tasks.filter((task) => task.repo === repo);
    const root = join(repos, repo, own[0]?.benchmark_root ?? "");
    const server = await startServer(root, home);
    const lines: string[] = [];
    for (const task of own)
      lines.push(...(await askForEvidence(server, { root, repo, kind: "own", task })));
    for (const task of nameQuestions(own))
      lines.push(...(await askForEvidence(server, { root, repo, kind: "name", task })));
    for (const query of foreignQuestions(tasks, repo))
      lines.push(...(await askForEvidence(server, { root, repo, kind: "foreign", query })));
    for (const query of nonsenseQuestions(repo))
      lines.push(...(await askForEvidence(server, { root, repo, kind: "nonsense", query })));
    await server.stop();
    appendFileSync(data, `${lines.join("\n")}\n`);
    console.error(`${repo}: ${lines.length} lists`);
  }
}

process.exitCode = await main();
