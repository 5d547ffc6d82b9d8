/** Lists the commits that are reachable from HEAD, newest first. */

import { inSlices } from "../common/slices.ts";
import type { GitDirectory } from "../contracts/history.ts";
import { GitError, runGit } from "./run-git.ts";

/** A hundred thousand commits take two seconds. */
const TIMEOUT_MS = 120_000;
/** Takes half a millisecond. */
const COMMITS_PER_STEP = 1_000;

type Commit = readonly [time: string, sha: string];

export interface Listing {
  readonly shas: readonly string[];
  /** By hash: how many older commits of the same second are listed. Zeros are omitted. */
  readonly places: ReadonlyMap<string, number>;
  /** Whether there are older commits, beyond the limit. */
  readonly hasOlder: boolean;
  /** The error of git if it could not list all commits. */
  readonly brokenBy?: string;
}

/** At most `limit` commits, without merges. `head` is a hash. */
export async function listCommits(
  directory: GitDirectory,
  head: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Listing> {
  let rest = "";
  const commits: Commit[] = [];
  let brokenBy: string | undefined;
  try {
    await runGit(
      directory,
      // One more than the limit says whether there are older commits.
      [
        "rev-list",
        "--no-merges",
        "--timestamp",
        `--max-count=${limit + 1}`,
        "--end-of-options",
        head,
      ],
      {
        timeoutMs: TIMEOUT_MS,
        signal,
        onOutput: (bytes) => {
          const lines = (rest + bytes.toString("latin1")).split("\n");
          rest = lines.pop() ?? "";
          for (const line of lines) commits.push(line.split(" ", 2) as [string, string]);
        },
      },
    );
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    brokenBy = error.message;
  }
  const hasOlder = commits.length > limit;
  if (hasOlder) commits.length = limit;
  return {
    hasOlder,
    shas: commits.map(([, sha]) => sha),
    places: await inSlices(placesOf(commits)),
    ...(brokenBy === undefined ? {} : { brokenBy }),
  };
}

function* placesOf(commits: readonly Commit[]): Generator<void, Map<string, number>> {
  const places = new Map<string, number>();
  const counted = new Map<string, number>();
  for (let i = commits.length - 1; i >= 0; i--) {
    if (i % COMMITS_PER_STEP === 0) yield;
    const [time, sha] = commits[i] as Commit;
    const place = counted.get(time) ?? 0;
    counted.set(time, place + 1);
    if (place > 0) places.set(sha, place);
  }
  return places;
}
