/** Evaluates `cocosearch/impact`: at the parent of each commit, does the impact of its first file include its other files? */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../server/common/errors.ts";
import type { Status } from "../server/contracts/session.ts";
import { ended, indexed, type Server, startServer } from "./evaluation/server.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE = `usage: npm run evaluate-impact -- TASKS.jsonl REPOSITORY [options]

  TASKS.jsonl         one commit a line: sha, time, parent, files (all that it changed), tests (the tests among them)
  REPOSITORY          the repository, or its git directory; it is only read
  --out FILE          write the answers, one JSON object per line: id, results (paths, best first)
  --without-history   by the graph and by names alone`;

/** A commit and the files that it changed. */
interface Task {
  readonly sha: string;
  readonly time: number;
  readonly parent: string;
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

interface Answer {
  readonly task: Task;
  readonly results: readonly string[];
}

const LIMIT = 30;
const CUTOFF = 10;
const POLL_MS = 50;
/** A boundary of a shallow repository keeps the count from being reached. */
const MAX_HISTORY_MS = 20_000;

async function main(): Promise<number> {
  const { values, positionals } = scriptOptions(USAGE, {
    allowPositionals: true,
    options: { out: { type: "string" }, "without-history": { type: "boolean" } },
  });
  const [file, repository] = positionals;
  if (file === undefined || repository === undefined) {
    console.error(USAGE);
    return 2;
  }
  if (values["without-history"] === true) process.env["COCOSEARCH_HISTORY_COMMITS"] = "0";
  const tasks = readTasks(file).toSorted((a, b) => a.time - b.time);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-impact-")));
  const tree = join(folder, "tree");
  git(folder, "clone", "--quiet", "--shared", "--no-checkout", resolve(repository), tree);
  const answers = await answerAll(tasks, tree, join(folder, "home"));
  rmSync(folder, { recursive: true });
  const lines = answers.map(({ task, results }) => JSON.stringify({ id: task.sha, results }));
  if (values.out !== undefined) writeFileSync(values.out, `${lines.join("\n")}\n`);
  console.log(
    `${file}: ${answers.length} commits, recall@${CUTOFF} ${mean(answers.map(recall))}, MRR ${mean(answers.map(reciprocal))}`,
  );
  return 0;
}

function readTasks(file: string): Task[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Task);
}

/** One tree, which is moved on as a person would; the history that is asked ends with the parent. */
async function answerAll(tasks: readonly Task[], tree: string, home: string): Promise<Answer[]> {
  let server: Server | undefined;
  const answers: Answer[] = [];
  for (const task of tasks) {
    if (!hasCheckedOut(tree, task.parent)) continue;
    if (server === undefined) server = await startServer(tree, home);
    else await server.catchUp();
    await untilHistoryIsRead(server, tree);
    const { files } = await server.connection.sendRequest<{ files: readonly { path: string }[] }>(
      "cocosearch/impact",
      { paths: [firstOf(task)], limit: LIMIT },
    );
    answers.push({ task, results: files.map(({ path }) => path) });
    console.error(`${answers.length} of ${tasks.length}`);
  }
  await server?.stop();
  if (server !== undefined) await ended(server.enginePid);
  return answers;
}

/** False where the repository lacks a part of the tree, as partial clones do; git says which. */
function hasCheckedOut(tree: string, revision: string): boolean {
  try {
    git(tree, "checkout", "--quiet", "--force", "--detach", revision);
    return true;
  } catch (error) {
    console.error(`${revision} is skipped: ${messageOf(error)}`);
    return false;
  }
}

async function untilHistoryIsRead({ connection }: Server, tree: string): Promise<void> {
  const commits = Number(git(tree, "rev-list", "--count", "--no-merges", "HEAD"));
  const deadline = performance.now() + MAX_HISTORY_MS;
  for (;;) {
    const { indexes }: Status = await indexed(connection, tree);
    const history = indexes[0]?.history;
    if (history?.state === "off") return;
    if (history?.state === "ready" && history.commits === commits) return;
    if (performance.now() > deadline) {
      console.error(`the history has ${history?.commits} of ${commits} commits`);
      return;
    }
    await delay(POLL_MS);
  }
}

/** The first file that is not a test. */
function firstOf({ files, tests }: Task): string {
  return files.find((file) => !tests.includes(file)) ?? files[0] ?? "";
}

function recall({ task, results }: Answer): number {
  const wanted = wantedOf(task);
  return wanted.filter((file) => results.slice(0, CUTOFF).includes(file)).length / wanted.length;
}

function reciprocal({ task, results }: Answer): number {
  const wanted = wantedOf(task);
  const place = results.findIndex((file) => wanted.includes(file));
  return place < 0 ? 0 : 1 / (place + 1);
}

function wantedOf(task: Task): string[] {
  return task.files.filter((file) => file !== firstOf(task));
}

function mean(numbers: readonly number[]): string {
  return (numbers.reduce((sum, each) => sum + each, 0) / numbers.length).toFixed(3);
}

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" });
}

process.exitCode = await main();
