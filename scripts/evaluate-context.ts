/**
 * Evaluates contexts of a token budget: the share of the definitions that a commit touched, or of the labeled files, that
 * they contain, compared with simpler ways to fill the budget.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { countTokens } from "gpt-tokenizer";
import type { Session } from "../server/contracts/session.ts";
import { type Baseline, firstFiles, topHits } from "./evaluation/context-baselines.ts";
import { contextDocument, contextTable, type MeasuredContext } from "./evaluation/context-rows.ts";
import { covers, type Task } from "./evaluation/metrics.ts";
import { ended, openSession } from "./evaluation/server.ts";
import { linesShownIn, linesShownInMap } from "./evaluation/shown-lines.ts";
import {
  type CommitTask,
  type TouchedDefinition,
  touchedDefinitions,
} from "./evaluation/touched-definitions.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE = `usage: npm run evaluate-context -- TASKS.json... --repos DIR [options]

  TASKS.json       questions with labels, as for npm run evaluate; with commits the touched definitions are counted too
  --repos DIR      checkouts: DIR/<repo>/<benchmark_root> is indexed
  --git-dirs DIR   git directories with the commits: DIR/<owner>+<name>/repo
  --maps FILE      repository maps, one JSON object per line: id, budget, map (scripts/evaluation/repository-maps.py)
  --table FILE.md  write the tables as a document, too
  --budgets N,...  tokens; default: 1000,2000,4000,8000
  --only REPO,...  only these repositories
  --home DIR       keep the indexes there for the next run`;

const MAX_HITS = 60;

interface Asked {
  readonly task: Task;
  readonly touched: readonly TouchedDefinition[];
  readonly root: string;
}

interface Options {
  readonly repos: string;
  readonly gitDirs: string | undefined;
  readonly maps: Maps;
  readonly budgets: readonly number[];
  readonly only: readonly string[] | undefined;
}

/** Keys are a budget and a method. */
type Rows = Map<string, MeasuredContext[]>;

async function main(): Promise<number> {
  const { values, positionals: files } = scriptOptions(USAGE, {
    allowPositionals: true,
    options: {
      repos: { type: "string" },
      "git-dirs": { type: "string" },
      maps: { type: "string" },
      budgets: { type: "string", default: "1000,2000,4000,8000" },
      only: { type: "string" },
      table: { type: "string" },
      home: { type: "string" },
    },
  });
  if (files.length === 0 || values.repos === undefined) {
    console.error(USAGE);
    return 2;
  }
  const options: Options = {
    repos: resolve(values.repos),
    gitDirs: values["git-dirs"],
    maps: readMaps(values.maps),
    budgets: values.budgets.split(",").map(Number),
    only: values.only?.split(","),
  };
  const home = resolve(values.home ?? mkdtempSync(join(tmpdir(), "cocosearch-context-")));
  const session = openSession(home);
  const sections = new Map<string, Rows>();
  for (const file of files) sections.set(basename(file), await measureFile(session, file, options));
  const { engine } = await session.status();
  await session.dispose();
  if (values.home === undefined) {
    await ended(engine.pid);
    rmSync(home, { recursive: true });
  }
  for (const [name, rows] of sections) console.log(`${name}\n\n${contextTable(rows)}\n`);
  if (values.table !== undefined) {
    const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" });
    writeFileSync(values.table, contextDocument(sections, commit.trim()));
  }
  return 0;
}

async function measureFile(
  session: Session,
  file: string,
  { repos, gitDirs, maps, budgets, only }: Options,
): Promise<Rows> {
  const tasks = (JSON.parse(readFileSync(file, "utf8")) as Task[]).filter(
    ({ repo }) => only?.includes(repo) ?? true,
  );
  const rows: Rows = new Map();
  for (const repo of new Set(tasks.map((task) => task.repo))) {
    const own = tasks.filter((task) => task.repo === repo);
    const root = join(repos, repo, own[0]?.benchmark_root ?? "");
    await session.openFolders([root]);
    await session.whenIdle();
    console.error(`${repo}: ${own.length} questions`);
    for (const task of own) {
      const touched =
        gitDirs === undefined || !isCommit(task)
          ? []
          : await touchedDefinitions(task, gitDirs, join(repos, repo));
      await measureTask(session, { task, touched, root }, budgets, maps, rows);
    }
  }
  return rows;
}

function isCommit(task: Task): task is CommitTask {
  return "commit" in task;
}

type Maps = ReadonlyMap<string, string>;

function readMaps(file: string | undefined): Maps {
  if (file === undefined) return new Map();
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return new Map(
    lines.map((line) => {
      const { id, budget, map } = JSON.parse(line) as { id: string; budget: number; map: string };
      return [`${id} ${budget}`, map];
    }),
  );
}

async function measureTask(
  session: Session,
  asked: Asked,
  budgets: readonly number[],
  maps: Maps,
  rows: Rows,
): Promise<void> {
  const { query, id } = asked.task;
  const { hits } = await session.search({ query, limit: MAX_HITS });
  for (const budget of budgets) {
    const { text } = await session.context({ query, tokenBudget: budget });
    const tokens = countTokens(text);
    if (tokens > budget) console.error(`OVER BUDGET: ${tokens} of ${budget}: ${id}`);
    const map = maps.get(`${id} ${budget}`);
    const methods: Readonly<Record<string, Baseline | undefined>> = {
      context: { shown: linesShownIn(text), tokens },
      "top hits": topHits(hits, budget, ({ lines }) => lines),
      "top hits, expanded": topHits(hits, budget, ({ contextRange }) => contextRange),
      "first files": firstFiles(hits, budget),
      "repository map":
        map === undefined
          ? undefined
          : { shown: linesShownInMap(map, asked.root), tokens: countTokens(map) },
    };
    for (const [method, packed] of Object.entries(methods)) {
      if (packed === undefined) continue;
      const key = `${budget} ${method}`;
      rows.set(key, [...(rows.get(key) ?? []), judge(asked, packed)]);
    }
  }
}

function judge({ task, touched }: Asked, { shown: { files }, tokens }: Baseline): MeasuredContext {
  const isNamed = ({ path, nameLine }: TouchedDefinition) => {
    const file = files.get(path);
    return file !== undefined && (file.code.has(nameLine) || file.named.has(nameLine));
  };
  const isShown = ({ path, lines }: TouchedDefinition) => {
    const code = files.get(path)?.code;
    return [...lines].filter((line) => code?.has(line)).length >= lines.size / 2;
  };
  const paths = [...files.keys()].map((path) => ({ path }));
  return {
    repo: task.repo,
    hasDefinitions: touched.length > 0,
    named: share(touched, isNamed),
    shown: share(touched, isShown),
    files: share(task.relevant, ({ path, raw = path }) =>
      paths.some((each) => covers(each, { path, raw }, task)),
    ),
    tokens,
  };
}

function share<T>(items: readonly T[], is: (item: T) => boolean): number {
  return items.filter(is).length / Math.max(1, items.length);
}

process.exitCode = await main();
