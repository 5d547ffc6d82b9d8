/** Where the objects of a workspace's repository are: its git directory, checked before anything of it is used. */

import { realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isErrorCode, isSystemError } from "../common/errors.ts";
import { followGitFile } from "../common/git-pointer.ts";
import { readFileAt } from "../common/read-file.ts";

/** A larger one is no list of boundaries or stores. */
const MAX_FILE_BYTES = 10_000_000;
/** As git itself: a chain of stores that is longer is not followed. */
const MAX_ALTERNATE_DEPTH = 5;
const MAX_ALTERNATES = 50;
/** Where a configuration says of what kind the objects are. */
const MAX_CONFIG_BYTES = 1_000_000;

export interface Repository {
  /** The object store; git finds its alternates from there. */
  readonly objects: string;
  readonly objectFormat: "sha1" | "sha256";
  /** Commits whose parents are not there, one hash per line, sorted; empty for a whole clone. */
  readonly shallow: string;
  /** Where the workspace is in it, with a slash at the end; empty at its top. */
  readonly prefix: string;
}

/** Why the history of a folder is not read, in words. */
export class NoHistory extends Error {
  override readonly name = "NoHistory";
}

/** `gitFolder` is what was found at or above the root: `.git`, or where a `.git` file points. */
export async function findRepository(root: string, gitFolder: string): Promise<Repository> {
  const own = await realFolder(gitFolder);
  const top = await topOf(root, own);
  const common = await commonFolder(own);
  if (!(await isGitFolder(common))) throw new NoHistory(`${gitFolder} is no git directory`);
  const objects = await realFolder(join(common, "objects"));
  if (objects !== join(common, "objects")) {
    throw new NoHistory(`the objects of ${gitFolder} are a link to elsewhere`);
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
 * The folder that holds `.git`. A `.git` file may name any folder of the disk; its target must name the file in turn,
 * as worktrees and submodules do, or another repository's history would be shown as this one's.
 */
async function topOf(root: string, own: string): Promise<string> {
  for (let at = root; ; at = dirname(at)) {
    const dot = join(at, ".git");
    const kind = await kindOf(dot);
    if (kind === "folder") {
      if ((await realFolder(dot)) === own && own === dot) return at;
      throw new NoHistory(`${dot} is a link to another place`);
    }
    if (kind === "file") {
      if (await isFollowedTo(dot, own)) return at;
      throw elsewhere(dot);
    }
    if (dirname(at) === at) throw new NoHistory("no repository was found");
  }
}

/** Why a folder has no HEAD: nothing above it is a repository, a `.git` file is not followed, or there is no commit. */
export async function whyNoHead(root: string): Promise<NoHistory> {
  for (let at = root; ; at = dirname(at)) {
    const dot = join(at, ".git");
    const kind = await kindOf(dot);
    if (kind === "file" && followGitFile(dot) === undefined) return elsewhere(dot);
    if (kind === "file" || (kind === "folder" && (await isGitFolder(dot)))) {
      return new NoHistory(`the repository of ${at} has no commit`);
    }
    if (dirname(at) === at) return new NoHistory("the folder is in no work tree of git");
  }
}

const elsewhere = (dot: string) =>
  new NoHistory(`${dot} points to a repository that does not belong to this folder`);

async function isFollowedTo(dot: string, own: string): Promise<boolean> {
  const followed = followGitFile(dot);
  return followed !== undefined && (await realOrSame(followed)) === own;
}

/** A worktree shares the objects of the repository that it was made from. */
async function commonFolder(own: string): Promise<string> {
  const named = (await readText(join(own, "commondir")))?.trim();
  return named === undefined ? own : await realFolder(resolve(own, named));
}

async function isGitFolder(folder: string): Promise<boolean> {
  const [head, objects] = await Promise.all([
    kindOf(join(folder, "HEAD")),
    kindOf(join(folder, "objects")),
  ]);
  return head === "file" && objects === "folder";
}

/** Every store that git would read from must be the object store of some repository. */
async function checkAlternates(
  objects: string,
  depth: number,
  seen: { count: number },
): Promise<void> {
  const text = await readText(join(objects, "info", "alternates"));
  if (text === undefined) return;
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    seen.count++;
    if (depth >= MAX_ALTERNATE_DEPTH || seen.count > MAX_ALTERNATES) {
      throw new NoHistory(`${objects} borrows from too many other stores`);
    }
    if (line.startsWith('"')) throw new NoHistory(`${objects} names a store in quotes`);
    const store = await realFolder(isAbsolute(line) ? line : resolve(objects, line));
    if (basename(store) !== "objects" || !(await isGitFolder(dirname(store)))) {
      throw new NoHistory(`${objects} borrows from ${line}, which is no repository`);
    }
    await checkAlternates(store, depth + 1, seen);
  }
}

async function objectFormat(common: string): Promise<"sha1" | "sha256"> {
  const config = await readText(join(common, "config"), MAX_CONFIG_BYTES);
  return /^[ \t]*objectformat[ \t]*=[ \t]*"?sha256\b/im.test(config ?? "") ? "sha256" : "sha1";
}

async function readShallow(common: string): Promise<string> {
  const text = (await readText(join(common, "shallow"))) ?? "";
  const hashes = text.split("\n").filter((line) => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(line));
  return hashes.toSorted().join("\n");
}

async function realFolder(path: string): Promise<string> {
  const real = await realOrSame(path);
  if ((await kindOf(real)) !== "folder") throw new NoHistory(`${path} is no folder`);
  return real;
}

async function realOrSame(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isSystemError(error)) return path;
    throw error;
  }
}

async function kindOf(path: string): Promise<"file" | "folder" | undefined> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return "folder";
    return found.isFile() ? "file" : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

async function readText(path: string, maxBytes = MAX_FILE_BYTES): Promise<string | undefined> {
  try {
    const read = await readFileAt(path, async ({ handle, found }) =>
      found.size > maxBytes ? { text: undefined } : { text: await handle.readFile("utf8") },
    );
    return "absent" in read ? undefined : read.text;
  } catch (error) {
    if (isErrorCode(error, "EACCES") || isErrorCode(error, "EISDIR")) return undefined;
    throw error;
  }
}
