/** A long-running git process that prints one diff after another, because starting git takes longer than most diffs. */

import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { GitDirectory } from "../contracts/history.ts";
import { PATCH_FLAGS, startGit } from "./run-git.ts";

/** Longer diffs are cut here, and the process is killed. */
const MAX_BYTES = 16_000_000;
/** Git's cache of unpacked objects; its default is 96 MB. */
const DELTA_CACHE = "16m";

/** Git echoes an input line that is not a hash and flushes its output. No line of a diff begins with `=`. */
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
      `core.deltaBaseCacheLimit=${DELTA_CACHE}`,
      "diff-tree",
      "--stdin",
      "--root",
      "--always",
      ...PATCH_FLAGS,
      "-U3",
    ]);
    this.#child.stdout.on("data", (bytes: Buffer) => this.#take(bytes));
    // Errors are not shown: an unreadable commit is answered without a diff.
    this.#child.stderr.resume();
    this.#child.stdin.on("error", () => this.end());
    this.#child.on("error", () => this.#ended());
    this.#child.on("close", () => this.#ended());
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** The diff of one commit, with one character per byte (latin1); undefined if git cannot read it or exits. Call it again only after it resolved. */
  async show(sha: string): Promise<string | undefined> {
    if (!this.#isAlive) return undefined;
    return await new Promise((resolve) => {
      this.#showing = { sha, pieces: [], bytes: 0, resolve };
      this.#child.stdin.write(`${sha}\n${END}`);
    });
  }

  /** Kills the process; a running `show` resolves to undefined. */
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

/** Git writes nothing after the end line until the next request. */
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

/** Undefined if the output does not begin with the hash: git could not read the commit. */
function outputOf({ sha, pieces }: Showing): string | undefined {
  const output = Buffer.concat(pieces).toString("latin1");
  return output.startsWith(sha) ? output.slice(sha.length + 1) : undefined;
}
