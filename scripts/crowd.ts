/**
 * Ranks natural questions in the published index of their repository alone, and in a search of all published indexes of a team:
 * the repositories of the questions and a crowd of small ones, which are made of folders of other checkouts.
 *
 * usage: npm run build && node --import tsx scripts/crowd.ts TASKS --repos REPOS --only REPO,... --crowd FOLDER --database URL [--indexes 500] [--seed 1]
 *
 *   TASKS            questions with labels, as for scripts/evaluate.ts
 *   --only REPO,...  the repositories whose questions are asked
 *   --crowd FOLDER   checkouts whose folders make the crowd; may be repeated. The asked repositories are left out
 *   --database URL   a server with trust or a password in the URL, where the user may create databases and roles
 *   --indexes N      published indexes of the crowd
 */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { getOrCreate } from "../server/common/get-or-create.ts";
import type { Hit } from "../server/contracts/model.ts";
import type { Session } from "../server/contracts/session.ts";
import type { Answer } from "./evaluation/ask.ts";
import { CUTOFF, type Result, type Task } from "./evaluation/metrics.ts";
import { placeReport } from "./evaluation/place-metrics.ts";
import { createRandom, shuffled } from "./evaluation/random.ts";
import { ended, openSession } from "./evaluation/server.ts";
import { readTasks } from "./evaluation/tasks.ts";
import { scriptOptions, usageIn } from "./script-options.ts";
import { makeTeam } from "./team/database.ts";
import { commitAll, git } from "./team/edits.ts";
import { publishOnce } from "./team/publisher.ts";

/** The number of files of a folder in the crowd. */
const MIN_FILES = 10;
const MAX_FILES = 60;
const HOST = "git.example.org";
/** A search waits 30 seconds for indexes that are loaded for the first time. */
const MAX_LOADING_SEARCHES = 40;

const { values, positionals } = scriptOptions(usageIn(import.meta.filename), {
  allowPositionals: true,
  options: {
    repos: { type: "string" },
    only: { type: "string" },
    crowd: { type: "string", multiple: true, default: [] },
    database: { type: "string" },
    indexes: { type: "string", default: "500" },
    seed: { type: "string", default: "1" },
  },
});
const [tasksPath] = positionals;
const { repos, only, database } = values;
if ([tasksPath, repos, only, database].includes(undefined)) {
  console.error(usageIn(import.meta.filename));
  process.exit(2);
}
const random = createRandom(Number(values.seed));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-crowd-")));
const home = join(folder, "home");

try {
  await main(tasksPath ?? "", (only ?? "").split(","));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Files of a checkout, which are published as a repository of this name. */
interface Source {
  readonly name: string;
  readonly root: string;
  readonly paths: readonly string[];
}

async function main(tasks: string, asked: readonly string[]): Promise<void> {
  const questions = readTasks(tasks).filter(({ repo }) => asked.includes(repo));
  const own = asked.map((repo) => toSource(repo, join(repos ?? "", repo)));
  const crowd = shuffled(foldersOfCrowd(asked), random).slice(0, Number(values.indexes));
  const team = await makeTeam(database ?? "");
  try {
    for (const source of own) await publish(source, team.publisher);
    let failed = 0;
    for (const [i, source] of crowd.entries()) {
      // A folder may have nothing to index.
      await publish(source, team.publisher).catch(() => failed++);
      if (i % 50 === 49) console.error(`${i + 1 - failed} of the crowd are published`);
    }
    const session = openSession(home);
    try {
      await session.configure({ "team.url": team.reader });
      await loadAll(session);
      const alone = await askAll(session, questions, ({ repo }) => nameOf(repo));
      const inCrowd = await askAll(session, questions, () => "*");
      const base = new Map(alone.map(({ task, results }) => [task.id, results]));
      const title = `in a crowd of ${crowd.length - failed} other indexes; in brackets the difference to the index alone`;
      console.log(placeReport(title, inCrowd, base));
    } finally {
      const { pid } = (await session.status()).engine;
      await session.dispose();
      process.kill(pid);
      await ended(pid);
    }
  } finally {
    await team.drop();
  }
}

/** Without the folder of git. */
function toSource(name: string, root: string): Source {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith(".git/"));
  return { name, root, paths: paths.toSorted() };
}

function foldersOfCrowd(asked: readonly string[]): Source[] {
  return values.crowd.flatMap((parent) =>
    readdirSync(parent)
      .filter((repo) => !asked.includes(repo))
      .flatMap((repo) => foldersOf(toSource(repo, join(parent, repo)))),
  );
}

/** The largest folders that are small enough. */
function foldersOf(source: Source): Source[] {
  if (source.paths.length < MIN_FILES) return [];
  if (source.paths.length <= MAX_FILES) return [source];
  const inside = new Map<string, string[]>();
  for (const path of source.paths) {
    const [name = ""] = path.split("/", 1);
    if (name !== path) getOrCreate(inside, name, () => []).push(path.slice(name.length + 1));
  }
  return [...inside].flatMap(([name, paths]) =>
    foldersOf({ name: `${source.name}/${name}`, root: join(source.root, name), paths }),
  );
}

/** Spaces and other characters of a folder are not allowed in the name of a repository. */
function nameOf(name: string): string {
  return `${HOST}/${name.replaceAll(/[^\w./-]/g, "_")}`;
}

async function publish({ name, root, paths }: Source, url: string): Promise<void> {
  const copy = mkdtempSync(join(folder, basename(root)));
  try {
    for (const path of paths) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      cpSync(join(root, path), join(copy, path));
    }
    execFileSync("git", ["-C", copy, "init", "-q", "-b", "main"]);
    git(copy, "remote", "add", "origin", `https://${nameOf(name)}.git`);
    git(copy, "add", "--all", "--force");
    commitAll(copy, "Begin");
    await publishOnce({ root: copy, home, url, random });
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Searches until no index is left out because it is still being loaded. */
async function loadAll(session: Session): Promise<void> {
  for (let searches = 0; ; searches++) {
    const { warnings } = await session.search({ query: "load", indexes: ["*"] });
    const loading = warnings.filter((warning) => warning.includes("still being loaded"));
    if (loading.length === 0) {
      for (const warning of warnings) console.log(warning);
      return;
    }
    if (searches === MAX_LOADING_SEARCHES) throw new Error(loading[0]);
  }
}

async function askAll(
  session: Session,
  questions: readonly Task[],
  indexFor: (task: Task) => string,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const task of questions) {
    const start = performance.now();
    const indexes = [indexFor(task)];
    const { hits } = await session.search({ query: task.query, limit: CUTOFF, indexes });
    const results = hits.map((hit) => toResult(hit, nameOf(task.repo)));
    answers.push({ task, results, ms: performance.now() - start });
  }
  return answers;
}

/** The path of a hit in another repository is not the path of any answer. */
function toResult({ path, published, lines, places = [] }: Hit, own: string): Result {
  const repository = published?.repository;
  const file = repository === own ? path : `${path} of ${repository}`;
  const at = (line: Hit["lines"]) => ({
    path: file,
    startLine: line.start + 1,
    endLine: line.end + 1,
  });
  return { ...at(lines), places: places.map((place) => at(place.lines)) };
}
