/** The tools about the history of a repository: find_pattern and explain_change. */

import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import { BadRequest } from "../common/errors.ts";
import { shortSha } from "../common/short-sha.ts";
import {
  BOUNDARY_NOTE,
  type CommitHit,
  parseExplainRequest,
  parseHistoryRequest,
  type ShapingCommit,
  whyMissing,
} from "../contracts/history-request.ts";
import type { Lines } from "../contracts/model.ts";
import { fileInRoots, indented, renderItems, shortenLine, shownInside } from "./answers.ts";
import { basisOf, outcomeOf } from "./basis.ts";
import { explainOutput, patternOutput } from "./output-shapes.ts";
import { isHistoryReady } from "./readiness.ts";
import type { RootedSession } from "./rooted-session.ts";
import { addTool, pathsShape, type ToolCall, type ToolSetup, tokensShape } from "./tool-parts.ts";

const DEFAULT_LIMIT = 10;
/** The last line if none is given; lines after the end of the file are cut. */
const MAX_LINE = 1_000_000;

const momentShape = z.string().min(1).max(100).optional();
const lineShape = z.number().int().min(1).max(MAX_LINE).optional();

const patternShape = z.strictObject({
  query: z.string().min(1).describe("The change to look for, in words or names."),
  limit: z.number().int().min(1).max(50).default(DEFAULT_LIMIT),
  paths: pathsShape,
  author: z.string().min(1).max(200).optional(),
  since: momentShape.describe("A date, or an age such as 90d."),
  until: momentShape,
  maxTokens: tokensShape,
});

const explainShape = z.strictObject({
  path: z.string().min(1).max(4000),
  startLine: lineShape.describe("Line from 1; without lines, the whole file."),
  endLine: lineShape,
  maxTokens: tokensShape,
});

export function registerHistoryTools(setup: ToolSetup): void {
  addTool(
    setup,
    "find_pattern",
    {
      description:
        "Finds earlier commits with a similar change, the places they changed, and where that code is now. Use it to see how this repository makes such a change. To find current code, use search_code.",
      inputSchema: patternShape,
      outputSchema: patternOutput,
    },
    findPattern,
  );
  addTool(
    setup,
    "explain_change",
    {
      description:
        "Lists the commits that shaped some lines of a file, with author, reason and diff. Use it before changing code whose purpose is unclear. To see what the code does, read the file.",
      inputSchema: explainShape,
      outputSchema: explainOutput,
    },
    explainChange,
  );
}

async function findPattern(
  session: RootedSession,
  { maxTokens, ...query }: z.infer<typeof patternShape>,
  call: ToolCall,
): Promise<CallToolResult> {
  const request = parseHistoryRequest({ ...query, patch: true });
  const open = await session.session();
  const ask = async () => await open.history(request, call.signal);
  // This first request makes the engine read the newest commits before the files.
  const first = await ask();
  const isEnough = isHistoryReady(first.history);
  if (!isEnough) await call.whenReady(open, "history");
  const { commits, history, warnings } = isEnough ? first : await ask();
  const status = await open.status();
  const items = commits.map((commit) => ({ commit, hunks: hunksOf(commit, session.roots) }));
  const basis = (omitted: number) =>
    basisOf({ ...status, warnings, omitted, history }, session.warnings);
  const parts = [
    ({ commit }: Item) => `${headOf(commit)} (${commit.score.toFixed(2)})`,
    ({ hunks }: Item) => indented(hunks.map(({ text }) => text)),
    ({ hunks }: Item) => indented((hunks[0]?.patch ?? "").split("\n")),
  ] as const;
  const { text, shown } = await renderItems<Item>(items, parts, maxTokens, basis);
  return {
    content: [{ type: "text", text }],
    structuredContent: {
      state: history.state,
      outcome: outcomeOf(basis(0), items.length),
      commits: shown.map(({ commit, hunks }) => ({
        ...commitValue(commit),
        places: hunks.map(({ value }) => value),
      })),
    },
  };
}

interface ShownHunk {
  readonly text: string;
  readonly patch: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Item {
  readonly commit: CommitHit;
  readonly hunks: readonly ShownHunk[];
}

/** The hunks inside the roots: a root may be a part of its repository. */
function hunksOf({ root, hunks }: CommitHit, roots: readonly string[]): ShownHunk[] {
  return hunks.flatMap((hunk): ShownHunk[] => {
    const { path, lines, symbols, now, patch = "" } = hunk;
    const then = shownInside(root, path, roots);
    const today = now && shownInside(root, now.path, roots);
    if (then === undefined || (now !== undefined && today === undefined)) return [];
    const names = symbols.length === 0 ? "" : ` ${symbols.join(", ")}`;
    const line = now?.lines?.start;
    const place = `${today}${line === undefined ? "" : `:${line + 1}`}`;
    const text = `${then}:${lines.start + 1}${names} -> ${today === undefined ? whyMissing(hunk) : `now ${place}`}`;
    const value = {
      ...lined(then, lines),
      symbols,
      ...(today === undefined ? {} : { now: lined(today, now?.lines) }),
    };
    return [{ text, patch, value }];
  });
}

function lined(path: string, lines: Lines | undefined) {
  return lines === undefined
    ? { path }
    : { path, startLine: lines.start + 1, endLine: lines.end + 1 };
}

/** Git answers, however much of the files or the history is indexed. */
const FROM_GIT = { isFirst: false, coverage: "whole", nothing: "No results." } as const;

async function explainChange(
  session: RootedSession,
  { path, startLine, endLine, maxTokens }: z.infer<typeof explainShape>,
  call: ToolCall,
): Promise<CallToolResult> {
  const start = startLine ?? 1;
  const end = endLine ?? startLine ?? MAX_LINE;
  if (end < start) throw new BadRequest("endLine is before startLine");
  const open = await session.session();
  const file = fileInRoots(path, session.roots);
  const lines = { start: start - 1, end: end - 1 };
  const request = parseExplainRequest({ path: file.path, lines });
  // Git answers, so neither the files nor the history need to be indexed.
  const { commits, origins } = await open.explain(request, call.signal);
  const status = await open.status();
  const { name } = file;
  const uncommitted = origins.filter(({ sha }) => sha === undefined).length;
  const note = [
    commits.some(({ isBoundary }) => isBoundary === true)
      ? "history from git, cut off by a shallow clone"
      : "history from git",
    ...(uncommitted === 0 ? [] : [`${uncommitted} of ${origins.length} lines are not committed`]),
  ];
  const basis = (omitted: number) => ({
    ...basisOf({ ...status, warnings: session.warnings, omitted, history: "git" }, note),
    ...FROM_GIT,
  });
  const parts = [
    (commit: ShapingCommit) =>
      `${name}:${(commit.lines[0] ?? 0) + 1} ${headOf(commit)}; ${commit.lines.length} of ${origins.length} lines`,
    ({ paragraph, isBoundary }: ShapingCommit) =>
      indented([...(isBoundary === true ? [BOUNDARY_NOTE] : []), ...paragraph.split("\n")]),
    ({ patch }: ShapingCommit) => indented(patch.split("\n")),
  ] as const;
  const { text, shown } = await renderItems<ShapingCommit>(commits, parts, maxTokens, basis);
  return {
    content: [{ type: "text", text }],
    structuredContent: {
      state: status.state,
      outcome: outcomeOf(basis(0), commits.length),
      lines: origins.length,
      uncommitted,
      commits: shown.map((commit) => ({
        ...commitValue(commit),
        ...lined(name, { start: commit.lines[0] ?? 0, end: commit.lines.at(-1) ?? 0 }),
        lines: commit.lines.length,
      })),
    },
  };
}

type Described = Pick<ShapingCommit, "sha" | "subject" | "author" | "age" | "time">;

function headOf({ sha, subject, author, age }: Described): string {
  return shortenLine(`${shortSha(sha)} ${subject} (${nameOf(author)}, ${age})`);
}

function commitValue({ sha, subject, author, time }: Described) {
  return { sha, subject, author: nameOf(author), date: new Date(time * 1000).toISOString() };
}

/** The author without the e-mail address. */
function nameOf(author: string): string {
  return author.replace(/\s*<[^>]*>$/, "");
}
