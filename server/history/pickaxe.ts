/** Finds the commits that added or removed a text, word for word, by looking through their diffs. */

import { TimeLimitExceeded } from "../common/time-limit.ts";
import type { GitDirectory } from "../contracts/history.ts";
import { runGit, SHOW_FLAGS } from "./run-git.ts";

/** A history of ten thousand commits takes about as long, and the user waits for it. */
const TIMEOUT_MS = 60_000;
const MAX_COMMITS = 200;
/** Between two hashes, so that none is cut in two. */
const HASH_LENGTH = 40;

export interface PickaxeRequest {
  readonly head: string;
  readonly text: string;
  /** Where the workspace is in the repository; empty at its top. */
  readonly prefix: string;
  readonly limit: number;
}

export interface Picked {
  /** Newest first. */
  readonly shas: readonly string[];
  /** False where the time was up before everything was looked through. */
  readonly isWhole: boolean;
}

/** `git log -S`: commits after which the text occurs more often or less often than before. */
export async function pickaxe(
  directory: GitDirectory,
  { head, text, prefix, limit }: PickaxeRequest,
  signal?: AbortSignal,
): Promise<Picked> {
  let output = "";
  const shas = () => output.split("\n").filter((line) => line.length >= HASH_LENGTH);
  try {
    await runGit(
      directory,
      [
        "log",
        "--no-merges",
        `--max-count=${Math.min(MAX_COMMITS, limit)}`,
        "--format=%H",
        "--no-patch",
        `-S${text}`,
        ...SHOW_FLAGS,
        "--end-of-options",
        head,
        "--",
        ...(prefix === "" ? [] : [`:(top,literal)${prefix}`]),
      ],
      {
        timeoutMs: TIMEOUT_MS,
        signal,
        onOutput: (bytes) => {
          output += bytes.toString("latin1");
        },
      },
    );
  } catch (error) {
    if (!(error instanceof TimeLimitExceeded)) throw error;
    return { shas: shas(), isWhole: false };
  }
  return { shas: shas(), isWhole: true };
}
