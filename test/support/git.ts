/** Repositories for tests, made by git itself. */

import { execFileSync } from "node:child_process";
import { workspace } from "./workspace.ts";

/** Fixed names and times, so that hashes are the same in every run. */
const IDENTITY = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@localhost",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@localhost",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};

let seconds = 1_700_000_000;

/** Runs git in a folder; each call is a minute later than the one before. */
export function git(folder: string, ...args: readonly string[]): string {
  seconds += 60;
  const date = `${seconds} +0000`;
  return execFileSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...IDENTITY, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

export function initRepository(folder: string): void {
  git(folder, "init", "-q", "-b", "main");
}

/** Commits everything that is in the folder; returns the hash. */
export function commitAll(folder: string, message: string): string {
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "--allow-empty", "-m", message);
  return git(folder, "rev-parse", "HEAD");
}

/** A repository of these files in one commit, for one test. */
export function repositoryOf(files: string, message = "Begin"): string {
  const root = workspace(files);
  initRepository(root);
  commitAll(root, message);
  return root;
}
