/** Measures the processor time of an idle server and its engine. One JSON line on stdout. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openEditor } from "../editor.ts";
import { ended, indexed } from "../evaluation/server.ts";
import { usageOf } from "./usage.ts";

const USAGE =
  "usage: node --import tsx scripts/bench/idle.ts --root DIR [--minutes N]   (default: 10)";

/** Garbage of indexing and threads that have not ended yet do not belong to the cost of being idle. */
const SETTLE_MS = 60_000;
const ENGINE_IDLE_SECONDS = 1;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { root: { type: "string" }, minutes: { type: "string", default: "10" } },
  });
  const minutes = Number(values.minutes);
  if (values.root === undefined || !(minutes > 0)) {
    console.error(USAGE);
    return 2;
  }
  const root = resolve(values.root);
  const home = mkdtempSync(join(tmpdir(), "cocosearch-idle-"));
  try {
    const { connection, serverPid, close } = await openEditor(root, home, ENGINE_IDLE_SECONDS);
    const { engine, indexes } = await indexed(connection, root);
    await delay(SETTLE_MS);
    const spent = () => [serverPid, engine.pid].map((pid) => usageOf(pid).cpuMs ?? Number.NaN);
    const before = spent();
    await delay(minutes * 60_000);
    const [serverMs = 0, engineMs = 0] = spent().map((ms, i) => ms - (before[i] ?? 0));
    const percent = (ms: number) => Number(((100 * ms) / (minutes * 60_000)).toFixed(4));
    console.log(
      JSON.stringify({
        root,
        minutes,
        files: indexes[0]?.files,
        chunks: indexes[0]?.chunks,
        serverMs,
        engineMs,
        serverPercent: percent(serverMs),
        enginePercent: percent(engineMs),
        bothPercent: percent(serverMs + engineMs),
      }),
    );
    await close();
    await ended(engine.pid);
    return 0;
  } finally {
    rmSync(home, { recursive: true });
  }
}

process.exitCode = await main();
