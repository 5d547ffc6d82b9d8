/** Finds the commits that added or removed an exact text, with `git log -S`. */

import { TimeLimitExceeded } from "../common/time-limit.ts";
import type { GitDirectory } from "../contracts/history.ts";
import { runGit, SHOW_FLAGS } from "./run-git.ts";

/** Enough for ten thousand commits; the user waits for it. */
const TIMEOUT_MS = 60_000;
const MAX_COMMITS = 200;
/** The length of a SHA-1 hash. A shorter line is a hash that was cut when the time was up. */
const HASH_LENGTH = 40;

interface PickaxeRequest {
  readonly head: string;
  readonly text: string;
  /** The path of the workspace in the repository, with a final slash; empty at the top. */
  readonly prefix: string;
  readonly limit: number;
}

interface Picked {
  /** Newest first. */
  readonly shas: readonly string[];
  /** False if the time was up before all commits were searched. */
  readonly isWhole: boolean;
}

/** Commits that change how often the text occurs. */
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
