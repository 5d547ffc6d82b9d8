/** Measures the time to build a context, beside the time of a search, with distinct questions. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ended, type Server, startServer } from "../evaluation/server.ts";
import { questionsWith } from "./questions.ts";
import { percentile } from "./statistics.ts";
import { usageOf } from "./usage.ts";

const USAGE = `usage: node --import tsx scripts/bench/context.ts FOLDER... [--home DIR] [--tokens N] [--tasks TASKS.json]

  FOLDER              what is indexed
  --home DIR          keep the indexes there for the next run
  --tokens N          of a context (default: 2000)
  --tasks TASKS.json  ask these questions, too, in every folder: query`;

/** The share of the questions that make the engine warm: they read files and compile code. */
const WARM_UP = 0.5;
/** The graph is resolved while the engine is idle. */
const SETTLE_MS = 3_000;

interface Times {
  readonly search: number[];
  readonly context: number[];
}

async function main(): Promise<number> {
  const { values, positionals: folders } = parseArgs({
    allowPositionals: true,
    options: {
      home: { type: "string" },
      tokens: { type: "string", default: "2000" },
      tasks: { type: "string" },
    },
  });
  if (folders.length === 0) {
    console.error(USAGE);
    return 2;
  }
  const questions = questionsWith(values.tasks);
  const home = resolve(values.home ?? mkdtempSync(join(tmpdir(), "cocosearch-context-times-")));
  console.log(
    "| folder | asked | search p50 | context p50 | times | search CPU | context CPU | times |",
  );
  console.log("|---|---:|---:|---:|---:|---:|---:|---:|");
  let enginePid = 0;
  for (const folder of folders) {
    const server = await startServer(resolve(folder), home);
    enginePid = server.enginePid;
    await delay(SETTLE_MS);
    console.log(await row(server, folder, questions, Number(values.tokens)));
    await server.stop();
  }
  if (values.home === undefined) {
    await ended(enginePid);
    rmSync(home, { recursive: true });
  }
  return 0;
}

async function row(
  server: Server,
  folder: string,
  questions: readonly string[],
  tokens: number,
): Promise<string> {
  const wall: Times = { search: [], context: [] };
  const cpu: Times = { search: [], context: [] };
  const ask = async (kind: keyof Times, query: string, isCounted: boolean) => {
    const before = usageOf(server.enginePid).cpuMs ?? Number.NaN;
    const start = performance.now();
    await server.connection.sendRequest(`cocosearch/${kind}`, requestOf(kind, query, tokens));
    if (!isCounted) return;
    wall[kind].push(performance.now() - start);
    cpu[kind].push((usageOf(server.enginePid).cpuMs ?? Number.NaN) - before);
  };
  const first = Math.floor(questions.length * WARM_UP);
  for (const [i, question] of questions.entries()) {
    // Each question is asked in both ways, now in this order and now in that; texts differ, so that no cache answers.
    const kinds = i % 2 === 0 ? (["search", "context"] as const) : (["context", "search"] as const);
    for (const kind of kinds) await ask(kind, question, i >= first);
  }
  const mean = (times: readonly number[]) =>
    times.reduce((sum, each) => sum + each, 0) / times.length;
  const cells = [wall, cpu].flatMap(({ search, context }, i) => {
    const [own, other] =
      i === 0 ? [percentile(context, 0.5), percentile(search, 0.5)] : [mean(context), mean(search)];
    return [`${other.toFixed(1)} ms`, `${own.toFixed(1)} ms`, (own / other).toFixed(2)];
  });
  return `| ${folder} | ${wall.search.length} | ${cells.join(" | ")} |`;
}

function requestOf(kind: keyof Times, query: string, tokens: number) {
  return kind === "context" ? { query, tokenBudget: tokens } : { query };
}

process.exitCode = await main();
