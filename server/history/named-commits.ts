/** Finds commits by hashes in a query, including commits that are not stored: merges, very large ones, other branches. */

import type { CommitRow, GitDirectory, TouchedFile } from "../contracts/history.ts";
import type { OpenRepository } from "./open-repository.ts";
import { type Metadata, readMetadata } from "./read-metadata.ts";
import { GitError, gitOutput, runGit } from "./run-git.ts";

const TIMEOUT_MS = 10_000;
/** A pasted log may be full of numbers that look like hashes. */
const MAX_HASHES = 10;
const MAX_BYTES = 10_000;

/** A hash or a prefix of one. It must contain a digit; otherwise it is a word such as "effaced". */
const HASH = /\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/gi;

/** The hashes in a text, in lower case as git writes them. */
export function hashesIn(text: string): string[] {
  return [...new Set((text.match(HASH) ?? []).map((hash) => hash.toLowerCase()))];
}

/** The commits with these hashes that exist in the repository, in order. Rejects with GitError. */
export async function readNamed(
  { directory, repository }: OpenRepository,
  hashes: readonly string[],
  signal?: AbortSignal,
): Promise<CommitRow[]> {
  const shas = await commitsOf(directory, hashes.slice(0, MAX_HASHES), signal);
  if (shas.length === 0) return [];
  const found = await readMetadata(directory, shas, "renames", signal);
  return shas.flatMap((sha) => {
    const meta = found.get(sha);
    return meta === undefined ? [] : [toRow(meta, repository.prefix)];
  });
}

export async function isInHistory(
  { directory, head }: OpenRepository,
  sha: string,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    const args = ["merge-base", "--is-ancestor", sha, head.commit];
    await runGit(directory, args, { timeoutMs: TIMEOUT_MS, signal, onOutput: () => undefined });
    return true;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

async function commitsOf(
  directory: GitDirectory,
  hashes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const output = await gitOutput(
    directory,
    ["cat-file", "--batch-check=%(objectname) %(objecttype)"],
    {
      input: hashes.map((hash) => `${hash}^{commit}\n`).join(""),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal,
    },
  );
  const lines = output.toString("latin1").split("\n");
  return [...new Set(lines.flatMap((line) => /^([0-9a-f]{40,64}) commit$/.exec(line)?.[1] ?? []))];
}

function toRow({ files, ...meta }: Metadata, prefix: string): CommitRow {
  const inside = files.flatMap(({ path, status, from }): TouchedFile[] => {
    if (!path.startsWith(prefix)) return [];
    const touched = { path: path.slice(prefix.length), status };
    return [
      from?.startsWith(prefix) === true ? { ...touched, from: from.slice(prefix.length) } : touched,
    ];
  });
  return { ...meta, files: inside, hunks: [], lanes: "" };
}
