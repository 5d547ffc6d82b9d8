/** Finds the commits of a pull request by its number, which merge commits and the subjects of squashed commits name. */

import type { GitDirectory } from "../contracts/history.ts";
import { gitOutput, SHOW_FLAGS } from "./run-git.ts";

/** Git searches sixty thousand commits in a second; done once per HEAD. */
const MAX_COMMITS = 100_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64_000_000;
const MAX_COMMITS_PER_REQUEST = 20;
const MAX_NUMBERS = 3;

/** `#123`, `PR 123`, `pull request 123`, `!123`. */
const NUMBER =
  /(?:(?<![\w&])[#!]|\b(?:PR|MR|pull requests?|merge requests?)[ -]?[#!]?)(\d{1,9})\b/gi;

/** GitHub, Gitea and Bitbucket write the number into the subject of a merge, GitLab into its body. */
const MERGED =
  /^Merge (?:pull request|PR) #(\d+)\b|\(pull request #(\d+)\)|^See merge request \S*!(\d+)\s*$/im;
const SQUASHED = /\((?:#|!|pull request #)(\d+)\)$/;

/** The pull request numbers in a query, at most three, in order. */
export function pullRequestsIn(text: string): number[] {
  const numbers = [...text.matchAll(NUMBER)].map(([, number]) => Number(number));
  return [...new Set(numbers)].slice(0, MAX_NUMBERS);
}

export class PullRequests {
  #head = "";
  #found: Promise<ReadonlyMap<number, string>> | undefined;

  /** The commits of each pull request, newest first. Rejects with GitError. */
  async commitsOf(
    directory: GitDirectory,
    head: string,
    numbers: readonly number[],
    signal?: AbortSignal,
  ): Promise<string[]> {
    const found = await this.#find(directory, head);
    signal?.throwIfAborted();
    const shas: string[] = [];
    for (const number of numbers) {
      const sha = found.get(number);
      if (sha !== undefined) shas.push(...(await commitsMergedBy(directory, sha, signal)));
    }
    return shas;
  }

  /** Takes no signal, because the next query needs the result too. */
  #find(directory: GitDirectory, head: string): Promise<ReadonlyMap<number, string>> {
    if (this.#found === undefined || this.#head !== head) {
      this.#head = head;
      const finding = findAll(directory, head);
      this.#found = finding;
      finding.catch(() => {
        if (this.#found === finding) this.#found = undefined;
      });
    }
    return this.#found;
  }
}

/** The merge or squashed commit by pull request number; the newest if several have one number. */
async function findAll(directory: GitDirectory, head: string): Promise<Map<number, string>> {
  const log = (...args: readonly string[]) =>
    gitOutput(
      directory,
      ["log", `--max-count=${MAX_COMMITS}`, ...args, "--no-patch", ...SHOW_FLAGS, head, "--"],
      { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES },
    );
  const [merges, squashed] = await Promise.all([
    log("--merges", "--format=%H%x00%B%x00"),
    log(
      "--no-merges",
      "--extended-regexp",
      "--grep=\\((#|!|pull request #)[0-9]+\\)$",
      "--format=%H%x00%s%x00",
    ),
  ]);
  const found = new Map<number, string>();
  take(squashed, SQUASHED, found);
  take(merges, MERGED, found);
  return found;
}

function take(output: Buffer, form: RegExp, found: Map<number, string>): void {
  const fields = output.toString("utf8").split("\0");
  for (let i = fields.length - 3; i >= 0; i -= 2) {
    const number = form
      .exec(fields[i + 1] ?? "")
      ?.slice(1)
      .find((each) => each !== undefined);
    if (number !== undefined) found.set(Number(number), (fields[i] ?? "").trim());
  }
}

/** The commits reachable from a merge but not from its first parent; for another commit, the commit itself. */
async function commitsMergedBy(
  directory: GitDirectory,
  sha: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const output = await gitOutput(
    directory,
    ["rev-list", "--no-merges", `--max-count=${MAX_COMMITS_PER_REQUEST}`, sha, `^${sha}^1`, "--"],
    { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal },
  );
  return output
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
}
