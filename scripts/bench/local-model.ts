/**
 * Measures an installed local model in its process, on one thread: loading, processor time per text of an embedding model,
 * memory, and the time of 30 candidates. Processor time, because other programs lengthen the time on the clock. Reads /proc, so only on Linux.
 *
 * usage: node --import tsx scripts/bench/local-model.ts MODELS NAME SOURCE
 *   MODELS  the folder of installed models
 *   SOURCE  a folder of source; texts are 512 characters of it, pairs 1,024
 */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { silent } from "../../server/common/log.ts";
import { readModelManifest, runtimeFolder } from "../../server/models/manifest.ts";
import { ModelProcess } from "../../server/models/model-process.ts";
import type { Job } from "../../server/models/protocol.ts";

const TEXTS = 200;
const CANDIDATES = 30;
const ROUNDS = 5;
/** The unit of times in /proc/PID/stat: 1/100 s on Linux. */
const MS_PER_TICK = 10;

const [models = "", name = "", source = ""] = process.argv.slice(2);
const model = new ModelProcess({
  name,
  runner: resolve(import.meta.dirname, "../../dist/models/runner.js"),
  folder: resolve(models, name),
  runtime: resolve(runtimeFolder(models)),
  threads: 1,
  idleMs: 60_000,
  log: silent,
});

const textsOf = (length: number): string[] =>
  readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:ts|js|py|go|rs|java|c|rb)$/.test(path))
    .flatMap((path) => readFileSync(join(source, path), "utf8").match(/[^]{1,1024}/g) ?? [])
    .filter((text) => text.length === 1024)
    .map((text) => text.slice(0, length));

function processorMs(): number {
  const stat = readFileSync(`/proc/${model.pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

function megabytes(field: "VmRSS" | "VmHWM"): string {
  const status = readFileSync(`/proc/${model.pid}/status`, "utf8");
  const [, kilobytes = "0"] = new RegExp(`${field}:\\s+(\\d+)`).exec(status) ?? [];
  return `${Math.round(Number(kilobytes) / 1000)} MB`;
}

/** Processor milliseconds of all jobs. */
async function costOf(jobs: readonly Job[]): Promise<number> {
  const before = processorMs();
  for (const job of jobs) await model.ask(job, false, undefined);
  return processorMs() - before;
}

async function measureTexts(): Promise<void> {
  const jobs = textsOf(512)
    .slice(0, TEXTS)
    .map((text): Job => ({ text, dimensions: 0 }));
  const perText: number[] = [];
  for (let i = 0; i < ROUNDS; i++) perText.push((await costOf(jobs)) / jobs.length);
  const best = Math.min(...perText);
  console.log(
    `${jobs.length} texts of 512 characters: ${best.toFixed(1)} ms of processor time each`,
  );
  console.log(
    `  so ${(1000 / best).toFixed(0)} texts a second, and ${((best * 10_000) / 60_000).toFixed(1)} minutes for 10,000 (computed)`,
  );
}

const pairs: Job[] = textsOf(1024)
  .slice(0, CANDIDATES)
  .map((document) => ({ query: "where is a failed request tried again", document }));

for (const job of pairs.slice(0, 5)) await model.ask(job, false, undefined);
console.log(`loaded: ${processorMs()} ms of processor time with five pairs, ${megabytes("VmRSS")}`);
if (readModelManifest(resolve(models), name)?.kind !== "reranker") await measureTexts();
const ofPairs: number[] = [];
for (let i = 0; i < ROUNDS; i++) ofPairs.push(await costOf(pairs));
console.log(
  `${CANDIDATES} candidates of 1,024 characters: ${Math.min(...ofPairs)} ms of processor time`,
);
console.log(`memory: ${megabytes("VmRSS")}, at most ${megabytes("VmHWM")}`);
model.close();
