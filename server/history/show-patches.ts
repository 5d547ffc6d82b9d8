/** Reads what some commits changed as people read it: hunks with lines of context. */

import { availableParallelism } from "node:os";
import type { GitDirectory } from "../contracts/history.ts";
import { unquotePath } from "./quoted-path.ts";
import { RENAME_LIMIT } from "./read-metadata.ts";
import { gitOutput, SHOW_FLAGS } from "./run-git.ts";

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 16_000_000;
/** Longer lines are cut: they are not read by people. */
const MAX_LINE_LENGTH = 400;
const MAX_HUNKS_PER_COMMIT = 200;
/** Git needs 2 to 3 ms for each commit of a large repository: they are shared among these many processes. */
const PROCESSES = Math.min(4, availableParallelism());
const MIN_COMMITS_PER_PROCESS = 2;

export interface ShownHunk {
  readonly path: string;
  /** Of the file after the commit, zero-based; `lines` 0 where the file is gone. */
  readonly start: number;
  readonly lines: number;
  readonly oldStart: number;
  readonly oldLines: number;
  /** `@@ … @@` and the lines, each with its first character. */
  readonly text: readonly string[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** By hash, with paths relative to the folder that is `prefix` in the repository; a commit that git cannot show is missing. */
export async function showPatches(
  directory: GitDirectory,
  shas: readonly string[],
  prefix: string,
  signal?: AbortSignal,
): Promise<Map<string, ShownHunk[]>> {
  const size = Math.max(MIN_COMMITS_PER_PROCESS, Math.ceil(shas.length / PROCESSES));
  const parts: Promise<Map<string, ShownHunk[]>>[] = [];
  for (let from = 0; from < shas.length; from += size) {
    parts.push(showSome(directory, shas.slice(from, from + size), prefix, signal));
  }
  const found = await Promise.all(parts);
  return new Map(found.flatMap((part) => [...part]));
}

async function showSome(
  directory: GitDirectory,
  shas: readonly string[],
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<Map<string, ShownHunk[]>> {
  const output = await gitOutput(
    directory,
    [
      "log",
      "--no-walk=unsorted",
      "--stdin",
      "--format=%x00%H",
      "-p",
      "-U3",
      "-M",
      `-l${RENAME_LIMIT}`,
      "--src-prefix=a/",
      "--dst-prefix=b/",
      ...SHOW_FLAGS,
    ],
    { input: `${shas.join("\n")}\n`, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal },
  );
  const found = new Map<string, ShownHunk[]>();
  let state: State = { hunks: [], path: "", oldPath: "", missingOld: 0, missingNew: 0 };
  for (const line of output.toString("utf8").split("\n")) {
    if (line.startsWith("\0")) {
      state = { hunks: [], path: "", oldPath: "", missingOld: 0, missingNew: 0 };
      found.set(line.slice(1).trim(), state.hunks);
    } else take(state, line);
  }
  if (prefix !== "") for (const [sha, hunks] of found) found.set(sha, inside(hunks, prefix));
  return found;
}

function inside(hunks: readonly ShownHunk[], prefix: string): ShownHunk[] {
  return hunks.flatMap((hunk) =>
    hunk.path.startsWith(prefix) ? [{ ...hunk, path: hunk.path.slice(prefix.length) }] : [],
  );
}

interface State {
  readonly hunks: (ShownHunk & { readonly text: string[] })[];
  path: string;
  oldPath: string;
  missingOld: number;
  missingNew: number;
}

function take(state: State, line: string): void {
  if (state.missingOld > 0 || state.missingNew > 0) {
    if (line[0] !== "+" && line[0] !== "\\") state.missingOld--;
    if (line[0] !== "-" && line[0] !== "\\") state.missingNew--;
    state.hunks.at(-1)?.text.push(line.slice(0, MAX_LINE_LENGTH));
    return;
  }
  if (line.startsWith("--- ")) state.oldPath = pathOf(line, "a/");
  else if (line.startsWith("+++ ")) {
    const path = pathOf(line, "b/");
    state.path = path === "/dev/null" ? state.oldPath : path;
  } else begin(state, line);
}

function begin(state: State, line: string): void {
  const [, oldStart, oldLines = "1", start, lines = "1"] = HUNK.exec(line) ?? [];
  if (start === undefined || state.hunks.length >= MAX_HUNKS_PER_COMMIT) return;
  [state.missingOld, state.missingNew] = [Number(oldLines), Number(lines)];
  state.hunks.push({
    path: state.path,
    start: Math.max(0, Number(start) - 1),
    lines: state.missingNew,
    oldStart: Math.max(0, Number(oldStart) - 1),
    oldLines: state.missingOld,
    text: [line.slice(0, MAX_LINE_LENGTH)],
  });
}

/** Git ends a name with a tab where it has a blank in it. */
function pathOf(line: string, prefix: string): string {
  const text = unquotePath(line.slice(4).replace(/\t$/, ""));
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}
