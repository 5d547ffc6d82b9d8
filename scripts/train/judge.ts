/**
 * Judges a model by itself: NDCG@10 of its vectors alone, over the repositories of a task file.
 *
 * usage: node --import tsx scripts/train/judge.ts TASKS.json --repos DIR [--models FOLDER] [--content-only]
 *
 * --models      a folder with a model and its manifest (default: the model of the server)
 * --content-only  leave out the fields for path and names
 */

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { measure, type Task } from "../evaluation/metrics.ts";
import { createRanking, passagesOf } from "./dense.ts";

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      repos: { type: "string", default: "." },
      models: { type: "string" },
      "content-only": { type: "boolean", default: false },
    },
  });
  const [file = "tasks.json"] = positionals;
  const tasks = JSON.parse(readFileSync(file, "utf8")) as Task[];
  const table = loadEmbeddingModel(
    values.models === undefined ? undefined : pathToFileURL(`${resolve(values.models)}/`),
  );
  const byRepo = new Map<string, number>();
  const languages = new Map<string, string>();
  for (const repo of new Set(tasks.map((task) => task.repo))) {
    const asked = tasks.filter((task) => task.repo === repo);
    const root = join(values.repos, repo, asked[0]?.benchmark_root ?? "");
    const rank = createRanking(table, await passagesOf(root), values["content-only"]);
    byRepo.set(repo, mean(asked.map((task) => measure(task, rank(task.query)).ndcg)));
    languages.set(repo, asked[0]?.language ?? "");
  }
  const repos = [...byRepo.keys()];
  for (const language of new Set(languages.values())) {
    const alike = repos.filter((repo) => languages.get(repo) === language);
    const score = mean(alike.map((repo) => byRepo.get(repo) ?? 0));
    console.log(`${language.padEnd(12)} ${score.toFixed(3)}`);
  }
  console.log(`${"all".padEnd(12)} ${mean([...byRepo.values()]).toFixed(4)}  ${table.id}`);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

await main();
