/**
 * Answers of developers whose index began with a team's published index equal the answers of a full local index, after random edits
 * and branch switches, while a build server publishes new commits and is killed. Linux; a server with trust or a password in
 * the URL, where the user may create databases and roles.
 *
 * usage: npm run build && node --import tsx scripts/team.ts REPOSITORY --database URL [--edits 300] [--switches 10] [--kills 20] [--seed 1]
 *
 *   REPOSITORY   a clone or a git directory
 *   --edits N    of both developers together, in as many batches as there are switches
 *   --kills N    of the build server, at random moments of a publish
 */

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "./evaluation/random.ts";
import { scriptOptions, usageIn } from "./script-options.ts";
import { makeTeam } from "./team/database.ts";
import { commitAll, edit, git } from "./team/edits.ts";
import { type Answer, type RunningEngine, startEngine } from "./team/engine.ts";
import { type View, viewer } from "./team/namespace.ts";
import { publishAndDie, publishedCommit, publishOnce } from "./team/publisher.ts";
import { drawQuestions } from "./team/questions.ts";

const ORIGIN = "https://git.example.org/acme/repository.git";
/** The branches of the repository differ in this many edits from the published one. */
const EDITS_PER_BRANCH = 40;
const BRANCHES = ["main", "release", "feature"];
const SHOWN = 3;

const { values, positionals } = scriptOptions(usageIn(import.meta.filename), {
  allowPositionals: true,
  options: {
    database: { type: "string" },
    edits: { type: "string", default: "300" },
    switches: { type: "string", default: "10" },
    kills: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
  },
});
const [repository] = positionals;
const { database } = values;
if (repository === undefined || database === undefined) {
  console.error(usageIn(import.meta.filename));
  process.exit(2);
}
const [edits, switches, kills] = [values.edits, values.switches, values.kills].map(Number) as [
  number,
  number,
  number,
];
const random = createRandom(Number(values.seed));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-team-")));
const source = join(folder, "source");
const tally = { answers: 0, different: 0, otherScore: 0, largest: 0, begun: 0, taken: 0, files: 0 };

try {
  process.exitCode = await main(database);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Developer {
  readonly name: string;
  /** Where the clone is, outside of namespaces. */
  readonly clone: string;
  readonly view: View;
  /** The engine of the developer who keeps it; the other one begins with a new home in each batch. */
  kept?: RunningEngine;
}

async function main(server: string): Promise<number> {
  const team = await makeTeam(server);
  try {
    makeSource();
    const build = {
      root: join(folder, "build"),
      home: join(folder, "build-home"),
      url: team.publisher,
      random,
    };
    clone(build.root);
    const firstMs = await publishOnce(build);
    const developers = makeDevelopers();
    const [keeping] = developers;
    if (keeping !== undefined)
      keeping.kept = await startEngine(keeping.view, join(folder, "kept"), team.reader);
    console.log(
      `published ${git(build.root, "ls-files").split("\n").length} files in ${(firstMs / 1000).toFixed(1)} s`,
    );
    let isOver = false;
    const publishing = publishAndDie(build, kills, () => isOver);
    // A failure of the developers is reported first.
    publishing.catch(() => undefined);
    try {
      for (let batch = 1; batch <= switches; batch++)
        await runBatch(batch, developers, build.root, team.reader);
    } finally {
      isOver = true;
      await keeping?.kept?.close();
    }
    const published = await publishing;
    console.log(JSON.stringify({ ...tally, ...published }));
    const isLast = (await publishedCommit(team.reader)) === git(build.root, "rev-parse", "HEAD");
    console.log(`the last commit is ${isLast ? "" : "not "}published`);
    return tally.different === 0 && published.wrong === 0 && isLast ? 0 : 1;
  } finally {
    await team.drop();
  }
}

/** Three branches. */
function makeSource(): void {
  git(folder, "clone", "-q", repository ?? "", source);
  git(source, "checkout", "-q", "-B", "main");
  for (const branch of BRANCHES.slice(1)) {
    git(source, "checkout", "-q", "-B", branch, "main");
    edit({ root: source, random }, EDITS_PER_BRANCH);
    commitAll(source, `Begin ${branch}`);
  }
  git(source, "checkout", "-q", "main");
}

function clone(root: string): void {
  git(folder, "clone", "-q", source, root);
  git(root, "remote", "rename", "origin", "source");
  git(root, "remote", "add", "origin", ORIGIN);
}

function makeDevelopers(): Developer[] {
  const common = join(folder, "repository");
  mkdirSync(common);
  const { view, areNamespaces } = viewer(common);
  console.log(
    areNamespaces
      ? `both developers have their clone at ${common}, each in a mount namespace`
      : "no mount namespaces here: the clones are at two paths",
  );
  return ["one", "two"].map((name) => {
    const own = join(folder, name);
    clone(own);
    return { name, clone: own, view: view(own) };
  });
}

async function runBatch(
  batch: number,
  developers: readonly Developer[],
  build: string,
  url: string,
): Promise<void> {
  for (const [i, developer] of developers.entries()) {
    const { clone: root } = developer;
    if (batch % 2 === i) {
      git(root, "fetch", "-q", build, "+main:refs/remotes/source/main");
      const branch = BRANCHES[Math.floor(random() * BRANCHES.length)] ?? "main";
      git(root, "checkout", "-q", "-f", "-B", branch, `source/${branch}`);
    }
    const share = Math.round(edits / switches / developers.length);
    edit({ root, random }, share);
    await compare(batch, developer, url);
  }
}

/** Compares the team's index with a new local one. */
async function compare(batch: number, developer: Developer, url: string): Promise<void> {
  const { name, view, clone: root, kept } = developer;
  const questions = drawQuestions(root, random);
  const homes = ["team", "local"].map((kind) => join(folder, `${kind}-${name}-${batch}`));
  const [teamHome = "", localHome = ""] = homes;
  const local = await startEngine(view, localHome, "");
  const expected = await local.ask(questions);
  await local.close();
  const own = kept ?? (await startEngine(view, teamHome, url));
  if (kept !== undefined) await kept.settle();
  const found = await own.ask(questions);
  const { begunWith, teamRemark, files } = await own.status();
  if (kept === undefined) {
    tally.begun++;
    tally.taken += begunWith?.files ?? 0;
    tally.files += files;
    await own.close();
  }
  for (const home of homes) rmSync(home, { recursive: true, force: true });
  const differences = [...expected].filter(
    ([question, answer]) => !isSame(answer, found.get(question)),
  );
  tally.answers += expected.size;
  tally.different += differences.length;
  const taken = begunWith === undefined ? "0" : `${begunWith.files} of ${begunWith.total}`;
  console.log(
    `batch ${batch}, developer ${name}: ${expected.size} answers, ${differences.length} different; ` +
      `${git(root, "status", "--porcelain").split("\n").length} changed files; began with ${taken} files ` +
      `of ${begunWith?.commit.slice(0, 10)}${teamRemark === undefined ? "" : `; ${teamRemark}`}`,
  );
  for (const [question, answer] of differences.slice(0, SHOWN))
    show(question, answer, found.get(question));
}

/** Notes the difference of the scores, which has no part in it. */
function isSame(expected: Answer, found: Answer | undefined): boolean {
  if (found === undefined || expected.places.join("\n") !== found.places.join("\n")) return false;
  const apart = Math.max(
    0,
    ...expected.scores.map((score, i) => Math.abs(score - (found.scores[i] ?? 0))),
  );
  if (apart > 0) tally.otherScore++;
  tally.largest = Math.max(tally.largest, apart);
  return true;
}

function show(question: string, expected: Answer, found: Answer | undefined): void {
  console.log(`  DIFFERENT: ${question}`);
  for (const [i, place] of expected.places.entries()) {
    const other = found?.places[i];
    if (place !== other)
      console.log(
        `    ${i}: ${place.slice(0, 200)} ${expected.scores[i]}\n     : ${other?.slice(0, 200)} ${found?.scores[i]}`,
      );
  }
}
