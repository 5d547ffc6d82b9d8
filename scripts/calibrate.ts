/** Calibrates scores: asks the server the questions of task files, and unanswerable ones, and fits how likely a hit is right. */

import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { askForEvidence, type Listed } from "./calibration/ask.ts";
import { fitModels } from "./calibration/fit.ts";
import { foreignQuestions, nonsenseQuestions } from "./calibration/questions.ts";
import type { Task } from "./evaluation/metrics.ts";
import { startServer } from "./evaluation/server.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE = `usage: npm run calibrate -- TASKS.json... --repos DIR --home DIR --data FILE [--write]

  TASKS.json   questions with labels, as for evaluate
  --repos DIR  checkouts: DIR/<repo>/<benchmark_root> is indexed
  --home DIR   where the indexes are kept
  --data FILE  observations, one JSON object per list; if the file exists, the server is not asked again
  --write      write the coefficients into server/search/results/score-model.ts`;

async function main(): Promise<number> {
  const { values, positionals } = scriptOptions(USAGE, {
    allowPositionals: true,
    options: {
      repos: { type: "string" },
      home: { type: "string" },
      data: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const { repos, home, data, write } = values;
  if (positionals.length === 0 || repos === undefined || home === undefined || data === undefined) {
    console.error(USAGE);
    return 2;
  }
  if (!existsSync(data)) {
    const tasks = positionals.flatMap((file) => JSON.parse(readFileSync(file, "utf8")) as Task[]);
    await observe(tasks, { repos: resolve(repos), home: resolve(home), data });
  }
  const lists = readFileSync(data, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Listed);
  const { report, source } = fitModels(lists);
  console.log(report);
  if (write)
    writeFileSync(join(import.meta.dirname, "../server/search/results/score-model.ts"), source);
  return 0;
}

async function observe(
  tasks: readonly Task[],
  { repos, home, data }: { repos: string; home: string; data: string },
): Promise<void> {
  const lines: string[] = [];
  for (const repo of new Set(tasks.map((task) => task.repo))) {
    const own = tasks.filter((task) => task.repo === repo);
    const root = join(repos, repo, own[0]?.benchmark_root ?? "");
    const server = await startServer(root, home);
    for (const task of own) lines.push(...(await askForEvidence(server, { root, repo, task })));
    for (const query of foreignQuestions(tasks, repo))
      lines.push(...(await askForEvidence(server, { root, repo, kind: "foreign", query })));
    for (const query of nonsenseQuestions(repo))
      lines.push(...(await askForEvidence(server, { root, repo, kind: "nonsense", query })));
    await server.stop();
    console.error(`${repo}: ${lines.length} lists`);
  }
  appendFileSync(data, `${lines.join("\n")}\n`);
}

process.exitCode = await main();
