/** Evaluates the tools with coding agents: tasks on strange repositories, with our tools beside text search, and without them. */

import { mkdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkTask } from "./agents/check-tasks.ts";
import { comparisonOf, figuresOf } from "./agents/figures.ts";
import { ARMS, type Arm, type Outcome, readOutcomes } from "./agents/outcome.ts";
import { inTree, runTasks, type Work } from "./agents/run-tasks.ts";
import {
  needsHistory,
  type Repository,
  readRepositories,
  readTasks,
  type Task,
} from "./agents/tasks.ts";
import { cloneOf, plainTree, strangeTree, type Tree } from "./agents/trees.ts";
import { ended, openSession } from "./evaluation/server.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE = `usage: AGENT_COMMAND=COMMAND npm run evaluate-agents -- --clones DIR --work DIR [options]

  AGENT_COMMAND     a command line that reads a prompt (stdin, or the file $PROMPT_FILE) in a repository, uses the
                    commands that are first on its PATH, and prints an answer
  --clones DIR      git directories or checkouts of the repositories in test/agents/repositories.json
  --work DIR        working trees and indexes, which are made at the first run and kept
  --tasks FILE      other tasks; --repositories FILE: other repositories
  --rename SEED     change the names of the repositories, except for tasks about history
  --only WORD,...   only tasks with one of these ids, kinds or repositories
  --arms ARM,...    with (our tools), without; default: both
  --parallel N      agents at the same time; default: 1
  --seconds N       time limit of a task; default: 900
  --out RUN.jsonl   append calls and outcomes; tasks that it contains are not run again
  --compare FILE    print the differences to this run
  --report          run nothing, print the figures of --out
  --check           run nothing, check the tasks against the repositories`;

const OPTIONS = {
  clones: { type: "string" },
  work: { type: "string" },
  tasks: { type: "string" },
  repositories: { type: "string" },
  rename: { type: "string" },
  only: { type: "string" },
  arms: { type: "string", default: ARMS.join(",") },
  parallel: { type: "string", default: "1" },
  seconds: { type: "string", default: "900" },
  out: { type: "string" },
  compare: { type: "string" },
  report: { type: "boolean", default: false },
  check: { type: "boolean", default: false },
} as const;

function readOptions() {
  return scriptOptions(USAGE, { options: OPTIONS }).values;
}

/** The engine stays as long as the session of this script, and leaves soon after it. */
const ENGINE_IDLE_SECONDS = 1;

type Options = ReturnType<typeof readOptions>;

async function main(): Promise<number> {
  const options = readOptions();
  const only = options.only?.split(",");
  const tasks = readTasks(options.tasks).filter(
    ({ id, kind, repository }) =>
      only?.some((word) => word === id || word === kind || repository.includes(word)) ?? true,
  );
  const command = process.env["AGENT_COMMAND"];
  const { clones, work, report, check } = options;
  const isMissing = clones === undefined || work === undefined || (command === undefined && !check);
  if (!report && isMissing) {
    console.error(USAGE);
    return 2;
  }
  if (!report) {
    const trees = await treesFor(tasks, options);
    if (check) return checkAll(tasks, trees, options);
    const outcomes = await run(tasks, trees, command ?? "", options);
    return print(outcomes, options);
  }
  return print(readOutcomes(options.out ?? ""), options);
}

type TreeOf = (task: Task) => Tree;

/** The trees of all tasks, made one after the other. */
async function treesFor(tasks: readonly Task[], options: Options): Promise<TreeOf> {
  const [clones, work] = [resolve(options.clones ?? ""), resolve(options.work ?? "")];
  mkdirSync(work, { recursive: true });
  const trees = new Map<string, Tree>();
  const treeKey = (task: Task) => `${task.repository} ${needsHistory(task)}`;
  for (const task of tasks) {
    if (trees.has(treeKey(task))) continue;
    const repository = repositoryOf(task, options);
    const isPlain = options.rename === undefined || needsHistory(task);
    const tree = isPlain
      ? plainTree(repository, clones, work)
      : await strangeTree(repository, Number(options.rename), clones, work);
    trees.set(treeKey(task), { ...tree, root: realpathSync(tree.root) });
  }
  return (task) => {
    const tree = trees.get(treeKey(task));
    if (tree === undefined) throw new Error(`no tree of ${task.id}`);
    return tree;
  };
}

function repositoryOf({ id, repository }: Task, { repositories }: Options): Repository {
  const found = readRepositories(repositories).find(({ name }) => name === repository);
  if (found === undefined) throw new Error(`${id}: ${repository} is not in repositories.json`);
  return found;
}

/** The outcomes of this run, and of the runs before it that are in the same file. */
async function run(
  tasks: readonly Task[],
  treeOf: TreeOf,
  command: string,
  { arms, out, work, seconds, parallel }: Options,
): Promise<Outcome[]> {
  const before = readOutcomes(out ?? "");
  const done = new Set(before.map(keyOf));
  const chosen = ARMS.filter((arm) => arms.split(",").includes(arm));
  const works = tasks
    .flatMap((task) => chosen.map((arm): Work => ({ task, arm, tree: treeOf(task) })))
    .filter(({ task, arm }) => !done.has(keyOf({ task: task.id, arm })));
  const home = join(resolve(work ?? ""), "home");
  const end = await indexFor(works, home);
  const outcomes = await runTasks(works, {
    command,
    home,
    limitMs: Number(seconds) * 1000,
    parallel: Number(parallel),
    out: out === undefined ? undefined : resolve(out),
  });
  await end();
  return [...before, ...outcomes];
}

/** Indexes the trees for our tools, and keeps the engine until the returned function is called. */
async function indexFor(works: readonly Work[], home: string): Promise<() => Promise<void>> {
  const roots = works.filter(({ arm }) => arm === "with").map(({ tree }) => tree.root);
  if (roots.length === 0) return async () => undefined;
  process.env["COCOSEARCH_ENGINE_IDLE_SECONDS"] = String(ENGINE_IDLE_SECONDS);
  const session = openSession(home);
  for (const root of new Set(roots)) {
    console.error(`index ${root}`);
    await session.openFolders([root]);
    await session.whenIdle();
  }
  return async () => {
    const { engine } = await session.status();
    await session.dispose();
    await ended(engine.pid);
  };
}

function keyOf({ task, arm }: { readonly task: string; readonly arm: Arm }): string {
  return `${task} ${arm}`;
}

function print(outcomes: readonly Outcome[], { compare }: Options): number {
  console.log(figuresOf(outcomes));
  if (compare !== undefined) console.log(`\n${comparisonOf(outcomes, readOutcomes(compare))}`);
  return 0;
}

/** By the original names, and by the names of the trees. */
function checkAll(tasks: readonly Task[], treeOf: TreeOf, options: Options): number {
  const problems = tasks.flatMap((task) => {
    const { name, commit } = repositoryOf(task, options);
    const folder = cloneOf(name, resolve(options.clones ?? ""));
    const tree = treeOf(task);
    return [
      ...checkTask(task, { folder, commit }),
      ...checkTask(inTree(task, tree), { folder: tree.root, commit: "HEAD" }),
    ];
  });
  for (const problem of problems) console.log(problem);
  console.log(`${tasks.length} tasks, ${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
}

process.exitCode = await main();
