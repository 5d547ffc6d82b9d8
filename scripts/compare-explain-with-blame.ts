/** Compares `explain` with `git blame --porcelain -w -C`, line for line, over ranges of real repositories. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { silent } from "../server/common/log.ts";
import type { LineOrigin } from "../server/contracts/history-request.ts";
import type { Session } from "../server/contracts/session.ts";
import { createEngine } from "../server/engine/engine.ts";

const USAGE =
  "usage: node --import tsx scripts/compare-explain-with-blame.ts GIT_DIRECTORY... (after npm run build)";
const RANGES = 40;
const MAX_RANGE = 60;
const CODE = /\.(?:c|h|cc|cpp|py|go|java|kt|rb|js|ts|rs|php|swift|scala|ex|lua|cs|hs|tcl)$/;

/** The same ranges in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function git(folder: string, ...args: readonly string[]): string {
  const options = { cwd: folder, encoding: "utf8", maxBuffer: 1e9 } as const;
  return execFileSync("git", ["-c", "core.quotePath=false", ...args], options);
}

/** The output of git itself, parsed independently of the program's own parser. The headers have all three values. */
function blamed(folder: string, path: string, start: number, end: number): string[] | undefined {
  const paths = new Map<string, string>();
  let sha = "";
  let original = "";
  const lines: string[] = [];
  const output = git(
    folder,
    "blame",
    "--porcelain",
    "-w",
    "-C",
    "-L",
    `${start + 1},${end + 1}`,
    "HEAD",
    "--",
    path,
  );
  let own: string | undefined;
  for (const line of output.split("\n")) {
    const header = /^([0-9a-f]{40}) (\d+) \d+/.exec(line);
    if (line.startsWith("\t")) {
      const from = own ?? paths.get(sha) ?? "";
      paths.set(sha, from);
      own = undefined;
      lines.push(`${sha} ${from} ${original}`);
    } else if (header !== null) [sha, original] = [header[1] ?? "", header[2] ?? ""];
    else if (line.startsWith("filename ")) own = line.slice("filename ".length);
  }
  return lines;
}

function said(origins: readonly LineOrigin[]): string[] {
  return origins.map(
    ({ sha = "", path = "", originalLine = -1 }) => `${sha} ${path} ${originalLine + 1}`,
  );
}

async function compare(session: Session, folder: string, next: () => number) {
  const files = git(folder, "ls-files")
    .split("\n")
    .filter((path) => CODE.test(path));
  let [ranges, equal, lines, equalLines] = [0, 0, 0, 0];
  while (ranges < RANGES) {
    const path = files[Math.floor(next() * files.length)] ?? "";
    const length = git(folder, "show", `HEAD:${path}`).split("\n").length - 1;
    if (length < 2) continue;
    const start = Math.floor(next() * length);
    const end = Math.min(length - 1, start + Math.floor(next() * MAX_RANGE));
    const wanted = blamed(folder, path, start, end);
    // Some clones lack objects; git itself then says nothing.
    if (wanted === undefined) continue;
    const request = { path: join(folder, path), lines: { start, end } };
    const own = said((await session.explain(request)).origins);
    const same = wanted.filter((line, i) => line === own[i]).length;
    ranges++;
    lines += wanted.length;
    equalLines += same;
    if (same === wanted.length && own.length === wanted.length) equal++;
    else console.log(`  differs: ${path}:${start + 1}-${end + 1}, ${same} of ${wanted.length}`);
  }
  return { ranges, equal, lines, equalLines };
}

async function main(directories: readonly string[]): Promise<number> {
  if (directories.length === 0) {
    console.error(USAGE);
    return 2;
  }
  const home = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-explain-")));
  const data = join(home, "postgres");
  const engine = createEngine({
    data,
    logFile: "",
    log: silent,
    version: "0",
    build: "0",
    workers: 1,
  });
  const session = engine.session();
  await session.configure({ "indexing.enabled": false });
  const totals = { ranges: 0, equal: 0, lines: 0, equalLines: 0 };
  for (const [i, directory] of directories.entries()) {
    const folder = join(home, String(i));
    git(home, "clone", "-q", "--shared", directory, folder);
    await session.openFolders([folder]);
    const found = await compare(session, folder, random(i + 1));
    const name = basename(dirname(directory));
    console.log(
      `${name}: ${found.equal} of ${found.ranges} ranges, ${found.equalLines} of ${found.lines} lines equal`,
    );
    for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += found[key];
  }
  console.log(
    `all: ${totals.equal} of ${totals.ranges} ranges, ${totals.equalLines} of ${totals.lines} lines equal`,
  );
  await session.dispose();
  await engine.close();
  rmSync(home, { recursive: true });
  return totals.equal === totals.ranges ? 0 : 1;
}

process.exit(await main(process.argv.slice(2)));
