/** Reads the commit and branch of a folder from git's files, without running the git of an untrusted workspace. */

import { dirname, join, resolve } from "node:path";
import { commonGitFolder, followGitFile, topOfRepository } from "./git-pointer.ts";
import { readTextUpTo } from "./read-file.ts";

/** Larger files are ignored. packed-refs with 100,000 branches is smaller; the reflog of HEAD may be larger. */
const MAX_FILE_BYTES = 10_000_000;

interface GitHead {
  readonly commit?: string;
  /** Absent if HEAD is detached. */
  readonly branch?: string;
}

/** Empty if the folder is not in a repository or HEAD has no commit yet. */
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
 * The number of reflog entries of HEAD since this commit: a local commit is one entry, and so is a pull with many commits.
 * Undefined if the reflog does not contain the commit.
 */
export async function movesSince(folder: string, commit: string): Promise<number | undefined> {
  const git = await gitFolder(folder);
  const log = git && (await read(join(git, "logs", "HEAD")));
  if (log === undefined) return undefined;
  const lines = log.split("\n").filter((line) => line !== "");
  const at = lines.findLastIndex((line) => line.split(" ", 2)[1] === commit);
  return at === -1 ? undefined : lines.length - 1 - at;
}

/** The default branch of the remote `origin` when it was cloned; undefined if git does not know it. */
export async function defaultBranch(folder: string): Promise<string | undefined> {
  const top = topOfRepository(folder);
  const head = top && (await read(join(commonGitFolder(top), "refs/remotes/origin/HEAD")));
  return /^ref: refs\/remotes\/origin\/(.+)$/.exec(head?.trim() ?? "")?.[1];
}

/** The content of the file HEAD: it changes with the branch or the detached commit. */
export async function headLine(git: string): Promise<string | undefined> {
  return await read(join(git, "HEAD"));
}

/** The folder that contains HEAD: `.git`, or the target of a worktree's `.git` file. */
export async function gitFolder(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const dot = join(at, ".git");
    if ((await read(join(dot, "HEAD"))) !== undefined) return dot;
    const followed = followGitFile(dot);
    if (followed !== undefined) return followed;
    if (dirname(at) === at) return undefined;
  }
}

/** The same limit for chains of symbolic refs as in git. */
const MAX_REF_DEPTH = 5;
/** The prefixes that git tries for a short name, in its order. */
const REF_FOLDERS = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];
/** A ref name that cannot lead out of the git directory. */
const REF_NAME = /^(?!.*(?:\.\.|\/\/))[\p{L}\p{N}_][\p{L}\p{N}_./+@-]*$/u;
const HASH = /^[0-9a-f]{4,64}$/i;

/**
 * Resolves the branch, tag, hash or HEAD of a revision to a hash and keeps its suffix, such as `~2`. Only this result may be
 * passed to git, never the text of a user. Undefined for any other revision.
 */
export async function resolveRevision(
  folder: string,
  revision: string,
): Promise<string | undefined> {
  const [, name = "", suffix = ""] = /^(.+?)((?:[~^]\d{0,9})*)$/u.exec(revision) ?? [];
  if (name === "HEAD" || name === "@") {
    const { commit } = await readHead(folder);
    return commit === undefined ? undefined : `${commit}${suffix}`;
  }
  const git = await gitFolder(folder);
  if (git === undefined || !REF_NAME.test(name)) return undefined;
  for (const prefix of REF_FOLDERS) {
    // Other files in the git directory are not refs.
    if (prefix === "" && !/^refs\/|^[A-Z_]+HEAD$/.test(name)) continue;
    const commit = await resolveRef(git, `${prefix}${name}`);
    if (commit !== undefined) return `${commit}${suffix}`;
  }
  const remote = await resolveRef(git, `refs/remotes/${name}/HEAD`);
  if (remote !== undefined) return `${remote}${suffix}`;
  return HASH.test(name) ? `${name}${suffix}` : undefined;
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
  return await readTextUpTo(path, MAX_FILE_BYTES);
}
