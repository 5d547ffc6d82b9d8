/** Finds commits that changed files whose blobs are missing; in a partial clone, these are nearly all commits. */

import type { GitDirectory } from "../contracts/history.ts";
import { gitOutput, SHOW_FLAGS } from "./run-git.ts";

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64_000_000;

/** The blobs before and after; for an added or deleted file one is all zeros. */
const RAW = /^:\d{6} \d{6} ([0-9a-f]+) ([0-9a-f]+) /;
const NO_BLOB = /^0+$/;
/** A submodule names a commit of another repository. */
const SUBMODULE = /^:(?:160000|\d{6} 160000) /;

/** Checks that blobs exist without reading them. Rejects with GitError if a commit or its files cannot be listed. */
export async function commitsWithMissingBlobs(
  directory: GitDirectory,
  shas: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal };
  const flags = ["--raw", "--no-renames", "--no-abbrev", ...SHOW_FLAGS];
  const listed = await gitOutput(
    directory,
    ["log", "--no-walk=unsorted", "--stdin", "--format=%x00%H", ...flags],
    { ...options, input: `${shas.join("\n")}\n` },
  );
  const blobs = new Map<string, string[]>();
  for (const commit of listed.toString("latin1").split("\0").slice(1)) {
    const [sha = "", ...lines] = commit.split("\n");
    const changed = lines.filter((line) => !SUBMODULE.test(line));
    const named = changed.flatMap((line) => RAW.exec(line)?.slice(1) ?? []);
    blobs.set(
      sha,
      named.filter((blob) => !NO_BLOB.test(blob)),
    );
  }
  const distinct = new Set([...blobs.values()].flat());
  const checked = await gitOutput(directory, ["cat-file", "--batch-check=%(objectname)"], {
    ...options,
    input: [...distinct].map((blob) => `${blob}\n`).join(""),
  });
  const answers = checked.toString("latin1").split("\n");
  const missing = new Set(answers.flatMap((line) => /^(\S+) missing$/.exec(line)?.[1] ?? []));
  const isIncomplete = (all: readonly string[]) => all.some((blob) => missing.has(blob));
  return new Set([...blobs].flatMap(([sha, all]) => (isIncomplete(all) ? [sha] : [])));
}
