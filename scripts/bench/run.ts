/** One run: a fresh home, a cold start, indexing, questions, a second window, a restart. */

import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ProtocolConnection } from "vscode-languageserver/node";
import { type Editor, openEditor } from "../editor.ts";
import { ended } from "../evaluation/server.ts";
import {
  ENGINE_IDLE_SECONDS,
  isSettled,
  POLL_MS,
  search,
  statusOf,
  whenSettled,
} from "./asking.ts";
import { FIRST_QUESTION, QUESTIONS } from "./questions.ts";
import { freshSession } from "./session.ts";
import { type Numbers, percentile } from "./statistics.ts";
import { usageOf } from "./usage.ts";
import { indexOnWarmEngine } from "./warm-index.ts";

/** The engine's log line at the end of a pass; times are sums over concurrent work. */
interface Pass {
  readonly message: string;
  readonly files: number;
  readonly read: number;
  readonly chunks: number;
  readonly bytes: number;
  readonly discoverMs: number;
  readonly prepareMs: number;
  readonly embedMs: number;
  readonly storeMs: number;
  readonly lanesMs: number;
  readonly wallMs: number;
}

/** Asked while everything is indexed once more: enough for a 95th percentile of a minute. */
const QUESTION_EVERY_MS = 100;
/** Of the ten that a small repository's pass has time for, the 95th percentile is the slowest. */
const STATUS_PER_QUESTION = 5;

/** `program` is the built main.js of this checkout or of another revision. */
export async function benchOnce(root: string, program: string): Promise<Numbers> {
  const home = mkdtempSync(join(tmpdir(), "cocosearch-bench-"));
  try {
    const editor = await openEditor(root, home, ENGINE_IDLE_SECONDS, {}, program);
    const started = await waitForIndex(editor);
    const asked = await ask(editor.connection);
    const second = await firstAnswer(root, home, program);
    const wholeProcessMs = wholeProcess(root, home, program);
    const server = usageOf(editor.serverPid);
    const engine = usageOf(started.enginePid);
    const pass = passNumbers(home);
    const busy = await askWhileIndexing(editor.connection);
    await editor.close();
    await ended(started.enginePid);
    const diskMb = diskMbOf(home);
    const restarted = await firstAnswer(root, home, program);
    await ended(restarted.enginePid);
    const session = await freshSession(root, home, program);
    const warm = await indexOnWarmEngine(root, program, (pass["sourceMb"] ?? Number.NaN) * 1e6);
    return {
      initializeMs: editor.initializeMs,
      searchableMs: started.searchableMs,
      settledMs: started.settledMs,
      storedMb: started.storedBytes / 1e6,
      indexCpuMs: started.cpuMs,
      indexCpuPerMbMs: perUnit(started.cpuMs, pass["sourceMb"]),
      ...pass,
      ...warm,
      ...asked,
      ...session,
      ...busy,
      wholeProcessMs,
      secondWindowMs: second.ms,
      restartMs: restarted.ms,
      restartReadyMs: restarted.readyMs,
      restartRead: lastPass(home)?.read,
      diskMb,
      diskPerSource: perUnit(diskMb, pass["sourceMb"]),
      serverMb: server.memoryMb,
      serverPeakMb: server.peakMb,
      engineMb: engine.memoryMb,
      enginePeakMb: engine.peakMb,
      engineKbPerChunk: perUnit((engine.memoryMb ?? Number.NaN) * 1_000, pass["chunks"]),
    };
  } finally {
    rmSync(home, { recursive: true });
  }
}

interface Started {
  readonly enginePid: number;
  readonly searchableMs: number;
  readonly settledMs: number;
  readonly storedBytes: number;
  /** Of the engine until then: unlike the times, it hardly depends on what else the machine does. */
  readonly cpuMs: number | undefined;
}

/** Times are from the start of the server's process, which found nothing: no engine, no database, no index. */
async function waitForIndex({ connection, startedAt }: Editor): Promise<Started> {
  let searchableMs: number | undefined;
  for (;;) {
    if (searchableMs === undefined && (await search(connection, FIRST_QUESTION)).hits.length > 0) {
      searchableMs = performance.now() - startedAt;
    }
    const status = await statusOf(connection);
    if (isSettled(status) && searchableMs !== undefined) {
      const settledMs = performance.now() - startedAt;
      const storedBytes = status.indexes.reduce((sum, { bytes }) => sum + bytes, 0);
      const { pid: enginePid } = status.engine;
      const { cpuMs } = usageOf(enginePid);
      return { enginePid, searchableMs, settledMs, storedBytes, cpuMs };
    }
    await delay(POLL_MS);
  }
}

/** Questions over the protocol, one after the other, and the names that were found as symbols. */
async function ask(connection: ProtocolConnection): Promise<Numbers> {
  const searchMs: number[] = [];
  const names = new Set<string>();
  let cached = 0;
  for (const question of QUESTIONS) {
    const start = performance.now();
    const { hits, cache } = await search(connection, question);
    searchMs.push(performance.now() - start);
    if (cache !== "miss") cached++;
    for (const { symbol } of hits) if (symbol !== undefined) names.add(symbol.name);
  }
  const symbolMs: number[] = [];
  for (const query of [...names].slice(0, QUESTIONS.length)) {
    const start = performance.now();
    await connection.sendRequest("workspace/symbol", { query });
    symbolMs.push(performance.now() - start);
  }
  return {
    searchP50Ms: percentile(searchMs, 0.5),
    searchP95Ms: percentile(searchMs, 0.95),
    symbolP50Ms: percentile(symbolMs, 0.5),
    symbolP95Ms: percentile(symbolMs, 0.95),
    fromCache: cached,
  };
}

/** Everything is indexed once more; questions and the state are asked for meanwhile. */
async function askWhileIndexing(connection: ProtocolConnection): Promise<Numbers> {
  const searchMs: number[] = [];
  const statusMs: number[] = [];
  const timed = async <T>(times: number[], run: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const answer = await run();
    times.push(performance.now() - start);
    return answer;
  };
  await connection.sendRequest("cocosearch/reindex", { full: true });
  let hasBegun = false;
  for (let n = 0; ; n++) {
    const query = `${QUESTIONS[n % QUESTIONS.length] ?? ""} ${n}`;
    await timed(searchMs, () => search(connection, query));
    for (let asked = 0; asked < STATUS_PER_QUESTION; asked++) {
      const status = await timed(statusMs, () => statusOf(connection));
      hasBegun ||= status.state === "indexing";
      if (hasBegun && isSettled(status)) {
        const { eventLoop } = status.engine;
        return {
          busySearchP50Ms: percentile(searchMs, 0.5),
          busySearchP95Ms: percentile(searchMs, 0.95),
          busyStatusP95Ms: percentile(statusMs, 0.95),
          eventLoopP99Ms: eventLoop?.p99Ms,
          eventLoopMaxMs: eventLoop?.maxMs,
        };
      }
      await delay(QUESTION_EVERY_MS / STATUS_PER_QUESTION);
    }
  }
}

/** One search as a command, with everything that its process loads; the engine is warm. */
function wholeProcess(root: string, home: string, program: string): number {
  const start = performance.now();
  execFileSync(process.execPath, [program, "search", "--root", root, FIRST_QUESTION], {
    env: { ...process.env, COCOSEARCH_HOME: home },
    stdio: "ignore",
  });
  return performance.now() - start;
}

function perUnit(amount: number | undefined, units: number | undefined): number | undefined {
  return amount === undefined || units === undefined ? undefined : amount / units;
}

/** Bytes of the home, including the initially empty database. */
function diskMbOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const blocks = files.map((file) => lstatSync(join(folder, file)).blocks);
  return (blocks.reduce((sum, each) => sum + each, 0) * BYTES_PER_BLOCK) / 1e6;
}

/** Of stat(2). */
const BYTES_PER_BLOCK = 512;

/** From the start of another server's process until it has answered a question, and until nothing is left to do. */
async function firstAnswer(
  root: string,
  home: string,
  program: string,
): Promise<{ ms: number; readyMs: number; enginePid: number }> {
  const editor = await openEditor(root, home, ENGINE_IDLE_SECONDS, {}, program);
  const { connection, startedAt, close } = editor;
  while ((await search(connection, FIRST_QUESTION)).hits.length === 0) await delay(POLL_MS);
  const ms = performance.now() - startedAt;
  const status = await whenSettled(connection);
  const readyMs = performance.now() - startedAt;
  await close();
  return { ms, readyMs, enginePid: status.engine.pid };
}

/** The figures of the first pass, which is the pass that read the most files. */
function passNumbers(home: string): Numbers {
  const [pass] = passesOf(home).toSorted((a, b) => b.bytes - a.bytes);
  if (pass === undefined) return {};
  const { files, chunks, bytes, discoverMs, prepareMs, embedMs, storeMs, lanesMs, wallMs } = pass;
  return {
    files,
    chunks,
    sourceMb: bytes / 1e6,
    indexMs: wallMs,
    mbPerSecond: bytes / 1e3 / wallMs,
    rowsPerSecond: (chunks / wallMs) * 1000,
    discoverMs,
    prepareMs,
    embedMs,
    storeMs,
    lanesMs,
  };
}

function passesOf(home: string): Pass[] {
  return readFileSync(join(home, "engine.log"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Pass)
    .filter(({ message }) => message === "indexed");
}

function lastPass(home: string): Pass | undefined {
  return passesOf(home).at(-1);
}
