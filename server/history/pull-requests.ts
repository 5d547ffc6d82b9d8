/** Finds the commits that came with a pull request, by its number: merges name it, and the subjects of squashed commits. */

import type { GitDirectory } from "../contracts/history.ts";
import { gitOutput, SHOW_FLAGS } from "./run-git.ts";

/** Sixty thousand commits are looked through in a second, once for each HEAD. */
const MAX_COMMITS = 100_000;
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64_000_000;
/** Of one pull request; more say nothing of the question. */
const MAX_COMMITS_OF_ONE = 20;
const MAX_NUMBERS = 3;

/** `#123`, `PR 123`, `pull request 123`, `!123`. */
const NUMBER =
  /(?:(?<![\w&])[#!]|\b(?:PR|MR|pull requests?|merge requests?)[ -]?[#!]?)(\d{1,9})\b/gi;

/** As GitHub, Gitea and Bitbucket write it into the subject, and GitLab below it. */
const MERGED =
  /^Merge (?:pull request|PR) #(\d+)\b|\(pull request #(\d+)\)|^See merge request \S*!(\d+)\s*$/im;
const SQUASHED = /\((?:#|!|pull request #)(\d+)\)$/;

/** The numbers of pull requests that a question names, in its order. */
export function pullRequestsIn(text: string): number[] {
  const numbers = [...text.matchAll(NUMBER)].map(([, number]) => Number(number));
  return [...new Set(numbers)].slice(0, MAX_NUMBERS);
}

export class PullRequests {
  #head = "";
  #found: Promise<ReadonlyMap<number, string>> | undefined;

  /** For each number its commits, the last one first. Rejects with GitError. */
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
      if (sha !== undefined) shas.push(...(await broughtBy(directory, sha, signal)));
    }
    return shas;
  }

  /** Not ended with the question: the next one needs it too. */
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

/** By number the merge, or the squashed commit; the newest where there are several. */
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

/** What a merge has and its first parent has not; a commit that is no merge brought itself. */
async function broughtBy(
  directory: GitDirectory,
  sha: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const output = await gitOutput(
    directory,
    ["rev-list", "--no-merges", `--max-count=${MAX_COMMITS_OF_ONE}`, sha, `^${sha}^1`, "--"],
    { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal },
  );
  return output
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
}
