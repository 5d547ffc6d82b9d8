/** Measures latency while a very large tree is indexed, with continuous searches for some minutes. One JSON line. */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Status } from "../../server/contracts/session.ts";
import { lockHolder } from "../../server/daemon/lock.ts";
import { openEditor } from "../editor.ts";
import { ended } from "../evaluation/server.ts";
import { percentile, rounded } from "./statistics.ts";
import { generateTree } from "./tree.ts";
import { usageOf } from "./usage.ts";

const USAGE = `usage: node --import tsx scripts/bench/large.ts [--files N] [--minutes N]

  --files N    of the generated tree (default: 200000)
  --minutes N  how long it is watched (default: 6)`;

/** A person who asks all the time. */
const SEARCH_EVERY_MS = 250;
const ENGINE_IDLE_SECONDS = 1;

interface Report {
  readonly atMs: number;
  readonly percentage?: number;
  readonly message?: string;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      files: { type: "string", default: "200000" },
      minutes: { type: "string", default: "6" },
    },
  });
  const [files, minutes] = [Number(values.files), Number(values.minutes)];
  if (!(files > 0) || !(minutes > 0)) {
    console.error(USAGE);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-large-"));
  try {
    const [root, home] = [join(folder, "tree"), join(folder, "home")];
    for (const made of [root, home]) mkdirSync(made);
    generateTree(root, files);
    const { close, ...numbers } = await watchIndexing(root, home, minutes);
    console.log(JSON.stringify({ files, minutes, ...numbers }));
    await close();
    return 0;
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 3 });
  }
}

async function watchIndexing(root: string, home: string, minutes: number) {
  const capabilities = { window: { workDoneProgress: true } };
  const editor = await openEditor(root, home, ENGINE_IDLE_SECONDS, capabilities);
  const { connection, serverPid, startedAt, initializeMs } = editor;
  const reports: Report[] = [];
  connection.onRequest("window/workDoneProgress/create", () => null);
  connection.onNotification("$/progress", ({ value }: { value: Report }) => {
    reports.push({ ...value, atMs: performance.now() - startedAt });
  });
  const searchMs: number[] = [];
  let empty = 0;
  for (let n = 0; performance.now() - startedAt < minutes * 60_000; n++) {
    const start = performance.now();
    // Another question each time, so that none is answered from the cache.
    const query = `how is the balance of customer ${n} kept`;
    const { hits } = await connection.sendRequest<{ hits: unknown[] }>("cocosearch/search", {
      query,
    });
    searchMs.push(performance.now() - start);
    if (hits.length === 0) empty++;
    await delay(SEARCH_EVERY_MS);
  }
  const status = await connection.sendRequest<Status>("cocosearch/status", {});
  const { state, indexed, total } = status;
  const enginePid = lockHolder(join(home, "lock")) ?? 0;
  return {
    initializeMs: rounded(initializeMs),
    searches: searchMs.length,
    emptyAtFirst: empty,
    searchP50Ms: rounded(percentile(searchMs, 0.5)),
    searchP95Ms: rounded(percentile(searchMs, 0.95)),
    searchMaxMs: rounded(Math.max(...searchMs)),
    state,
    indexed,
    total,
    reports: reports.length,
    maxReportsPerSecond: maxPerSecond(reports.map(({ atMs }) => atMs)),
    lastReport: reports.at(-1),
    engineMb: usageOf(enginePid).memoryMb,
    serverMb: usageOf(serverPid).memoryMb,
    close: async () => {
      await editor.close();
      await ended(enginePid);
    },
  };
}

function maxPerSecond(times: readonly number[]): number {
  return Math.max(0, ...times.map((at) => times.filter((t) => t >= at && t < at + 1_000).length));
}

process.exitCode = await main();
