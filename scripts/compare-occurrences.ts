/** Compares the places of texts and patterns with ripgrep, or with GNU grep, over the same files, as sets of lines. */

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silent } from "../server/common/log.ts";
import type { OccurrencesRequest } from "../server/contracts/occurrences-request.ts";
import type { Session } from "../server/contracts/session.ts";
import { createEngine } from "../server/engine/engine.ts";

const USAGE =
  "usage: node --import tsx scripts/compare-occurrences.ts FOLDER... (after npm run build)";
const PATTERNS = 100;
/** If a pattern matches more lines, this many are compared, in one direction only. */
const MAX_MATCHES = 5_000;

/** The same patterns in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Drawn = Pick<OccurrencesRequest, "exact" | "pattern" | "ignoreCase">;

/** Words, pieces with punctuation, text beyond ASCII, and simple expressions, from lines of the files. */
function drawPatterns(root: string, paths: readonly string[]): Drawn[] {
  const next = random(7);
  const one = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const line = () => one(readFileSync(join(root, one(paths)), "utf8").split(/\r\n|\r|\n/));
  const escape = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  const piece = (): string => {
    const text = line().trim();
    if (text === "") return piece();
    const start = Math.floor(next() * text.length);
    return text.slice(start, start + 3 + Math.floor(next() * 20));
  };
  const word = () => one(line().match(/\w+/g) ?? ["x"]);
  const beyond = () => /[^\0-\x7f]+.{0,4}/.exec(line())?.[0] ?? "";
  const shapes: (() => Drawn)[] = [
    () => ({ exact: word() }),
    () => ({ exact: piece() }),
    () => ({ exact: word(), ignoreCase: true }),
    () => ({ exact: beyond() }),
    () => ({ pattern: `${escape(piece())}[a-z]*` }),
    () => ({ pattern: `\\b${word()}\\b.*${word()}` }),
    () => ({ pattern: `(${word()}|${word()})\\s+[A-Za-z_]+` }),
    () => ({ pattern: `^\\s*${word()}` }),
    () => ({ pattern: `${escape(piece())}$` }),
    () => ({ pattern: `[0-9]{${1 + Math.floor(next() * 4)}}${escape(one([".", "x", "L", ";"]))}` }),
  ];
  const drawn: Drawn[] = [];
  while (drawn.length < PATTERNS) {
    const made = one(shapes)();
    const text = made.exact ?? made.pattern ?? "";
    // Leaves out white space and anchors alone, and half a character, which grep does not accept.
    if (/[^\s$]/.test(text) && Buffer.from(text).toString() === text) drawn.push(made);
  }
  return drawn;
}

/** Repeats a request if the time limit came first, as on a busy machine. */
async function wholeAnswer(session: Session, request: OccurrencesRequest) {
  for (let tries = 1; ; tries++) {
    const answer = await session.occurrences(request);
    if (answer.isComplete || tries === 3) return answer;
    console.log(`  not complete: ${JSON.stringify(request)}`);
  }
}

async function linesFound(session: Session, request: Drawn): Promise<Set<string>> {
  const lines = new Set<string>();
  let cursor: string | undefined;
  do {
    const more = cursor === undefined ? {} : { cursor };
    const answer = await wholeAnswer(session, { ...request, ...more, limit: 1_000 });
    for (const { path, places } of answer.files)
      for (const place of places) lines.add(`${path}:${place.line + 1}`);
    ({ cursor } = answer);
  } while (cursor !== undefined && lines.size < MAX_MATCHES);
  return lines;
}

/** It reads each file that its command line names, also an ignored one. */
const RIPGREP: readonly string[] = ["rg", "--no-config", "--no-ignore-vcs", "--no-mmap", "-anH0"];
const GREP: readonly string[] = ["grep", "-anHZ"];

/** The first program that is installed. */
function oracle(): readonly string[] {
  const [ripgrep = ""] = RIPGREP;
  return spawnSync(ripgrep, ["--version"]).status === 0 ? RIPGREP : GREP;
}

function linesByOracle(root: string, paths: readonly string[], request: Drawn): Set<string> {
  const [program = "", ...options] = ORACLE;
  const { exact, pattern, ignoreCase } = request;
  const syntax = ORACLE === RIPGREP ? [] : ["-E"];
  const flags = [...(exact === undefined ? syntax : ["-F"]), ...(ignoreCase ? ["-i"] : [])];
  const text = exact ?? pattern ?? "";
  const lines = new Set<string>();
  for (let from = 0; from < paths.length; from += 500) {
    const files = paths.slice(from, from + 500);
    try {
      const output = execFileSync(program, [...options, ...flags, "-e", text, "--", ...files], {
        cwd: root,
        encoding: "utf8",
        maxBuffer: 1e9,
        env: { ...process.env, LC_ALL: "C.UTF-8" },
      });
      for (const line of output.split("\n")) {
        const [, path, number] = /^([^\0]+)\0(\d+):/.exec(line) ?? [];
        if (path !== undefined) lines.add(`${path}:${number}`);
      }
    } catch (error) {
      // Both end with 1 without a match.
      if ((error as { readonly status?: number }).status !== 1) throw error;
    }
  }
  return lines;
}

async function compare(session: Session, root: string): Promise<number> {
  await session.openFolders([root]);
  await session.whenIdle();
  const everyFile = await wholeAnswer(session, { pattern: "^", limit: 1 });
  const paths = everyFile.files.map(({ path }) => path);
  const [index] = (await session.status()).indexes;
  console.log(`${root}: ${paths.length} files with lines of ${index?.files} indexed`);
  let different = 0;
  let lines = 0;
  for (const request of drawPatterns(root, paths)) {
    const [found, expected] = [
      await linesFound(session, request),
      linesByOracle(root, paths, request),
    ];
    lines += expected.size;
    const isPart = found.size >= MAX_MATCHES;
    const lost = isPart ? [] : [...expected].filter((line) => !found.has(line));
    const added = [...found].filter((line) => !expected.has(line));
    if (lost.length + added.length === 0) continue;
    different++;
    console.log(`  ${JSON.stringify(request)}: ${found.size} of ${expected.size} lines`);
    console.log(`    only ${ORACLE[0]}: ${lost.slice(0, 5).join(", ")}`);
    console.log(`    only occurrences: ${added.slice(0, 5).join(", ")}`);
  }
  console.log(
    `${root}: ${PATTERNS} patterns, ${lines} lines by ${ORACLE[0]}, ${different} patterns differ`,
  );
  return different;
}

const ORACLE = oracle();
const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error(USAGE);
  process.exit(2);
}
const home = mkdtempSync(join(tmpdir(), "compare-occurrences-"));
const engine = createEngine({
  data: join(home, "postgres"),
  logFile: "",
  log: silent,
  version: "1.0.0",
  build: "1",
  workers: 0,
});
let different = 0;
for (const folder of folders) {
  const session = engine.session();
  different += await compare(session, realpathSync(folder));
  await session.dispose();
}
await engine.close();
rmSync(home, { recursive: true });
process.exit(different === 0 ? 0 : 1);
