/** Measures the answers of a server during the checkout of another revision of a real repository. One JSON line. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { ProtocolConnection } from "vscode-languageserver/node";
import type { Status } from "../../server/contracts/session.ts";
import { MAIN, openEditor } from "../editor.ts";
import { ended, indexed } from "../evaluation/server.ts";
import { QUESTIONS } from "./questions.ts";
import { percentile, rounded } from "./statistics.ts";

const USAGE = `usage: node --import tsx scripts/bench/checkout.ts --repository DIR --from REV --to REV [--program FILE]

  --repository DIR  a git repository, which is only read
  --from REV        the revision that is indexed first
  --to REV          the revision that is then checked out
  --program FILE    the dist/main.js to measure (default: this checkout's)`;

const ENGINE_IDLE_SECONDS = 1;
/** As an editor that shows the state, and a person who asks all the time. */
const STATUS_EVERY_MS = 50;
const QUESTION_EVERY_MS = 250;
/** The checkout counts as done after the state was "ready" for this long, because its changes arrive in waves. */
const SETTLED_MS = 3_000;
/** On a busy machine the first change is noticed late. */
const MAX_UNNOTICED_MS = 30_000;
const MAX_WAIT_MS = 300_000;

interface Seen {
  readonly atMs: number;
  readonly tookMs: number;
  readonly status: Status;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      repository: { type: "string" },
      from: { type: "string" },
      to: { type: "string" },
      program: { type: "string", default: MAIN },
    },
  });
  const { repository, program } = values;
  if (repository === undefined || values.from === undefined || values.to === undefined) {
    console.error(USAGE);
    return 2;
  }
  // As hashes: HEAD is another commit after the first checkout.
  const from = revisionOf(repository, values.from);
  const to = revisionOf(repository, values.to);
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-checkout-"));
  try {
    const [root, home] = [join(folder, "repository"), join(folder, "home")];
    mkdirSync(home);
    execFileSync("git", ["clone", "-q", "--shared", "--no-checkout", repository, root]);
    checkOut(root, from);
    const editor = await openEditor(root, home, ENGINE_IDLE_SECONDS, {}, program);
    const { connection } = editor;
    const { engine } = await indexed(connection, root);
    const files = changedFiles(root, from, to);
    const start = performance.now();
    checkOut(root, to);
    const [seen, searchMs] = await watch(connection, start);
    const { engine: after } = await indexed(connection, root);
    console.log(JSON.stringify({ files, ...summary(seen, searchMs), eventLoop: after.eventLoop }));
    await editor.close();
    await ended(engine.pid);
    return 0;
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 3 });
  }
}

/** Asks for the state and other questions at the same time until nothing happens any more. */
async function watch(
  connection: ProtocolConnection,
  start: number,
): Promise<readonly [readonly Seen[], readonly number[]]> {
  const seen: Seen[] = [];
  const searchMs: number[] = [];
  let isOver = false;
  const asking = (async () => {
    for (let n = 0; !isOver; n++) {
      const asked = performance.now();
      // Another question each time, so that none is answered from the cache.
      const query = `${QUESTIONS[n % QUESTIONS.length] ?? ""} ${n}`;
      await connection.sendRequest("cocosearch/search", { query });
      searchMs.push(performance.now() - asked);
      await delay(QUESTION_EVERY_MS);
    }
  })();
  let isNoticed = false;
  for (let busyAt = start; ; await delay(STATUS_EVERY_MS)) {
    const asked = performance.now();
    const status = await connection.sendRequest<Status>("cocosearch/status", {});
    const now = performance.now();
    seen.push({ atMs: now - start, tookMs: now - asked, status });
    if (status.state !== "ready") [busyAt, isNoticed] = [now, true];
    const quietMs = isNoticed ? SETTLED_MS : MAX_UNNOTICED_MS;
    if (now - busyAt > quietMs || now - start > MAX_WAIT_MS) break;
  }
  isOver = true;
  await asking;
  return [seen, searchMs];
}

function summary(seen: readonly Seen[], searchMs: readonly number[]) {
  const busy = seen.filter(({ status }) => status.state === "indexing");
  const tookMs = seen.map((each) => each.tookMs);
  const steps = busy.slice(1).map((each, i) => [busy[i] as Seen, each] as const);
  const backward = (of: (status: Status) => number) =>
    steps.filter(([before, after]) => of(after.status) < of(before.status)).length;
  return {
    busyMs: rounded(busy.at(-1)?.atMs ?? 0),
    statusAnswers: seen.length,
    statusP50Ms: rounded(percentile(tookMs, 0.5)),
    statusP95Ms: rounded(percentile(tookMs, 0.95)),
    statusMaxMs: rounded(Math.max(...tookMs)),
    searches: searchMs.length,
    searchP50Ms: rounded(percentile(searchMs, 0.5)),
    searchP95Ms: rounded(percentile(searchMs, 0.95)),
    searchMaxMs: rounded(Math.max(...searchMs)),
    /** Answers that know nothing, and steps backward between two answers of one pass. */
    withoutCounts: busy.filter(({ status }) => status.total === 0).length,
    totalWentBack: backward(({ total }) => total),
    indexedWentBack: backward(({ indexed: done }) => done),
    becameIndexing: changesTo(seen, "indexing"),
  };
}

/** How often the state was shown to become this one. */
function changesTo(seen: readonly Seen[], state: Status["state"]): number {
  return seen.filter(
    ({ status }, i) => status.state === state && seen[i - 1]?.status.state !== state,
  ).length;
}

function checkOut(root: string, revision: string): void {
  execFileSync("git", ["-C", root, "checkout", "-q", "--detach", revision]);
}

function revisionOf(repository: string, name: string): string {
  return execFileSync("git", ["-C", repository, "rev-parse", `${name}^{commit}`], {
    encoding: "utf8",
  }).trim();
}

function changedFiles(root: string, from: string, to: string): number {
  const names = execFileSync("git", ["-C", root, "diff", "--name-only", from, to], {
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  return names.split("\n").filter((name) => name !== "").length;
}

process.exitCode = await main();
