/** Measures the share of a search that the choice of the best line of each hit takes, by the engine's own timer. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Analysis } from "../../server/contracts/session.ts";
import { ended, type Server, startServer } from "../evaluation/server.ts";
import { questionsWith } from "./questions.ts";
import { percentile } from "./statistics.ts";

const USAGE = `usage: node --import tsx scripts/bench/best-lines.ts FOLDER... [--tasks TASKS.json] [--questions N]

  FOLDER              what is indexed
  --tasks TASKS.json  ask these questions, too, in every folder: query
  --questions N       in each folder (default: 500, or as many as there are)`;

const LIMITS = [10, 50];
/** The share of the questions that make the engine warm. */
const WARM_UP = 0.1;
const DEFAULT_QUESTIONS = "500";

async function main(): Promise<number> {
  const { values, positionals: folders } = parseArgs({
    allowPositionals: true,
    options: {
      tasks: { type: "string" },
      questions: { type: "string", default: DEFAULT_QUESTIONS },
    },
  });
  if (folders.length === 0) {
    console.error(USAGE);
    return 2;
  }
  const all = new Set(questionsWith(values.tasks));
  const questions = [...all].slice(0, Number(values.questions));
  const home = mkdtempSync(join(tmpdir(), "cocosearch-best-lines-"));
  console.log(
    "| folder | asked | limit | hits | best lines p50 | p95 | reading p50 | search p50 | share |",
  );
  console.log("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
  let enginePid = 0;
  for (const folder of folders.map((each) => resolve(each))) {
    const server = await startServer(folder, home);
    ({ enginePid } = server);
    for (const limit of LIMITS) console.log(await row(server, folder, questions, limit));
    await server.stop();
  }
  await ended(enginePid);
  rmSync(home, { recursive: true });
  return 0;
}

async function row(
  { connection }: Server,
  folder: string,
  questions: readonly string[],
  limit: number,
): Promise<string> {
  const hits: number[] = [];
  const ms = { lines: [] as number[], reading: [] as number[], search: [] as number[] };
  const first = Math.floor(questions.length * WARM_UP);
  for (const [i, query] of questions.entries()) {
    const start = performance.now();
    await connection.sendRequest("cocosearch/search", { query, limit });
    const searchMs = performance.now() - start;
    // The cache is not asked by an analysis.
    const analysis = await connection.sendRequest<Analysis>("cocosearch/analyze", { query, limit });
    if (i < first || analysis.hits.length === 0) continue;
    const timeOf = (name: string) => analysis.stages.find((stage) => stage.name === name)?.ms ?? 0;
    hits.push(analysis.hits.length);
    ms.lines.push(timeOf("best lines"));
    ms.reading.push(timeOf("expand"));
    ms.search.push(searchMs);
  }
  const p50 = percentile(ms.lines, 0.5);
  const search = percentile(ms.search, 0.5);
  const cells = [
    [hits.length, limit, percentile(hits, 0.5)].map(String),
    [p50, percentile(ms.lines, 0.95), percentile(ms.reading, 0.5), search].map(
      (each) => `${each.toFixed(2)} ms`,
    ),
    [`${((100 * p50) / search).toFixed(0)} %`],
  ];
  return `| ${folder} | ${cells.flat().join(" | ")} |`;
}

process.exitCode = await main();
