/** Reads a diff as git prints it for people: hunks with lines of context. */

import { pathInHeader } from "./quoted-path.ts";

/** Longer lines are cut: they are not read by people. */
const MAX_LINE_LENGTH = 400;
const MAX_HUNKS_PER_COMMIT = 200;

export interface ShownHunk {
  readonly path: string;
  /** Of the file after the commit, zero-based; `lines` 0 where the file is gone. */
  readonly start: number;
  readonly lines: number;
  readonly oldStart: number;
  readonly oldLines: number;
  /** `@@ … @@` and the lines, each with its first character and without its end, CRLF or LF. */
  readonly text: readonly string[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

interface State {
  readonly hunks: (ShownHunk & { readonly text: string[] })[];
  path: string;
  oldPath: string;
  missingOld: number;
  missingNew: number;
}

/** The hunks of one commit, in the order of its files; the first ones where there are very many. */
export function parseShown(output: string): ShownHunk[] {
  const state: State = { hunks: [], path: "", oldPath: "", missingOld: 0, missingNew: 0 };
  for (let from = 0; from < output.length; ) {
    const at = output.indexOf("\n", from);
    const end = at === -1 ? output.length : at;
    if (!take(state, output.slice(from, end))) break;
    from = end + 1;
  }
  return state.hunks;
}

/** Those of the folder that is `prefix` in the repository, with its paths. */
export function hunksInside(hunks: readonly ShownHunk[], prefix: string): readonly ShownHunk[] {
  if (prefix === "") return hunks;
  return hunks.flatMap((hunk) =>
    hunk.path.startsWith(prefix) ? [{ ...hunk, path: hunk.path.slice(prefix.length) }] : [],
  );
}

/** False when there are hunks enough. */
function take(state: State, line: string): boolean {
  if (state.missingOld > 0 || state.missingNew > 0) {
    if (line[0] !== "+" && line[0] !== "\\") state.missingOld--;
    if (line[0] !== "-" && line[0] !== "\\") state.missingNew--;
    state.hunks.at(-1)?.text.push(line.slice(0, MAX_LINE_LENGTH).replace(/\r$/, ""));
    return true;
  }
  if (line.startsWith("--- ")) state.oldPath = pathInHeader(line, "a/");
  else if (line.startsWith("+++ ")) {
    const path = pathInHeader(line, "b/");
    state.path = path === "/dev/null" ? state.oldPath : path;
  } else return begin(state, line);
  return true;
}

function begin(state: State, line: string): boolean {
  const [, oldStart, oldLines = "1", start, lines = "1"] = HUNK.exec(line) ?? [];
  if (start === undefined) return true;
  if (state.hunks.length >= MAX_HUNKS_PER_COMMIT) return false;
  [state.missingOld, state.missingNew] = [Number(oldLines), Number(lines)];
  state.hunks.push({
    path: state.path,
    start: Math.max(0, Number(start) - 1),
    lines: state.missingNew,
    oldStart: Math.max(0, Number(oldStart) - 1),
    oldLines: state.missingOld,
    text: [line.slice(0, MAX_LINE_LENGTH)],
  });
  return true;
}
