/** Opens the repository of a folder: finds its objects, prepares a private git directory over them, and takes its HEAD. */

import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, sep } from "node:path";
import { trySystemCall } from "../common/errors.ts";
import { gitFolder, readHead } from "../common/git-head.ts";
import type { GitDirectory } from "../contracts/history.ts";
import { prepareGitDirectory } from "./git-directory.ts";
import { findRepository, NoHistory, type Repository, whyNoHead } from "./repository.ts";

/** The HEAD of a folder, read from its git folder. */
interface HeadPlace {
  readonly gitFolder: string;
  readonly commit: string;
}

export interface RepositoryOptions {
  /** The workspace. */
  readonly root: string;
  /** The parent folder of the private git directories. */
  readonly folder: string;
  /** The user's PATH. */
  readonly path: string | undefined;
}

/** A repository with its HEAD at the time of opening. */
export interface OpenRepository {
  readonly directory: GitDirectory;
  readonly repository: Repository;
  readonly head: HeadPlace;
}

/** Undefined outside a repository, or before the first commit. */
export async function headPlaceOf(root: string): Promise<HeadPlace | undefined> {
  const [folder, { commit }] = await Promise.all([gitFolder(root), readHead(root)]);
  return folder === undefined || commit === undefined ? undefined : { gitFolder: folder, commit };
}

/** Opens the repository of the workspace, or of a folder inside it. Rejects with NoHistory if there is none. */
export async function openRepository(
  { root, folder, path }: RepositoryOptions,
  inside = root,
): Promise<OpenRepository> {
  const head = await headPlaceOf(inside);
  if (head === undefined) throw await whyNoHead(inside);
  const git = await findGit(path, root);
  if (git === undefined) throw new NoHistory("git is not on the PATH");
  const repository = await findRepository(inside, head.gitFolder);
  const directory = await prepareGitDirectory(git, repository, folder);
  return { directory, repository, head };
}

const NAMES = process.platform === "win32" ? ["git.exe"] : ["git"];

/**
 * Finds the git program of the user on the PATH, but never inside the workspace: an absolute path, or undefined if no folder has
 * git. Relative folders of the PATH are skipped, as they depend on the current folder.
 */
async function findGit(path: string | undefined, workspace: string): Promise<string | undefined> {
  for (const folder of (path ?? "").split(delimiter).filter(isAbsolute)) {
    for (const name of NAMES) {
      const found = await executable(join(folder, name));
      if (found !== undefined && !found.startsWith(workspace + sep)) return found;
    }
  }
  return undefined;
}

async function executable(path: string): Promise<string | undefined> {
  return await trySystemCall(async () => {
    await access(path, constants.X_OK);
    const real = await realpath(path);
    return (await stat(real)).isFile() ? path : undefined;
  });
}
