/** Runs git on a private git directory, isolated from other configuration, hooks and environment variables. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { dirname } from "node:path";
import { TimeLimitExceeded, withTimeLimit } from "../common/time-limit.ts";
import type { GitDirectory } from "../contracts/history.ts";
import type { Repository } from "./repository.ts";

/** Characters of stderr that are kept. */
const MAX_STDERR = 2_000;

/** For every command that prints commits: git runs no configured program, and its output has one form. */
export const SHOW_FLAGS: readonly string[] = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-show-signature",
  "--no-notes",
  "--encoding=UTF-8",
];

/** The empty tree, which exists in every repository. */
const EMPTY_TREE: Readonly<Record<Repository["objectFormat"], string>> = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** Git's limit for rename detection: it compares at most the square of this number of file pairs. */
export const RENAME_FLAGS = ["-M", "-l400"] as const;

/** For every command that prints diffs. */
export const PATCH_FLAGS: readonly string[] = [
  "-p",
  ...RENAME_FLAGS,
  "--src-prefix=a/",
  "--dst-prefix=b/",
  ...SHOW_FLAGS,
];

export class GitError extends Error {
  override readonly name = "GitError";
}

/** The work tree for commands that compare files. */
export interface WorkTree {
  /** The top folder of the repository. */
  readonly top: string;
  /** The path of a private index file. */
  readonly index: string;
  readonly objectFormat: Repository["objectFormat"];
}

interface GitOptions {
  readonly workTree?: WorkTree;
  readonly input?: string | Buffer;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with each piece of output; return false to stop git, which then counts as success. */
  onOutput(bytes: Buffer): boolean | void;
}

/** Rejects with GitError when git fails, is missing, or takes too long. */
export async function runGit(
  directory: GitDirectory,
  args: readonly string[],
  options: GitOptions,
): Promise<void> {
  await withTimeLimit(options.timeoutMs, [options.signal], (signal) =>
    run(directory, args, options, signal),
  );
}

/** The output as bytes, cut after about `maxBytes`. Rejects like `runGit`. */
export async function gitOutput(
  directory: GitDirectory,
  args: readonly string[],
  options: Omit<GitOptions, "onOutput"> & { readonly maxBytes: number },
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  await runGit(directory, args, {
    ...options,
    onOutput: (piece) => {
      pieces.push(piece);
      bytes += piece.length;
      return bytes <= options.maxBytes;
    },
  });
  return Buffer.concat(pieces);
}

/** Undefined if git fails or takes too long. */
export async function unlessFailed<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof GitError) && !(error instanceof TimeLimitExceeded)) throw error;
    return undefined;
  }
}

/** Starts git; the caller ends it. Throws GitError if the system refuses to start it. */
export function startGit(
  { git, folder }: GitDirectory,
  args: readonly string[],
  workTree?: WorkTree,
): ChildProcessWithoutNullStreams {
  const child = spawn(git, [`--git-dir=${folder}`, "--no-pager", ...args], {
    cwd: folder,
    env: { ...environment(git, folder), ...workTreeVariables(workTree) },
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  // Without file descriptors, Node makes no streams and emits the error later.
  if ((child.stdin as unknown) !== undefined) return child;
  child.on("error", () => undefined);
  throw new GitError("git cannot be started");
}

function run(
  directory: GitDirectory,
  args: readonly string[],
  { input, onOutput, workTree }: GitOptions,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = startGit(directory, args, workTree);
    let stderr = "";
    let isEnough = false;
    const stop = () => void child.kill("SIGKILL");
    signal.addEventListener("abort", stop, { once: true });
    child.stdout.on("data", (bytes: Buffer) => {
      if (isEnough || onOutput(bytes) !== false) return;
      isEnough = true;
      stop();
    });
    child.stderr.on("data", (bytes: Buffer) => {
      if (stderr.length < MAX_STDERR) stderr += bytes.toString("utf8");
    });
    // Git may exit before it has read its input; the exit code then gives the reason.
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => reject(new GitError(error.message, { cause: error })));
    child.on("close", (code) => {
      signal.removeEventListener("abort", stop);
      if (signal.aborted) reject(signal.reason);
      else if (code === 0 || isEnough) resolve();
      else
        reject(new GitError(stderr.slice(0, MAX_STDERR).trim() || `git exited with code ${code}`));
    });
    child.stdin.end(input ?? "");
  });
}

/** Inherits no variables. Git does not fetch missing objects of a partial clone. */
function environment(git: string, folder: string): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return {
    PATH: dirname(git),
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    LC_ALL: "C",
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "none",
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
  };
}

/** Since 2.41, git reads attributes from `GIT_ATTR_SOURCE`, the empty tree here, so the workspace's attributes have no effect. */
function workTreeVariables(workTree: WorkTree | undefined): NodeJS.ProcessEnv {
  if (workTree === undefined) return {};
  const { top, index, objectFormat } = workTree;
  const attributes = EMPTY_TREE[objectFormat];
  return { GIT_WORK_TREE: top, GIT_INDEX_FILE: index, GIT_ATTR_SOURCE: attributes };
}
