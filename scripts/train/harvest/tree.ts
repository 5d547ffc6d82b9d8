/** Reads the files of a commit out of a git directory, without a checkout. */

import { execFileSync } from "node:child_process";

interface Blob {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Files asked for at once; a few megabytes. */
const BATCH = 200;
const MAX_ANSWER_BYTES = 1 << 30;

/** The files by path. Skips files that the git directory lacks: clones may leave out large ones. */
export function* filesOf(
  gitDir: string,
  revision: string,
  wanted: (path: string) => boolean,
): Generator<Blob> {
  const listing = git(gitDir, ["ls-tree", "-r", "-z", revision], "").toString("utf8");
  const entries = listing
    .split("\0")
    .map((entry) => /^100\d+ blob (?<hash>\w+)\t(?<path>.*)$/s.exec(entry)?.groups)
    .filter((entry) => entry !== undefined && wanted(entry["path"] ?? ""));
  for (let at = 0; at < entries.length; at += BATCH) {
    const batch = entries.slice(at, at + BATCH);
    const hashes = batch.map((entry) => entry?.["hash"]).join("\n");
    const answers = contentsIn(git(gitDir, ["cat-file", "--batch"], hashes));
    for (const [i, entry] of batch.entries()) {
      const bytes = answers[i];
      if (bytes !== undefined) yield { path: entry?.["path"] ?? "", bytes };
    }
  }
}

/** `<hash> blob <size>` and SIZE bytes for each, or `<hash> missing`. */
function contentsIn(answer: Buffer): (Buffer | undefined)[] {
  const contents: (Buffer | undefined)[] = [];
  for (let at = 0; at < answer.length; ) {
    const end = answer.indexOf("\n", at);
    const size = / blob (\d+)$/.exec(answer.toString("latin1", at, end))?.[1];
    at = end + 1;
    if (size === undefined) contents.push(undefined);
    else {
      contents.push(answer.subarray(at, at + Number(size)));
      at += Number(size) + 1;
    }
  }
  return contents;
}

function git(gitDir: string, args: readonly string[], input: string): Buffer {
  // Nothing is fetched while it runs: absent objects stay absent.
  const env = { ...process.env, GIT_NO_LAZY_FETCH: "1" };
  return execFileSync("git", [`--git-dir=${gitDir}`, ...args], {
    input,
    env,
    maxBuffer: MAX_ANSWER_BYTES,
    stdio: ["pipe", "pipe", "ignore"],
  });
}
