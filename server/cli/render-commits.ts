/** Renders commits as text: subject, author, age, and where the changed code is now. */

import { count } from "../common/count.ts";
import { shortSha } from "../common/short-sha.ts";
import { type CommitHit, type HunkHit, whyMissing } from "../contracts/history-request.ts";
import type { Colors, CommandContext } from "./command-context.ts";
import { pathFromFolder } from "./find-root.ts";
import { printable } from "./terminal-text.ts";

interface CommitLayout {
  readonly patch?: boolean;
  readonly explain?: boolean;
  /** Without a question, all commits have the same score, so none is shown. */
  readonly hasQuestion?: boolean;
}

const MAX_NAMED_FILES = 3;

export function renderCommits(
  commits: readonly CommitHit[],
  { colors, cwd }: Pick<CommandContext, "colors" | "cwd">,
  layout: CommitLayout,
): string {
  return commits
    .map((commit) =>
      [
        header(commit, colors, layout),
        colors.dim(`  ${printable(commit.author)}, ${commit.age}${filesOf(commit)}`),
        ...sameAs(commit, colors),
        ...(layout.explain === true ? commit.why.map((reason) => why(reason, colors)) : []),
        ...commit.hunks.flatMap((hunk) => renderHunk(hunk, commit, { colors, cwd }, layout)),
      ].join("\n"),
    )
    .join("\n\n");
}

function header(
  { sha, subject, score }: CommitHit,
  colors: Colors,
  { hasQuestion = true }: CommitLayout,
): string {
  const short = colors.yellow(shortSha(sha));
  const shown = hasQuestion ? `  ${colors.dim(score.toFixed(2))}` : "";
  return `${short}  ${colors.bold(printable(subject))}${shown}`;
}

function filesOf({ files }: CommitHit): string {
  if (files.length === 0) return "";
  const named = files.slice(0, MAX_NAMED_FILES).map(({ path }) => printable(path));
  const rest = files.length - named.length;
  return `; ${named.join(", ")}${rest > 0 ? ` and ${count(rest, "more file")}` : ""}`;
}

function sameAs({ same }: CommitHit, colors: Colors): string[] {
  if (same.length === 0) return [];
  const named = same.map(({ sha, age }) => `${shortSha(sha)} (${age})`);
  return [colors.dim(`  the same change: ${named.join(", ")}`)];
}

function why({ name, contribution, detail }: CommitHit["why"][number], colors: Colors): string {
  const sign = contribution < 0 ? "-" : "+";
  const amount = `${sign}${Math.abs(contribution).toFixed(4)}`;
  return colors.dim(`  ${amount}  ${name}${detail === undefined ? "" : `: ${detail}`}`);
}

function renderHunk(
  hunk: HunkHit,
  { root }: CommitHit,
  { colors, cwd }: Pick<CommandContext, "colors" | "cwd">,
  layout: CommitLayout,
): string[] {
  const { path, lines, symbols, now, patch } = hunk;
  const name = symbols.length === 0 ? "" : ` ${symbols.map(printable).join(", ")}`;
  const then = `${printable(path)}:${lines.start + 1}-${lines.end + 1}${name}`;
  const place = now && printable(pathFromFolder(cwd, root, now.path));
  const at = now?.lines === undefined ? "" : `:${now.lines.start + 1}`;
  const today = place === undefined ? colors.dim(whyMissing(hunk)) : colors.cyan(`${place}${at}`);
  const text = layout.patch === true && patch !== undefined ? colorPatch(patch, colors) : [];
  return [`  ${then} -> ${today}`, ...text];
}

export function colorPatch(patch: string, colors: Colors): string[] {
  return patch.split("\n").map((line) => {
    const text = `    ${printable(line)}`;
    if (line.startsWith("+")) return colors.green(text);
    if (line.startsWith("-")) return colors.red(text);
    return line.startsWith("@@") ? colors.cyan(text) : text;
  });
}
