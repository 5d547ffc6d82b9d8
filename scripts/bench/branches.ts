/** Measures a `git switch`: the time until all answers are right again, and the number of passes. One JSON line per switch. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { SearchResponse } from "../../server/lsp/search.ts";
import { type Editor, openEditor } from "../editor.ts";
import { ended, indexed } from "../evaluation/server.ts";

const USAGE = `usage: node --import tsx scripts/bench/branches.ts [--files N] [--differ N] [--switches N]

  --files N      in each branch (default: 4000)
  --differ N     of them are others on the second branch, a tenth of these under another name (default: 3000)
  --switches N   there and back (default: 4)`;

const ENGINE_IDLE_SECONDS = 1;
const FILES_PER_FOLDER = 100;
/** How many definitions of the new branch, and of the branch that was left, are asked for until they are right. */
const ASKED = 40;
const POLL_MS = 50;
/** Of each kind, once nothing happens any more. */
const CHECKED = 500;
/** No pass begins this long after the last one. */
const QUIET_MS = 3_000;

/** The content of a branch: the name of the one function in each file. */
type Branch = ReadonlyMap<string, string>;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      files: { type: "string", default: "4000" },
      differ: { type: "string", default: "3000" },
      switches: { type: "string", default: "4" },
    },
  });
  const [files, differ, switches] = [values.files, values.differ, values.switches].map(Number);
  if (!(files && differ && switches && differ <= files)) {
    console.error(USAGE);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-branches-"));
  try {
    const [root, home] = [join(folder, "repository"), join(folder, "home")];
    const branches = ["one", "two"].map((name) => branch(name, files, differ));
    makeRepository(root, branches);
    const editor = await openEditor(root, home, ENGINE_IDLE_SECONDS);
    const { engine } = await indexed(editor.connection, root);
    for (let n = 1; n <= switches; n++) {
      const [from, to] = [branches[(n + 1) % 2] as Branch, branches[n % 2] as Branch];
      const switched = await switchTo(n % 2, [from, to], { editor, root, home });
      console.log(JSON.stringify({ switch: n, ...switched }));
    }
    await editor.close();
    await ended(engine.pid);
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function switchTo(
  n: number,
  [from, to]: readonly [Branch, Branch],
  { editor, root, home }: { editor: Editor; root: string; home: string },
) {
  const before = passes(home).length;
  const start = performance.now();
  git(root, "checkout", "-q", `branch${n}`);
  const gitMs = Math.round(performance.now() - start);
  await untilRight(editor, from, to);
  const rightMs = Math.round(performance.now() - start);
  for (let seen = -1; seen !== passes(home).length; await delay(QUIET_MS)) {
    seen = passes(home).length;
  }
  const { indexes } = await indexed(editor.connection, root);
  const wrong = await countWrong(editor, from, to);
  return { gitMs, rightMs, files: indexes[0]?.files, wrong, passes: passes(home).slice(before) };
}

/** The first files differ between branches; a tenth of them also has another name. */
function branch(name: string, files: number, differ: number): Branch {
  const found = new Map<string, string>();
  for (let n = 0; n < files; n++) {
    const own = n < differ ? name : "both";
    const file = n < differ && n % 10 === 0 ? `part_${name}_${n}.py` : `part_${n}.py`;
    found.set(`area_${Math.floor(n / FILES_PER_FOLDER)}/${file}`, `of_${own}_${letters(n)}`);
  }
  return found;
}

/** A word that no other number has. */
function letters(n: number): string {
  return String(n)
    .padStart(6, "0")
    .replaceAll(/\d/g, (digit) => "bdfhjlnprt".charAt(Number(digit)));
}

function makeRepository(root: string, branches: readonly Branch[]): void {
  mkdirSync(root);
  git(root, "init", "-q");
  branches.forEach((files, n) => {
    git(root, "checkout", "-q", "--orphan", `branch${n}`);
    if (n > 0) git(root, "rm", "-rqf", ".");
    for (const [path, name] of files) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(
        join(root, path),
        `"""What ${name} is for."""\n\n\ndef ${name}(entries):\n    return [entry for entry in entries if entry]\n`,
      );
    }
    git(root, "add", "-A");
    git(root, "-c", "user.name=b", "-c", "user.email=b@localhost", "commit", "-qm", `branch ${n}`);
  });
  git(root, "checkout", "-q", "branch0");
}

/** Asks one after the other, and not too often: indexing gives way to searches. */
async function untilRight(editor: Editor, from: Branch, to: Branch): Promise<void> {
  for (const question of questions(from, to, ASKED)) {
    while (!(await isRight(editor, question))) await delay(POLL_MS);
  }
}

async function countWrong(editor: Editor, from: Branch, to: Branch): Promise<number> {
  let wrong = 0;
  for (const question of questions(from, to, CHECKED)) {
    if (!(await isRight(editor, question))) wrong++;
  }
  return wrong;
}

/** A name and its expected file; undefined if the name must not be found. */
interface Question {
  readonly name: string;
  readonly path: string | undefined;
}

/** At most `limit` of each kind, from all over the branch. */
function questions(from: Branch, to: Branch, limit: number): Question[] {
  const names = new Set(to.values());
  const there = [...to].map(([path, name]) => ({ name, path }));
  const gone = [...from.values()]
    .filter((name) => !names.has(name))
    .map((name) => ({ name, path: undefined }));
  return [there, gone].flatMap((all) => {
    const step = Math.max(1, Math.floor(all.length / limit));
    return all.filter((_, i) => i % step === 0);
  });
}

async function isRight({ connection }: Editor, { name, path }: Question): Promise<boolean> {
  const { hits } = await connection.sendRequest<SearchResponse>("cocosearch/search", {
    query: name,
    limit: 1,
  });
  const isFound = hits[0]?.symbol?.name === name;
  if (path === undefined) return !isFound;
  return isFound && hits[0]?.location.uri.endsWith(`/${path}`) === true;
}

interface Pass {
  readonly files: number;
  readonly read: number;
  readonly changed: number;
  readonly removed: number;
  readonly wallMs: number;
}

/** The passes in the engine's log. */
function passes(home: string): Pass[] {
  const lines = readFileSync(join(home, "engine.log"), "utf8").split("\n");
  return lines
    .filter((line) => line.includes('"message":"indexed"'))
    .map((line) => JSON.parse(line) as Pass)
    .map(({ files, read, changed, removed, wallMs }) => ({
      files,
      read,
      changed,
      removed,
      wallMs,
    }));
}

function git(root: string, ...args: string[]): void {
  execFileSync("git", ["-C", root, ...args]);
}

process.exitCode = await main();
