/** Explains lines of a file, or of its unsaved buffer, by the commits that shaped them. */

import { count } from "../../common/count.ts";
import { BadRequest, isSystemError, messageOf, Unavailable } from "../../common/errors.ts";
import { readFileInside } from "../../common/read-file.ts";
import { shortSha } from "../../common/short-sha.ts";
import { linesOf } from "../../common/text.ts";
import { formatAge } from "../../common/time-text.ts";
import {
  BOUNDARY_NOTE,
  type Explanation,
  type LineOrigin,
  type ShapingCommit,
} from "../../contracts/history-request.ts";
import type { Lines } from "../../contracts/model.ts";
import { patchText } from "../choose-hunks.ts";
import { decodeHunks } from "../decode-hunks.ts";
import { blame, bytesAt } from "../explain.ts";
import { namesByMailmap } from "../mailmap.ts";
import { mapLines } from "../map-lines.ts";
import { maskPatch } from "../mask-patch.ts";
import type { OpenRepository } from "../open-repository.ts";
import type { DiffHunk } from "../parse-diff.ts";
import { type Metadata, readMetadata } from "../read-metadata.ts";
import { NoHistory } from "../repository.ts";
import { GitError } from "../run-git.ts";
import { firstParagraph } from "../trailers.ts";
import type { HistoryIndex, TextTools } from "./context.ts";
import { type RepositoryAround, withRepositoryAround } from "./repository-around.ts";

/** Only this many lines of a larger selection are explained. */
const MAX_LINES = 2_000;
const NEIGHBOR_LINES = 3;
const MAX_COMMITS = 10;
const MAX_FILE_BYTES = 20_000_000;
/** A hover shows at most this many commits. */
const MAX_SUMMARIZED = 3;

interface SelectedLines {
  readonly index: HistoryIndex;
  /** Relative to the index. */
  readonly path: string;
  readonly selected: Lines;
  /** The text of the file's buffer. */
  readonly unsaved: string | undefined;
  readonly tools: TextTools;
}

export async function explainLines(
  request: SelectedLines,
  signal: AbortSignal | undefined,
): Promise<Explanation> {
  const { index, path } = request;
  index.history.reader.lookAgain();
  try {
    return await withRepositoryAround(index, path, (past) => explain(past, request, signal));
  } catch (error) {
    if (!(error instanceof GitError) && !(error instanceof NoHistory)) throw error;
    const remedy =
      error instanceof NoHistory
        ? "ask about a file of a repository with commits, with git on the PATH"
        : `check that the repository is intact; in a partial clone, git blame ${path} fetches the missing objects`;
    throw new Unavailable(`${path} has no history: ${error.message}`, remedy, { cause: error });
  }
}

async function explain(
  past: RepositoryAround,
  { index, path, selected, unsaved, tools }: SelectedLines,
  signal: AbortSignal | undefined,
): Promise<Explanation> {
  const decode = (bytes: Buffer) => tools.decode(bytes, index.encodingOf(path));
  const text = unsaved ?? (await readText(index.root, path, decode));
  const lines = linesOf(text);
  if (selected.start > selected.end || selected.start >= Math.max(1, lines.length)) {
    throw new BadRequest(`${path} has only ${count(lines.length, "line")}`);
  }
  const end = Math.min(selected.end, lines.length - 1, selected.start + MAX_LINES - 1);
  const file = await readLines(past, lines, decode, signal);
  // Separate calls: git detects copies within the lines that it is asked about.
  const { start } = selected;
  const between = (from: number, to: number) => originsOf(file, { start: from, end: to }, signal);
  const [before, origins, after] = await Promise.all([
    between(Math.max(0, start - NEIGHBOR_LINES), start - 1),
    between(start, end),
    between(end + 1, Math.min(lines.length - 1, end + NEIGHBOR_LINES)),
  ]);
  const shas = [...new Set(origins.flatMap(({ sha }) => sha ?? []))];
  const described = await describe(past, origins, { ...tools, decode }, signal);
  // A file may be excluded because it contains secrets.
  const isExcluded = index.rules.decide(path, "file") !== undefined;
  const commits = isExcluded ? described.map((commit) => ({ ...commit, patch: "" })) : described;
  const around = [...before, ...after].flatMap(({ sha }) => sha ?? []);
  const neighbors = [...new Set(around)].filter((sha) => !shas.includes(sha));
  return { commits, origins, neighbors, summary: summarize(commits, origins) };
}

type Decode = (bytes: Buffer) => string | undefined;

async function readText(root: string, path: string, decode: Decode): Promise<string> {
  const read = await readFileInside(root, path, async ({ handle, found }) =>
    found.size > MAX_FILE_BYTES ? {} : { text: decode(await handle.readFile()) },
  ).catch((error: unknown) => {
    if (!isSystemError(error)) throw error;
    throw new BadRequest(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  });
  if ("absent" in read) throw new BadRequest(`${path} cannot be read: ${read.absent}`);
  if (read.text === undefined) throw new BadRequest(`${path} is binary or too large`);
  return read.text;
}

interface BlamedFile extends Pick<OpenRepository, "directory"> {
  readonly head: string;
  /** Relative to the repository. */
  readonly path: string;
  /** For each line of the text, its line number in HEAD; undefined for an uncommitted line. */
  readonly committed: readonly (number | undefined)[];
}

async function readLines(
  { opened: { directory, head }, path }: RepositoryAround,
  lines: readonly string[],
  decode: Decode,
  signal: AbortSignal | undefined,
): Promise<BlamedFile> {
  const bytes = await bytesAt(directory, head.commit, path, signal);
  const text = bytes === undefined ? undefined : decode(bytes);
  const committed = text === undefined ? [] : mapLines(linesOf(text), lines);
  return { directory, head: head.commit, path, committed };
}

/** Blames the lines that HEAD has; the other lines are not committed. */
async function originsOf(
  { directory, head, path, committed }: BlamedFile,
  range: Lines,
  signal: AbortSignal | undefined,
): Promise<LineOrigin[]> {
  if (range.end < range.start) return [];
  const wanted: { readonly line: number; readonly old: number }[] = [];
  for (let line = range.start; line <= range.end; line++) {
    const old = committed[line];
    if (old !== undefined) wanted.push({ line, old });
  }
  const request = { head, path, ranges: runs(wanted) };
  const found = new Map(
    (await blame(directory, request, signal)).map((origin) => [origin.line, origin]),
  );
  const byLine = new Map(wanted.map(({ line, old }) => [line, found.get(old)]));
  return Array.from({ length: range.end - range.start + 1 }, (_, i) => {
    const line = range.start + i;
    return { ...byLine.get(line), line };
  });
}

/** Merges consecutive old lines into ranges. */
function runs(wanted: readonly { readonly old: number }[]): Lines[] {
  const ranges: { start: number; end: number }[] = [];
  for (const { old } of wanted) {
    const last = ranges.at(-1);
    if (last?.end === old - 1) last.end = old;
    else ranges.push({ start: old, end: old });
  }
  return ranges;
}

async function describe(
  { opened, patches: reader }: RepositoryAround,
  origins: readonly LineOrigin[],
  { maskSecrets, decode }: Pick<TextTools, "maskSecrets"> & { readonly decode: Decode },
  signal: AbortSignal | undefined,
): Promise<ShapingCommit[]> {
  const shas = [...new Set(origins.flatMap(({ sha }) => sha ?? []))];
  if (shas.length === 0) return [];
  const metadata = await readMetadata(opened.directory, shas, "none", signal);
  const authors = [...metadata.values()].map(({ author }) => author);
  const currentAuthor = await namesByMailmap(opened, authors, signal);
  const most = shas
    .map((sha) => ({ sha, own: origins.filter((origin) => origin.sha === sha) }))
    .toSorted(
      (a, b) => b.own.length - a.own.length || timeOf(metadata, b.sha) - timeOf(metadata, a.sha),
    )
    .slice(0, MAX_COMMITS);
  const wanted = most.map(({ sha }) => sha);
  const patches = await reader.read(opened, wanted, signal);
  const boundaries = new Set(opened.repository.shallow.split("\n"));
  return most.flatMap(({ sha, own }) => {
    const meta = metadata.get(sha);
    if (meta === undefined) return [];
    const author = currentAuthor(meta.author);
    const hunks = decodeHunks(patches.get(sha) ?? [], decode);
    const shaping = toShaping({ ...meta, author }, own, hunks, maskSecrets);
    return [boundaries.has(sha) ? { ...shaping, isBoundary: true } : shaping];
  });
}

function timeOf(metadata: ReadonlyMap<string, Metadata>, sha: string): number {
  return metadata.get(sha)?.time ?? 0;
}

function toShaping(
  { sha, subject, body, author, time }: Metadata,
  own: readonly LineOrigin[],
  hunks: readonly DiffHunk[],
  maskSecrets: (text: string) => string,
): ShapingCommit {
  const shaped = hunks.filter((hunk) =>
    own.some(
      ({ path, originalLine = -1 }) =>
        path === hunk.path && originalLine >= hunk.start && originalLine < hunk.start + hunk.lines,
    ),
  );
  const text = shaped.flatMap((hunk) => maskPatch(hunk.text, maskSecrets));
  return {
    sha,
    subject: maskSecrets(subject),
    paragraph: maskSecrets(firstParagraph(body)),
    author,
    time,
    age: formatAge(time, Date.now() / 1000),
    path: own[0]?.path ?? "",
    lines: own.map(({ line }) => line),
    patch: patchText(text),
  };
}

/** Markdown for a hover: the commits, by the number of lines that they shaped. */
function summarize(commits: readonly ShapingCommit[], origins: readonly LineOrigin[]): string {
  const named = commits
    .slice(0, MAX_SUMMARIZED)
    .map(({ sha, subject, age, author, lines, paragraph, isBoundary }) => {
      const name = author.replace(/\s*<[^>]*>$/, "");
      const share = `${lines.length} of ${origins.length} lines`;
      const head = `- \`${shortSha(sha)}\` **${escapeMarkdown(subject)}** (${escapeMarkdown(name)}, ${age}; ${share})`;
      return [head, paragraph, isBoundary === true ? BOUNDARY_NOTE : ""]
        .filter((part) => part !== "")
        .map((part, i) => (i === 0 ? part : escapeMarkdown(part).replaceAll("\n", "\n  ")))
        .join("\n\n  ");
    });
  const rest = commits.length - named.length;
  const unsaved = origins.filter(({ sha }) => sha === undefined).length;
  return [
    ...named,
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    ...(unsaved > 0 ? [`- ${unsaved} of ${origins.length} lines are not committed`] : []),
  ].join("\n");
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>#|!]/g, "\\$&");
}
