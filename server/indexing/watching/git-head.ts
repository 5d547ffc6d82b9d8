/** Which commit and branch a folder is on, read from git's files: a workspace's git is not run. */

import { dirname, join, resolve } from "node:path";
import { isErrorCode } from "../../common/errors.ts";
import { followGitFile } from "../../common/git-pointer.ts";
import { readFileAt } from "../../common/read-file.ts";

/** A repository of a hundred thousand branches has smaller ones; its log of HEAD may be longer, which then does not count. */
const MAX_FILE_BYTES = 10_000_000;

export interface GitHead {
  readonly commit?: string;
  /** Absent when HEAD is detached. */
  readonly branch?: string;
}

/** Empty where no repository is found at or above the folder, or its HEAD has no commit yet. */
export async function readHead(folder: string): Promise<GitHead> {
  const git = await gitFolder(folder);
  if (git === undefined) return {};
  const head = (await read(join(git, "HEAD")))?.trim() ?? "";
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
  if (ref === undefined) return isCommit(head) ? { commit: head } : {};
  const branch = ref.replace(/^refs\/heads\//, "");
  const commit = await resolveRef(git, ref);
  return commit === undefined ? { branch } : { commit, branch };
}

/**
 * How often HEAD has moved on since it was at this commit, as its own log says: a commit made here is one, and so is a
 * pull, with any number of commits. Undefined where the log does not tell.
 */
export async function movesSince(folder: string, commit: string): Promise<number | undefined> {
  const git = await gitFolder(folder);
  const log = git && (await read(join(git, "logs", "HEAD")));
  if (log === undefined) return undefined;
  const lines = log.split("\n").filter((line) => line !== "");
  const at = lines.findLastIndex((line) => line.split(" ", 2)[1] === commit);
  return at === -1 ? undefined : lines.length - 1 - at;
}

/** The line in the file HEAD: another line is another branch or another detached commit. */
export async function headLine(git: string): Promise<string | undefined> {
  return await read(join(git, "HEAD"));
}

/** The folder that holds HEAD: `.git`, or where a worktree's `.git` file points. */
export async function gitFolder(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const dot = join(at, ".git");
    if ((await read(join(dot, "HEAD"))) !== undefined) return dot;
    const followed = followGitFile(dot);
    if (followed !== undefined) return followed;
    if (dirname(at) === at) return undefined;
  }
}

/** As git itself: a longer chain of names is not followed. */
const MAX_REF_DEPTH = 5;
/** Where git looks for a short name, in its order. */
const REF_FOLDERS = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];
/** A name that leads nowhere but below a git directory. */
const REF_NAME = /^(?!.*(?:\.\.|\/\/))[\p{L}\p{N}_][\p{L}\p{N}_./+@-]*$/u;
const HASH = /^[0-9a-f]{4,64}$/i;

/**
 * The hash that a revision begins with and what follows it, such as `~2`: git may be given these, and no other text of
 * a user. A branch, a tag, a hash or HEAD; undefined for everything else.
 */
export async function resolveRevision(
  folder: string,
  revision: string,
): Promise<string | undefined> {
  const [, name = "", steps = ""] = /^(.+?)((?:[~^]\d{0,9})*)$/u.exec(revision) ?? [];
  if (name === "HEAD" || name === "@") {
    const { commit } = await readHead(folder);
    return commit === undefined ? undefined : `${commit}${steps}`;
  }
  const git = await gitFolder(folder);
  if (git === undefined || !REF_NAME.test(name)) return undefined;
  for (const place of REF_FOLDERS) {
    // The other files at the top are no references.
    if (place === "" && !/^refs\/|^[A-Z_]+HEAD$/.test(name)) continue;
    const commit = await resolveRef(git, `${place}${name}`);
    if (commit !== undefined) return `${commit}${steps}`;
  }
  const remote = await resolveRef(git, `refs/remotes/${name}/HEAD`);
  if (remote !== undefined) return `${remote}${steps}`;
  return HASH.test(name) ? `${name}${steps}` : undefined;
}

async function resolveRef(git: string, ref: string, depth = 0): Promise<string | undefined> {
  const common = (await read(join(git, "commondir")))?.trim();
  const folders = common === undefined ? [git] : [git, resolve(git, common)];
  for (const folder of folders) {
    const loose = (await read(join(folder, ref)))?.trim();
    if (loose !== undefined && isCommit(loose)) return loose;
    const other = /^ref: (refs\/.+)$/.exec(loose ?? "")?.[1];
    if (other !== undefined && depth < MAX_REF_DEPTH && REF_NAME.test(other)) {
      return await resolveRef(git, other, depth + 1);
    }
    const packed = await read(join(folder, "packed-refs"));
    const line = packed?.split("\n").find((entry) => entry.endsWith(` ${ref}`));
    const [hash = ""] = line?.split(" ", 1) ?? [];
    if (isCommit(hash)) return hash;
  }
  return undefined;
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);
}

async function read(path: string): Promise<string | undefined> {
  try {
    const found = await readFileAt(path, async (file) =>
      file.found.size > MAX_FILE_BYTES ? {} : { text: await file.handle.readFile("utf8") },
    );
    return "absent" in found ? undefined : found.text;
  } catch (error) {
    if (isErrorCode(error, "EACCES")) return undefined;
    throw error;
  }
}
