/** A git process that shows one commit after another: to start one and to open a repository takes longer than most diffs. */

import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { GitDirectory } from "../contracts/history.ts";
import { RENAME_LIMIT } from "./read-metadata.ts";
import { SHOW_FLAGS, startGit } from "./run-git.ts";

/** What is beyond is not read, and the process is ended. */
const MAX_BYTES = 16_000_000;
/** Git keeps what it unpacked, 96 MB of it where nobody says otherwise. */
const KEPT_BY_GIT = "16m";

/** Git repeats a line that is no hash, and then writes out what it holds back. No line of a diff begins like this. */
const END = "=end\n";

interface Showing {
  readonly sha: string;
  readonly pieces: Buffer[];
  bytes: number;
  resolve(output: string | undefined): void;
}

export class DiffProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  #isAlive = true;
  #showing: Showing | undefined;

  constructor(directory: GitDirectory) {
    this.#child = startGit(directory, [
      "-c",
      `core.deltaBaseCacheLimit=${KEPT_BY_GIT}`,
      "diff-tree",
      "--stdin",
      "--root",
      "--always",
      "-p",
      "-U3",
      "-M",
      `-l${RENAME_LIMIT}`,
      "--src-prefix=a/",
      "--dst-prefix=b/",
      ...SHOW_FLAGS,
    ]);
    this.#child.stdout.on("data", (bytes: Buffer) => this.#take(bytes));
    // A commit that cannot be read is one without changes; what git says of it is of no use to a reader.
    this.#child.stderr.resume();
    this.#child.stdin.on("error", () => this.end());
    this.#child.on("error", () => this.#ended());
    this.#child.on("close", () => this.#ended());
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** The diff of one commit, once the one before has been shown; undefined where git cannot read it, or is ended. */
  async show(sha: string): Promise<string | undefined> {
    if (!this.#isAlive) return undefined;
    return await new Promise((resolve) => {
      this.#showing = { sha, pieces: [], bytes: 0, resolve };
      this.#child.stdin.write(`${sha}\n${END}`);
    });
  }

  /** What is being shown is given up. */
  end(): void {
    this.#isAlive = false;
    this.#child.kill("SIGKILL");
    this.#finish(undefined);
  }

  #take(bytes: Buffer): void {
    const showing = this.#showing;
    if (showing === undefined) return;
    showing.pieces.push(bytes);
    showing.bytes += bytes.length;
    if (isAtEnd(showing)) this.#finish(outputOf(showing));
    else if (showing.bytes > MAX_BYTES) {
      this.#finish(outputOf(showing));
      this.end();
    }
  }

  #ended(): void {
    this.#isAlive = false;
    this.#finish(undefined);
  }

  #finish(output: string | undefined): void {
    const showing = this.#showing;
    this.#showing = undefined;
    showing?.resolve(output);
  }
}

/** Git writes nothing after the last line until it is asked again. */
function isAtEnd({ pieces }: Showing): boolean {
  let tail = pieces.at(-1) ?? Buffer.of();
  if (tail.length <= END.length) tail = Buffer.concat(pieces).subarray(-END.length - 1);
  return (
    tail
      .subarray(-END.length - 1)
      .toString("latin1")
      .replace(/^\n/, "") === END
  );
}

/** Undefined where git did not even name the commit. */
function outputOf({ sha, pieces }: Showing): string | undefined {
  const output = Buffer.concat(pieces).toString("utf8");
  return output.startsWith(sha) ? output.slice(sha.length + 1) : undefined;
}
