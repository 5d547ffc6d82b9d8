/** Measures the latency of `workspace/symbol` while names are typed letter by letter, on an index that is kept. One line per folder. */

import { resolve } from "node:path";
import { WorkspaceSymbolRequest } from "vscode-languageserver/node";
import { folderOptions } from "../evaluation/folder-options.ts";
import { createRandom, shuffled } from "../evaluation/random.ts";
import { startServer } from "../evaluation/server.ts";
import { classesIn, sourceLines } from "../typed/draw.ts";
import { whenQuiet } from "./asking.ts";
import { percentile } from "./statistics.ts";

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
    const times: number[] = [];
    for (const { text } of names) {
      for (let letters = FIRST_LETTERS; letters <= text.length; letters++) {
        const start = performance.now();
        await connection.sendRequest(WorkspaceSymbolRequest.type, {
          query: text.slice(0, letters),
        });
        times.push(performance.now() - start);
      }
    }
    const at = (share: number) => percentile(times, share).toFixed(1);
    console.log(
      `${folder}: ${times.length} key strokes, p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p95 ${at(0.95)} ms`,
    );
    await stop();
  }
  return 0;
}

process.exitCode = await main();
