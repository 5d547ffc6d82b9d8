/** Which commits belong to the history of a HEAD, newest first. */

import type { GitDirectory } from "../contracts/history.ts";
import { GitError, runGit } from "./run-git.ts";

/** A history of a hundred thousand commits is listed in two seconds. */
const TIMEOUT_MS = 120_000;

export interface Listing {
  readonly shas: readonly string[];
  /** Why the list ends where git could not continue. */
  readonly brokenBy?: string;
}

/** Without merges, at most `limit`. By ancestry alone: `head` is a hash, and nothing else is asked. */
export async function listCommits(
  directory: GitDirectory,
  head: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Listing> {
  let rest = "";
  const shas: string[] = [];
  try {
    await runGit(
      directory,
      ["rev-list", "--no-merges", `--max-count=${limit}`, "--end-of-options", head],
      {
        timeoutMs: TIMEOUT_MS,
        signal,
        onOutput: (bytes) => {
          const lines = (rest + bytes.toString("latin1")).split("\n");
          rest = lines.pop() ?? "";
          shas.push(...lines);
        },
      },
    );
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { shas, brokenBy: error.message };
  }
  return { shas };
}
