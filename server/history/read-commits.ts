/** Reads commits as rows to store. A commit that git cannot read does not stop the others. */

import type { GitDirectory, ReadCommit, TouchedFile } from "../contracts/history.ts";
import { type CommitTools, digestCommit } from "./digest-commit.ts";
import { commitsWithMissingBlobs } from "./missing-blobs.ts";
import type { FilePatch } from "./patch-parser.ts";
import { type Metadata, readMetadata } from "./read-metadata.ts";
import { readPatches } from "./read-patches.ts";
import { unlessFailed } from "./run-git.ts";

/** A commit that touches more files is a move, an import or a reformatting; its diff is not indexed. */
const MAX_FILES = 100;
/** Files that are listed for such a commit. */
const MAX_LISTED_FILES = 1_000;

interface ReadingOptions {
  readonly directory: GitDirectory;
  readonly prefix: string;
  readonly tools: CommitTools;
  readonly signal?: AbortSignal | undefined;
}

/** One row per hash, in any order. */
export async function readCommits(
  shas: readonly string[],
  options: ReadingOptions,
): Promise<ReadCommit[]> {
  if (shas.length === 0) return [];
  const rows = (await unlessFailed(readBatch(shas, options), options.signal)) ?? [];
  if (rows.length === shas.length) return rows;
  const read = new Set(rows.map(({ sha }) => sha));
  const missing = shas.filter((sha) => !read.has(sha));
  return missing.length === shas.length
    ? await readApart(shas, options)
    : [...rows, ...(await readCommits(missing, options))];
}

/** Splits a failed batch: first off the commits with missing blobs, then in halves, down to single commits. */
async function readApart(shas: readonly string[], options: ReadingOptions): Promise<ReadCommit[]> {
  if (shas.length === 1) return await readUnreadable(shas, options);
  const { directory, signal } = options;
  const incomplete = await unlessFailed(commitsWithMissingBlobs(directory, shas, signal), signal);
  if (incomplete !== undefined && incomplete.size > 0) {
    const rows = await readUnreadable([...incomplete], options);
    const rest = shas.filter((sha) => !incomplete.has(sha));
    return [...rows, ...(await readCommits(rest, options))];
  }
  const middle = Math.ceil(shas.length / 2);
  const first = await readCommits(shas.slice(0, middle), options);
  return [...first, ...(await readCommits(shas.slice(middle), options))];
}

async function readBatch(shas: readonly string[], options: ReadingOptions): Promise<ReadCommit[]> {
  const { directory, tools, signal } = options;
  const metadata = await readMetadata(directory, shas, "renames", signal);
  const rows: ReadCommit[] = [];
  const wanted = new Map<string, Metadata>();
  for (const meta of metadata.values()) {
    const files = filesInside(meta.files, options);
    if (meta.files.length > 0 && files.length === 0) rows.push(outsideRow(meta, tools));
    else if (meta.files.length <= MAX_FILES) wanted.set(meta.sha, { ...meta, files });
    else rows.push(messageRow({ ...meta, files }, `more than ${MAX_FILES} files`, tools));
  }
  const found = (sha: string, patches: readonly FilePatch[]) => {
    const meta = wanted.get(sha);
    if (meta !== undefined)
      rows.push(digestCommit(meta, patchesInside(patches, meta, options), tools));
  };
  if (wanted.size > 0) await readPatches(directory, [...wanted.keys()], found, signal);
  return rows;
}

/** The files that belong to the workspace and are not excluded, with paths relative to it. */
function filesInside(
  files: readonly TouchedFile[],
  { prefix, tools }: ReadingOptions,
): TouchedFile[] {
  return files.flatMap(({ path, status, from }): TouchedFile[] => {
    const inside = withoutPrefix(path, prefix);
    if (inside === undefined || tools.isExcluded(inside)) return [];
    const before = from === undefined ? undefined : withoutPrefix(from, prefix);
    if (before === undefined) {
      return [{ path: inside, status: status === "renamed" ? "added" : status }];
    }
    return [{ path: inside, status, from: before }];
  });
}

function patchesInside(
  patches: readonly FilePatch[],
  { files }: Metadata,
  { prefix }: ReadingOptions,
): FilePatch[] {
  const wanted = new Set(files.map(({ path }) => path));
  return patches.flatMap(({ path, hunks }) => {
    const inside = withoutPrefix(path, prefix);
    return inside !== undefined && wanted.has(inside) ? [{ path: inside, hunks }] : [];
  });
}

function withoutPrefix(path: string, prefix: string): string | undefined {
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/** Reads metadata alone, for commits whose objects are missing or damaged, or whose diff takes too long. */
async function readUnreadable(
  shas: readonly string[],
  options: ReadingOptions,
): Promise<ReadCommit[]> {
  const { directory, signal } = options;
  const read = (some: readonly string[], files: "names" | "none") =>
    unlessFailed(readMetadata(directory, some, files, signal), signal);
  const named = await read(shas, "names");
  const rows: ReadCommit[] = [];
  for (const sha of shas) {
    const meta = named?.get(sha) ?? (await read([sha], "none"))?.get(sha);
    rows.push(unreadableRow(sha, meta, options));
  }
  return rows;
}

function unreadableRow(
  sha: string,
  meta: Metadata | undefined,
  options: ReadingOptions,
): ReadCommit {
  const { prefix, tools } = options;
  if (meta === undefined) {
    const nothing = { sha, time: 0, author: "", subject: "", body: "", hunks: [], lanes: "" };
    return { ...nothing, files: [], excluded: "git cannot read it" };
  }
  const files = filesInside(meta.files, options);
  const isOutside = files.length === 0 && (meta.files.length > 0 || prefix !== "");
  if (isOutside) return outsideRow(meta, tools);
  return messageRow({ ...meta, files }, "git cannot read its changes", tools);
}

/** A row that can be found by message and files, but not by its diff. */
function messageRow(meta: Metadata, excluded: string, tools: CommitTools): ReadCommit {
  const files = meta.files.slice(0, MAX_LISTED_FILES);
  return { ...digestCommit({ ...meta, files }, [], tools), excluded };
}

/** A row that no search finds, stored so that the commit is not read again. */
function outsideRow(meta: Metadata, { maskSecrets }: CommitTools): ReadCommit {
  const [subject, body] = [maskSecrets(meta.subject), maskSecrets(meta.body)];
  const excluded = "no indexed file";
  return { ...meta, subject, body, files: [], hunks: [], excluded, lanes: "" };
}
