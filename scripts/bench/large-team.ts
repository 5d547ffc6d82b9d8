/**
 * Measures searches of a published index whose lanes are in its database: sizes, the recall of the vector lane, the time of searches by
 * several members, of one with a filter, and the memory of a member's engine. Only reads. Linux; processor time of the server is
 * measured where it runs on this machine.
 *
 * usage: npm run build && node --import tsx scripts/bench/large-team.ts NAME --database URL [--paths GLOB] [--questions 200] [--clients 1,4,16] [--searches 20] [--seed 1]
 *
 *   NAME             the published index, as for search --index
 *   --database URL   the team's database, as a user who may read it
 *   --paths GLOB     a filter
 *   --questions N    sentences, messages and names of random chunks, for the recall
 *   --searches N     of each member
 */

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { trySystemCallSync } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import type { PublishedIndex } from "../../server/contracts/published.ts";
import type { Session } from "../../server/contracts/session.ts";
import { createBuiltinEmbedder } from "../../server/embedding/builtin.ts";
import { loadEmbeddingModel } from "../../server/embedding/embedding-model.ts";
import { tablesOf } from "../../server/store/names.ts";
import { openTeam } from "../../server/store/team.ts";
import { createRandom } from "../evaluation/random.ts";
import { ended, openSession } from "../evaluation/server.ts";
import { scriptOptions, usageIn } from "../script-options.ts";
import { PATTERNS } from "../team/questions.ts";
import { percentile } from "./statistics.ts";
import { type Usage, usageOf } from "./usage.ts";

const NEAREST = 10;
/** Random chunks per question: not every chunk has a sentence. */
const CHUNKS_PER_QUESTION = 12;

const { values, positionals } = scriptOptions(usageIn(import.meta.filename), {
  allowPositionals: true,
  options: {
    database: { type: "string" },
    paths: { type: "string" },
    questions: { type: "string", default: "200" },
    clients: { type: "string", default: "1,4,16" },
    searches: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
  },
});
const [name = ""] = positionals;
const { database = "", paths } = values;
if (name === "" || database === "") {
  console.error(usageIn(import.meta.filename));
  process.exit(2);
}
const random = createRandom(Number(values.seed));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-large-team-")));
const client = new Client({ connectionString: database });

try {
  await client.connect();
  await main();
} finally {
  await client.end();
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const index = await findIndex();
  await showSizes(index);
  const questions = await drawQuestions(index, Number(values.questions));
  const members: Member[] = [];
  try {
    for (const count of values.clients.split(",").map(Number)) {
      while (members.length < count) members.push(await startMember(members.length));
      await searchAtOnce(members.slice(0, count), questions);
      if (members.length === 1 && paths !== undefined)
        await searchAtOnce(members, questions, [paths]);
    }
  } finally {
    for (const member of members) await stop(member);
  }
  await showRecall(index, questions);
}

async function rows<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  return (await client.query(sql, [...parameters])).rows as Row[];
}

async function findIndex(): Promise<PublishedIndex> {
  const team = await openTeam({ url: database, log: silent });
  const found = (await team.listPublished()).find(({ repository }) =>
    `/${repository}`.endsWith(`/${name}`),
  );
  await team.close();
  if (found === undefined) throw new Error(`${name} is not published`);
  console.log(`${found.files} files, ${found.chunks} chunks`);
  return found;
}

async function showSizes({ index, publisher, chunks }: PublishedIndex): Promise<void> {
  const { lanes, ...tables } = tablesOf(index, publisher);
  const own = [tables.chunks, tables.vectors, tables.files, tables.parseResults, tables.words];
  const size = async (names: readonly string[], measure: string) => {
    const [found] = await rows<{ bytes: string }>(
      `select sum(${measure}(name::regclass))::text as bytes from unnest($1::text[]) as name`,
      [names],
    );
    return Number(found?.bytes ?? 0);
  };
  const graph = await size([lanes.graph], "pg_relation_size");
  const ofRows = (await size(own, "pg_total_relation_size")) - graph;
  const ofLanes = await size([lanes.chunks, lanes.names, lanes.terms], "pg_total_relation_size");
  for (const [what, bytes] of Object.entries({ rows: ofRows, lanes: ofLanes, graph })) {
    console.log(
      `${what}: ${(bytes / 1e6).toFixed(0)} MB, ${Math.round(bytes / chunks)} bytes per chunk`,
    );
  }
}

/** A sentence, a message or a name from each of some random chunks. */
async function drawQuestions({ index, publisher }: PublishedIndex, count: number) {
  const { lanes, chunks } = tablesOf(index, publisher);
  const [last] = await rows<{ id: number }>(`select max(id) as id from ${lanes.chunks}`);
  const ids = Array.from({ length: count * CHUNKS_PER_QUESTION }, () =>
    Math.floor(random() * (last?.id ?? 0)),
  );
  const found = await rows<{ text: string }>(
    `select content_text as text from ${lanes.chunks} lanes
     join ${chunks} chunks using (filename, location) where lanes.id = any ($1::int[]) order by lanes.id`,
    [ids],
  );
  const questions = new Set<string>();
  const patterns = [PATTERNS.sentences, PATTERNS.messages, PATTERNS.names];
  for (const { text } of found) {
    if (questions.size === count) break;
    const pattern = patterns[questions.size % patterns.length] ?? PATTERNS.names;
    const [match] = text.matchAll(pattern);
    const question = match?.[1] ?? match?.[2];
    if (question !== undefined) questions.add(question);
  }
  return [...questions];
}

/** An engine of its own, and a session in it. */
interface Member {
  readonly session: Session;
  readonly pid: number;
}

async function startMember(number: number): Promise<Member> {
  const session = openSession(join(folder, `member-${number}`));
  await session.configure({ "team.url": database });
  const { pid } = (await session.status()).engine;
  const before = memoryOf(pid);
  const [start, processorStart] = [performance.now(), processorOf([pid])];
  for (let searches = 1; ; searches++) {
    const { warnings } = await session
      .search({ query: "open a file", indexes: [name] })
      .catch((error: Error) => ({ warnings: [error.message] }));
    const seconds = (performance.now() - start) / 1000;
    if (warnings.length === 0) {
      console.log(
        `member ${number + 1}: first answer after ${seconds.toFixed(1)} s, ${(processorOf([pid]) - processorStart).toFixed(1)} s of processor time, search ${searches}; memory ${before} MB before, ${memoryOf(pid)} MB after`,
      );
      return { session, pid };
    }
    console.log(`member ${number + 1}: ${seconds.toFixed(1)} s: ${warnings.join("; ")}`);
    await delay(1000);
  }
}

async function stop({ session, pid }: Member): Promise<void> {
  await session.dispose();
  process.kill(pid);
  await ended(pid);
}

async function searchAtOnce(
  members: readonly Member[],
  questions: readonly string[],
  own?: string[],
): Promise<void> {
  const pids = members.map(({ pid }) => pid);
  const servers = await serverPids();
  const before = [processorOf(pids), processorOf(servers)] as const;
  const start = performance.now();
  const times: number[] = [];
  const left: string[] = [];
  await Promise.all(
    members.map(async ({ session }) => {
      for (let i = 0; i < Number(values.searches); i++) {
        const query = questions[Math.floor(random() * questions.length)] ?? "";
        const from = performance.now();
        const request = { query, indexes: [name], includeText: true };
        const { warnings } = await session.search(own ? { ...request, paths: own } : request);
        times.push(performance.now() - from);
        left.push(...warnings.filter((warning) => warning.includes("left out")));
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const at = (share: number) => Math.round(percentile(times, share));
  const each = (after: number, from: number) => ((after - from) / times.length).toFixed(2);
  console.log(
    `${members.length} members${own === undefined ? "" : ` with ${own.join()}`}: ${times.length} searches in ${seconds.toFixed(0)} s, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, ` +
      `processor time per search ${each(processorOf(pids), before[0])} s of the member, ${each(processorOf(await serverPids()), before[1])} s of the server; ` +
      `memory ${pids.map(memoryOf).join()} MB; left out ${left.length}: ${[...new Set(left)].join()}`,
  );
}

/** The processes of the server that answer members. */
async function serverPids(): Promise<number[]> {
  const found = await rows<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and application_name = 'cocosearch-lsp'",
  );
  return found.map(({ pid }) => pid);
}

/** Nothing for a process that ended, or that runs on another machine. */
function usageIfHere(pid: number): Partial<Usage> {
  return trySystemCallSync(() => usageOf(pid)) ?? {};
}

/** Seconds of processor time. */
function processorOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (usageIfHere(pid).cpuMs ?? 0) / 1000, 0);
}

/** Resident memory in megabytes. */
function memoryOf(pid: number): number {
  return Math.round(usageIfHere(pid).memoryMb ?? 0);
}

/** The share of the ten nearest vectors that the graph finds, by the statement of a search and by comparing with all. */
async function showRecall(
  { index, dimension }: PublishedIndex,
  questions: readonly string[],
): Promise<void> {
  const embedder = createBuiltinEmbedder(loadEmbeddingModel());
  const team = await openTeam({ url: database, log: silent });
  const laneRows = (await team.store.find(index))?.laneRows;
  if (laneRows === undefined) throw new Error(`${name} has no lanes in its database`);
  let [found, wanted, perfect] = [0, 0, 0];
  for (const [i, question] of questions.entries()) {
    const query = await embedder.embedQuery(question, new AbortController().signal);
    if (query.length !== dimension) throw new Error("it has vectors of another model");
    const nearest = async (isExact: boolean) =>
      await laneRows.nearest({ query, filter: undefined, limit: NEAREST, isExact });
    const [near, exact] = [await nearest(false), await nearest(true)];
    const known = new Set(near.map(({ chunk }) => chunk));
    // Chunks with the same text are equally near.
    const last = exact.at(-1)?.score ?? 0;
    const same = near.filter(({ score }) => score >= last - 1e-6).length;
    const both = Math.max(
      exact.filter(({ chunk }) => known.has(chunk)).length,
      Math.min(same, exact.length),
    );
    found += both;
    wanted += exact.length;
    if (both === exact.length) perfect++;
    if (i % 20 === 19)
      console.log(
        `recall of ${i + 1} questions: ${(found / wanted).toFixed(4)}, ${perfect} have all`,
      );
  }
  await team.close();
}
