/** Takes pairs out of a repository's history: the subject of a commit asks for the code that it changed. */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { isProse } from "./comments.ts";
import { MAX_CODE_LENGTH, type Pair } from "./pairs.ts";

/** How many commits a shallow clone must have. */
const HISTORY = 2000;
/** Commits that touch more say little of each file. */
const MAX_FILES = 6;
const MAX_LINES = 90;

/** Subjects about work on the project, and not about its code. */
const CHORE =
  /^(?:merge|bump|release|update (?:deps|dependenc|changelog|readme|version)|revert|v?\d+\.\d|version|prepare|chore|ci|docs?\b|typo|format|lint|clean ?up|wip|fix (?:tests?|typo|build|lint|ci)\b|review|address|polish|\[maven)/i;

interface Change {
  readonly path: string;
  readonly lines: string[];
}

/** `languageOf` returns undefined for files that are not code. */
export async function pairsOfCommits(
  gitDir: string,
  revision: string,
  languageOf: (path: string) => string | undefined,
): Promise<Pair[]> {
  const format = ["--format=%x00%s", "-p", "-U4", "--no-renames", "--diff-filter=AM", "--no-color"];
  const limits = ["--no-merges", "--no-ext-diff", "--no-textconv", "-n", String(HISTORY)];
  const git = spawn("git", [`--git-dir=${gitDir}`, "log", ...limits, ...format, revision], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const pairs: Pair[] = [];
  let subject = "";
  let changes: Change[] = [];
  for await (const line of createInterface({ input: git.stdout })) {
    if (line.startsWith("\0")) {
      pairs.push(...pairsOfCommit(subject, changes, languageOf));
      subject = line.slice(1);
      changes = [];
    } else if (line.startsWith("+++ ")) {
      changes.push({ path: line.slice(4).replace(/^b\//, ""), lines: [] });
    } else addLine(changes.at(-1)?.lines, line);
  }
  pairs.push(...pairsOfCommit(subject, changes, languageOf));
  return pairs;
}

/** Code as it was after the commit, with the line that git names as the one around it. */
function addLine(lines: string[] | undefined, line: string): void {
  if (lines === undefined || lines.length >= MAX_LINES) return;
  const around = /^@@.*?@@ (.+)/.exec(line)?.[1];
  if (around !== undefined) lines.push(around);
  else if (line.startsWith("+") || line.startsWith(" ")) lines.push(line.slice(1));
}

function pairsOfCommit(
  subject: string,
  changes: readonly Change[],
  languageOf: (path: string) => string | undefined,
): Pair[] {
  const query = questionOf(subject);
  if (query === undefined || changes.length > MAX_FILES) return [];
  return changes.flatMap(({ path, lines }): Pair[] => {
    const language = languageOf(path);
    const code = lines.join("\n").slice(0, MAX_CODE_LENGTH);
    if (language === undefined || code.length < 80) return [];
    return [{ kind: "commit", language, path, query, code, names: [] }];
  });
}

/** The subject without numbers of issues, tags and prefixes; undefined for chores. */
function questionOf(subject: string): string | undefined {
  const text = subject
    .replaceAll(/\(?#\d+\)?|\b[A-Z]{2,}-\d+\b:?|\[[^\]]*\]|https?:\/\/\S+/g, "")
    .replace(/^(?:feat|fix|refactor|perf|test|build|style)(?:\([^)]*\))?!?:\s*/i, "")
    .trim();
  if (CHORE.test(text) || text.split(" ").length < 4 || !isProse(text)) return undefined;
  return text;
}
