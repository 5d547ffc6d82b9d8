/** Fits the weights of the boosts `place-in-file` and `file-order` to questions whose right places are known, and measures their gain. */

import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { FILE_FEATURES } from "../server/search/boosts/file-features.ts";
import { PLACE_FEATURES } from "../server/search/boosts/place-features.ts";
import type { Task } from "./evaluation/metrics.ts";
import { startServer } from "./evaluation/server.ts";
import { readTasks } from "./evaluation/tasks.ts";
import { type Asked, askForPlaces, toList } from "./fitting/ask.ts";
import { COMMIT, readCommitSubjects } from "./fitting/commit-subjects.ts";
import { crossValidate, fitFiles, fitPlaces, reportOutcomes } from "./fitting/validate.ts";
import { scriptOptions } from "./script-options.ts";

const USAGE = `usage: npm run fit-places -- [QUESTIONS] --repos DIR --home DIR --data FILE [--only REPO,...] [--write]

  QUESTIONS        a folder of tables, or a file of tasks; test/ranking/questions if it is left out
  --repos DIR      checkouts: DIR/<repo> is indexed; the subjects of its commits are questions for files, too
  --home DIR       where the indexes are kept
  --data FILE      answers of the server, one JSON object per question; the server is asked only for questions that it lacks
  --only REPO,...  only these repositories
  --write          write the weights into server/search/boosts/place-weights.ts and file-weights.ts`;

const QUESTIONS = join(import.meta.dirname, "../test/ranking/questions");
const BOOSTS = join(import.meta.dirname, "../server/search/boosts");

async function main(): Promise<number> {
  const { values, positionals } = scriptOptions(USAGE, {
    allowPositionals: true,
    options: {
      repos: { type: "string" },
      home: { type: "string" },
      data: { type: "string" },
      only: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const { repos, home, data, write } = values;
  if (repos === undefined || home === undefined || data === undefined) {
    console.error(USAGE);
    return 2;
  }
  const only = values.only?.split(",");
  const questions = readTasks(positionals[0] ?? QUESTIONS).filter(
    ({ repo }) => only === undefined || only.includes(repo),
  );
  const subjects = [...new Set(questions.map(({ repo }) => repo))].flatMap((repo) =>
    readCommitSubjects(resolve(repos), repo),
  );
  const tasks = [...questions, ...subjects];
  await askMissing(tasks, { repos: resolve(repos), home: resolve(home), data });
  const asked = new Map(readData(data).map((each) => [keyOf(each), each]));
  const lists = tasks.flatMap((task) => {
    const answer = asked.get(keyOf(task));
    return answer === undefined ? [] : [toList(answer, task)];
  });
  const open = lists.filter(({ isOpen }) => isOpen).length;
  const names = new Set(lists.map(({ repo }) => repo));
  console.log(
    `${lists.length} questions on ${names.size} repositories; the places of ${open} are compared`,
  );
  const isCommit = ({ style }: { readonly style: string }) => style === COMMIT;
  const isQuestion = (each: { readonly style: string }) => !isCommit(each);
  const [byPlace, byFile] = [crossValidate(lists), crossValidate(lists, "files")];
  console.log(`places:\n${reportOutcomes(byPlace.filter(isQuestion))}`);
  console.log(`files, after places:\n${reportOutcomes(byFile.filter(isQuestion))}`);
  console.log(`subjects of commits:\n${reportOutcomes(byFile.filter(isCommit))}`);
  const places = fitPlaces(lists);
  writeWeights("place", PLACE_FEATURES, places, write);
  writeWeights("file", FILE_FEATURES, fitFiles(lists, places), write);
  return 0;
}

const keyOf = ({ repo, query }: Pick<Task, "repo" | "query">) => `${repo}\t${query}`;

function readData(file: string): Asked[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Asked);
}

/** A repository is written when all of its questions are answered. */
async function askMissing(
  tasks: readonly Task[],
  { repos, home, data }: { repos: string; home: string; data: string },
): Promise<void> {
  const known = new Set(readData(data).map(keyOf));
  const missing = tasks.filter((task) => !known.has(keyOf(task)));
  for (const repo of new Set(missing.map((task) => task.repo))) {
    const own = missing.filter((task) => task.repo === repo);
    const root = join(repos, repo);
    const server = await startServer(root, home);
    const lines: string[] = [];
    for (const task of own) lines.push(JSON.stringify(await askForPlaces(server, root, task)));
    await server.stop();
    appendFileSync(data, `${lines.join("\n")}\n`);
    console.error(`${repo}: ${lines.length} questions`);
  }
}

/** Two digits: the error of a weight is larger. */
function writeWeights(
  kind: "place" | "file",
  names: readonly string[],
  weights: readonly number[],
  isWritten: boolean,
): void {
  const boost = { place: "place-in-file", file: "file-order" }[kind];
  const type = { place: "PlaceFeature", file: "FileFeature" }[kind];
  const source = [
    `/** The weights of the boost \`${boost}\`, written by \`npm run fit-places\`. */`,
    "",
    `import type { ${type} } from "./${kind}-features.ts";`,
    "",
    `export const ${kind.toUpperCase()}_WEIGHTS = {`,
    ...names.map((name, i) => `  ${name}: ${Number((weights[i] ?? 0).toPrecision(2))},`),
    `} as const satisfies Record<${type}, number>;`,
    "",
  ].join("\n");
  console.log(source);
  if (isWritten) writeFileSync(join(BOOSTS, `${kind}-weights.ts`), source);
}

process.exitCode = await main();
