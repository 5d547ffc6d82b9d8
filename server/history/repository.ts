/** Finds the git directory and the object store of a workspace, and checks them before they are used. */

import { realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { trySystemCall } from "../common/errors.ts";
import { followGitFile, gitFileTarget, topOfRepository } from "../common/git-pointer.ts";
import { readTextUpTo } from "../common/read-file.ts";

/** For the lists of shallow boundaries and of alternates. */
const MAX_FILE_BYTES = 10_000_000;
/** Git's own limit for chains of alternates. */
const MAX_ALTERNATE_DEPTH = 5;
const MAX_ALTERNATES = 50;
const MAX_CONFIG_BYTES = 1_000_000;

export interface Repository {
  /** The object store; git finds its alternates from there. */
  readonly objects: string;
  readonly objectFormat: "sha1" | "sha256";
  /** The shallow boundary: hashes of commits without their parents, one per line, sorted; empty for a full clone. */
  readonly shallow: string;
  /** The path of the workspace in the repository, with a final slash; empty at the top. */
  readonly prefix: string;
}

/** The history of a folder cannot be read; the message gives the reason. */
export class NoHistory extends Error {
  override readonly name = "NoHistory";
}

/** `gitFolder` is the `.git` folder at or above the root, or the folder that a `.git` file points to. Rejects with NoHistory. */
export async function findRepository(root: string, gitFolder: string): Promise<Repository> {
  const own = await realFolder(gitFolder);
  const top = await topOf(root, own);
  const common = await commonFolder(own);
  if (!(await isGitFolder(common))) throw new NoHistory(`${gitFolder} is not a git directory`);
  const objects = await realFolder(join(common, "objects"));
  if (objects !== join(common, "objects")) {
    throw new NoHistory(`the folder objects of ${gitFolder} is a symbolic link`);
  }
  await checkAlternates(objects, 0, { count: 0 });
  const inside = relative(top, root).split(sep).join("/");
  return {
    objects,
    objectFormat: await objectFormat(common),
    shallow: await readShallow(common),
    prefix: inside === "" ? "" : `${inside}/`,
  };
}

/**
 * The folder that contains `.git`. A `.git` file may point to any folder; the target must point back to the file, as in
 * worktrees and submodules, or the history of another repository would be shown.
 */
async function topOf(root: string, own: string): Promise<string> {
  const top = topOfRepository(root);
  if (top === undefined) throw new NoHistory("no repository was found");
  const dot = join(top, ".git");
  if ((await kindOf(dot)) === "folder") {
    if ((await realFolder(dot)) === own && own === dot) return top;
    throw new NoHistory(`${dot} is a symbolic link to another folder`);
  }
  if (await isFollowedTo(dot, own)) return top;
  throw await elsewhere(dot);
}

/** Why a folder has no HEAD: it is not in a repository, its `.git` file is not followed, or the repository has no commit. */
export async function whyNoHead(root: string): Promise<NoHistory> {
  for (let at = root; ; at = dirname(at)) {
    const dot = join(at, ".git");
    const kind = await kindOf(dot);
    if (kind === "file" && followGitFile(dot) === undefined) return await elsewhere(dot);
    if (kind === "file" || (kind === "folder" && (await isGitFolder(dot)))) {
      return new NoHistory(`the repository of ${at} has no commit`);
    }
    if (dirname(at) === at) return new NoHistory("the folder is not in a git work tree");
  }
}

/** Why the `.git` file is not followed. */
async function elsewhere(dot: string): Promise<NoHistory> {
  const target = gitFileTarget(dot);
  if (target === undefined) return new NoHistory(`${dot} does not name a git directory`);
  if ((await trySystemCall(() => stat(target))) === undefined) {
    const remedy = "if its repository was moved, run git worktree repair there";
    return new NoHistory(`${dot} points to ${target}, which does not exist: ${remedy}`);
  }
  if ((await kindOf(join(target, "HEAD"))) === undefined)
    return new NoHistory(`${dot} points to ${target}, which is not a git directory`);
  return new NoHistory(`${dot} points to a repository that does not belong to this folder`);
}

async function isFollowedTo(dot: string, own: string): Promise<boolean> {
  const followed = followGitFile(dot);
  return followed !== undefined && (await realOrSame(followed)) === own;
}

/** The main git directory, whose objects a linked worktree shares. */
async function commonFolder(own: string): Promise<string> {
  const named = (await readTextUpTo(join(own, "commondir"), MAX_FILE_BYTES))?.trim();
  return named === undefined ? own : await realFolder(resolve(own, named));
}

async function isGitFolder(folder: string): Promise<boolean> {
  const [head, objects] = await Promise.all([
    kindOf(join(folder, "HEAD")),
    kindOf(join(folder, "objects")),
  ]);
  return head === "file" && objects === "folder";
}

/** Every alternate that git would read must be the object store of a repository. */
async function checkAlternates(
  objects: string,
  depth: number,
  seen: { count: number },
): Promise<void> {
  const text = await readTextUpTo(join(objects, "info", "alternates"), MAX_FILE_BYTES);
  if (text === undefined) return;
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    seen.count++;
    if (depth >= MAX_ALTERNATE_DEPTH || seen.count > MAX_ALTERNATES) {
      throw new NoHistory(`${objects} has too many alternates`);
    }
    if (line.startsWith('"')) throw new NoHistory(`${objects} has an alternate in quotes`);
    const store = await realFolder(isAbsolute(line) ? line : resolve(objects, line));
    if (basename(store) !== "objects" || !(await isGitFolder(dirname(store)))) {
      throw new NoHistory(`${objects} has the alternate ${line}, which is not in a repository`);
    }
    await checkAlternates(store, depth + 1, seen);
  }
}

async function objectFormat(common: string): Promise<"sha1" | "sha256"> {
  const config = await readTextUpTo(join(common, "config"), MAX_CONFIG_BYTES);
  return /^[ \t]*objectformat[ \t]*=[ \t]*"?sha256\b/im.test(config ?? "") ? "sha256" : "sha1";
}

async function readShallow(common: string): Promise<string> {
  const text = (await readTextUpTo(join(common, "shallow"), MAX_FILE_BYTES)) ?? "";
  const hashes = text.split("\n").filter((line) => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(line));
  return hashes.toSorted().join("\n");
}

async function realFolder(path: string): Promise<string> {
  const real = await realOrSame(path);
  if ((await kindOf(real)) !== "folder") throw new NoHistory(`${path} is not a folder`);
  return real;
}

async function realOrSame(path: string): Promise<string> {
  return (await trySystemCall(() => realpath(path))) ?? path;
}

async function kindOf(path: string): Promise<"file" | "folder" | undefined> {
  const found = await trySystemCall(() => stat(path));
  if (found?.isDirectory()) return "folder";
  return found?.isFile() ? "file" : undefined;
}
