/** Measures latency while workspaces are indexed that are built to slow the indexer. One JSON line. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { ProtocolConnection } from "vscode-languageserver/node";
import type { Status } from "../../server/contracts/session.ts";
import { openEditor } from "../editor.ts";
import { ended } from "../evaluation/server.ts";
import { percentile, rounded } from "./statistics.ts";
import { generateTree } from "./tree.ts";

const USAGE = `usage: node --import tsx scripts/bench/hostile.ts [--seconds N] [--roots N] [--plain]

  --seconds N  how long it is watched (default: 60)
  --roots N    folders that are opened at once (default: 10)
  --plain      only ordinary folders`;

/** The most that a workspace's own settings may ask for: 8,500 chunks of each file. */
const SETTINGS = `indexing:
  chunkSize: 400
  chunkOverlap: 300
  chunkStrategy: sliding
  maxFileBytes: 850000
`;
const LARGE_FILES = 16;
const LARGE_BYTES = 840_000;
const FILES_PER_ROOT = 400;
const STATUS_EVERY_MS = 50;
const SEARCH_EVERY_MS = 100;
const ENGINE_IDLE_SECONDS = 1;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "60" },
      roots: { type: "string", default: "10" },
      plain: { type: "boolean", default: false },
    },
  });
  const [seconds, count] = [Number(values.seconds), Number(values.roots)];
  if (!(seconds > 0) || !(count > 0)) {
    console.error(USAGE);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-hostile-"));
  try {
    const roots = Array.from({ length: count }, (_, i) => join(folder, `root${i}`));
    roots.forEach((root, i) => {
      mkdirSync(root);
      if (i === 0 && !values.plain) makeHostile(root);
      else generateTree(root, FILES_PER_ROOT);
    });
    console.log(
      JSON.stringify({ roots: count, ...(await watch(roots, join(folder, "home"), seconds)) }),
    );
    return 0;
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 3 });
  }
}

/** Prose, code and one endless line, each as large as it may be. */
function makeHostile(root: string): void {
  writeFileSync(join(root, "cocosearch.yaml"), SETTINGS);
  for (let i = 0; i < LARGE_FILES; i++) {
    const text = Array.from({ length: LARGE_BYTES / 40 }, (_, n) =>
      i % 2 === 0
        ? `def handle_${i}_${n}(entry): return entry + ${n}`
        : `word${n} of balance ${n * 7} for customer`,
    );
    const isOneLine = i === LARGE_FILES - 1;
    writeFileSync(
      join(root, `large${i}.${i % 2 === 0 ? "py" : "txt"}`),
      text.join(isOneLine ? " " : "\n").slice(0, LARGE_BYTES),
    );
  }
}

async function watch(roots: readonly string[], home: string, seconds: number) {
  mkdirSync(home);
  const [first = "", ...others] = roots;
  const { connection, close } = await openEditor(first, home, ENGINE_IDLE_SECONDS);
  await connection.sendNotification("workspace/didChangeWorkspaceFolders", {
    event: {
      added: others.map((root) => ({ uri: pathToFileURL(root).href, name: root })),
      removed: [],
    },
  });
  const until = performance.now() + seconds * 1_000;
  const [statusMs, searchMs] = await Promise.all([
    askAgain(until, STATUS_EVERY_MS, () => connection.sendRequest("cocosearch/status", {})),
    askAgain(until, SEARCH_EVERY_MS, (n) => search(connection, n)),
  ]);
  const status = await connection.sendRequest<Status>("cocosearch/status", {});
  await close();
  await ended(status.engine.pid);
  const { state, indexed, total, indexes, engine } = status;
  return {
    seconds,
    status: summary(statusMs),
    search: summary(searchMs),
    state,
    indexed,
    total,
    chunks: indexes.reduce((sum, { chunks }) => sum + chunks, 0),
    engineMb: rounded(engine.memoryBytes / 1e6),
    eventLoop: engine.eventLoop,
  };
}

/** Another question each time, so that none is answered from the cache. */
function search(connection: ProtocolConnection, n: number): Promise<unknown> {
  const query = `how is the balance of customer ${n} kept`;
  return connection.sendRequest("cocosearch/search", { query });
}

async function askAgain(
  until: number,
  everyMs: number,
  ask: (n: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; performance.now() < until; n++) {
    const start = performance.now();
    await ask(n);
    times.push(performance.now() - start);
    await delay(everyMs);
  }
  return times;
}

function summary(times: readonly number[]) {
  return {
    answers: times.length,
    p50Ms: rounded(percentile(times, 0.5)),
    p95Ms: rounded(percentile(times, 0.95)),
    maxMs: rounded(Math.max(...times)),
  };
}

process.exitCode = await main();
