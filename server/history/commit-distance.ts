/** Counts the commits between HEAD and another commit of the same repository. */

import { readHead } from "../common/git-head.ts";
import { TimeLimitExceeded } from "../common/time-limit.ts";
import type { CommitDistance } from "../contracts/history.ts";
import { openRepository, type RepositoryOptions } from "./open-repository.ts";
import { NoHistory } from "./repository.ts";
import { GitError, gitOutput } from "./run-git.ts";

/** A status waits for it. Git walks the commits that only one side has, which takes milliseconds for thousands. */
const TIMEOUT_MS = 2_000;
const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Resolves to undefined if the repository lacks the commit, or git takes too long. */
type ReadDistance = (commit: string) => Promise<CommitDistance | undefined>;

/** The last distance is kept until HEAD moves. */
export function distanceReader(options: RepositoryOptions): ReadDistance {
  let known: { readonly key: string; readonly distance: CommitDistance | undefined } | undefined;
  return async (commit) => {
    const head = await readHead(options.root);
    const key = `${head.commit} ${commit}`;
    if (known?.key === key) return known.distance;
    try {
      known = { key, distance: await readDistance(options, commit) };
    } catch (error) {
      // The next fetch may bring the commit, but would not make the count faster.
      if (error instanceof GitError || error instanceof NoHistory) return undefined;
      if (!(error instanceof TimeLimitExceeded)) throw error;
      known = { key, distance: undefined };
    }
    return known.distance;
  };
}

async function readDistance(
  options: RepositoryOptions,
  commit: string,
): Promise<CommitDistance | undefined> {
  if (!HASH.test(commit)) return undefined;
  const { directory, head } = await openRepository(options);
  const args = ["rev-list", "--count", "--left-right", `${head.commit}...${commit}`, "--"];
  const output = await gitOutput(directory, args, { timeoutMs: TIMEOUT_MS, maxBytes: 100 });
  const [ahead = Number.NaN, behind = Number.NaN] = output.toString("utf8").split("\t").map(Number);
  return { ahead, behind };
}
