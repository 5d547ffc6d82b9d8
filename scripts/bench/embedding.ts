/**
 * Measures the built-in model in one thread: loading time, throughput, time per query, and memory with several threads.
 *
 * usage: node --import tsx scripts/bench/embedding.ts DIR
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { StaticEmbedder } from "../../server/embedding/static-embedder.ts";

const CODE = /\.(?:py|go|rb|rs|java|ts|js|c|h|cc|cpp|kt|cs|hs|scala|swift)$/;
/** Units of text a chunk, as the server cuts them. */
const CHUNK = 1000;
const MAX_BYTES = 30e6;
const ROUNDS = 5;
const QUERIES = 20_000;
const THREADS = 4;

function chunksIn(root: string): { path: string; text: string; names: string[] }[] {
  const chunks = [];
  let size = 0;
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (!CODE.test(path) || size > MAX_BYTES) continue;
    const text = readFileSync(join(root, path), "utf8");
    size += text.length;
    for (let at = 0; at < text.length; at += CHUNK) {
      chunks.push({ path, text: text.slice(at, at + CHUNK), names: ["Session.refresh_token"] });
    }
  }
  return chunks;
}

/** The fastest of some rounds, in milliseconds: what else the machine does only makes it slower. */
function fastest(rounds: number, run: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

/** The memory of the tables in all threads together, in MB. */
async function sharedMemory(): Promise<number> {
  const table = loadEmbeddingModel();
  const before = process.memoryUsage().rss;
  const code = `const { workerData, parentPort } = require("node:worker_threads");
    let sum = 0;
    for (const value of workerData.rows) sum += value;
    parentPort.postMessage(sum);
    parentPort.once("message", () => {});`;
  const workers = Array.from(
    { length: THREADS },
    () => new Worker(code, { eval: true, workerData: table }),
  );
  await Promise.all(
    workers.map((worker) => new Promise((resolve) => worker.once("message", resolve))),
  );
  const after = process.memoryUsage().rss;
  await Promise.all(workers.map((worker) => worker.terminate()));
  console.log(
    `table ${((table.rows.byteLength + table.scales.byteLength) / 1e6).toFixed(1)} MB, shared`,
  );
  return (after - before) / THREADS / 1e6;
}

async function main([root = "."]: readonly string[]): Promise<void> {
  const chunks = chunksIn(root);
  const bytes = chunks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const load = fastest(ROUNDS, () => void loadEmbeddingModel());
  const bag = new StaticEmbedder(loadEmbeddingModel());
  const embed = fastest(ROUNDS, () => {
    for (const chunk of chunks) bag.document(chunk);
  });
  const query = fastest(ROUNDS, () => {
    for (let i = 0; i < QUERIES; i++) bag.query(`where are auth tokens refreshed for request ${i}`);
  });
  console.log(`load ${load.toFixed(0)} ms`);
  console.log(`embed ${(bytes / 1e3 / embed).toFixed(1)} MB/s over ${chunks.length} chunks`);
  console.log(`query ${((query * 1e3) / QUERIES).toFixed(1)} us`);
  console.log(`a thread more takes ${(await sharedMemory()).toFixed(1)} MB with its own heap`);
}

await main(process.argv.slice(2));
