/**
 * Measures `workspace/symbol` while names are typed letter by letter, on an index that is kept: the latency, and the processor
 * time of the engine, which says something on a busy machine too. Two lines per folder: names half typed, and whole.
 */

import { resolve } from "node:path";
import { WorkspaceSymbolRequest } from "vscode-languageserver/node";
import { folderOptions } from "../evaluation/folder-options.ts";
import { createRandom, shuffled } from "../evaluation/random.ts";
import { startServer } from "../evaluation/server.ts";
import { classesIn, sourceLines } from "../typed/draw.ts";
import { whenQuiet } from "./asking.ts";
import { percentile } from "./statistics.ts";
import { usageOf } from "./usage.ts";

const USAGE =
  "usage: node --import tsx scripts/bench/key-strokes.ts FOLDER... --home DIR [--count NAMES]";

/** Editors ask from the second or third letter on. */
const FIRST_LETTERS = 3;

async function main(): Promise<number> {
  const options = folderOptions(USAGE, 60);
  if (options === undefined) return 2;
  const { folders, home, count } = options;
  for (const folder of folders) {
    const root = resolve(folder);
    const { connection, enginePid, stop } = await startServer(root, home);
    await whenQuiet(enginePid);
    const names = shuffled(classesIn(sourceLines(root)), createRandom(7)).slice(0, count);
    const typed = names.flatMap(({ text }) =>
      Array.from({ length: text.length - FIRST_LETTERS }, (_, i) =>
        text.slice(0, FIRST_LETTERS + i),
      ),
    );
    const ask = async (query: string) => {
      await connection.sendRequest(WorkspaceSymbolRequest.type, { query });
    };
    console.log(`${folder}, half typed: ${await measure(typed, ask, enginePid)}`);
    const whole = names.map(({ text }) => text);
    console.log(`${folder}, whole names: ${await measure(whole, ask, enginePid)}`);
    await stop();
  }
  return 0;
}

async function measure(
  queries: readonly string[],
  ask: (query: string) => Promise<void>,
  enginePid: number,
): Promise<string> {
  const times: number[] = [];
  const before = usageOf(enginePid).cpuMs ?? NaN;
  for (const query of queries) {
    const start = performance.now();
    await ask(query);
    times.push(performance.now() - start);
  }
  const used = ((usageOf(enginePid).cpuMs ?? NaN) - before) / queries.length;
  const at = (share: number) => percentile(times, share).toFixed(1);
  return `${queries.length} key strokes, p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p95 ${at(0.95)} ms, processor ${used.toFixed(1)} ms each`;
}

process.exitCode = await main();
