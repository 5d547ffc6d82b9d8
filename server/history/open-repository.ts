/** Opens the repository of a folder: finds its objects, prepares a private git directory over them, and takes its HEAD. */

import { gitFolder, readHead } from "../common/git-head.ts";
import type { GitDirectory } from "../contracts/history.ts";
import { findGit } from "./find-git.ts";
import { prepareGitDirectory } from "./git-directory.ts";
import { findRepository, NoHistory, type Repository, whyNoHead } from "./repository.ts";

/** The HEAD of a folder, read from its git folder. */
export interface HeadPlace {
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
export async function headOf(root: string): Promise<HeadPlace | undefined> {
  const [folder, { commit }] = await Promise.all([gitFolder(root), readHead(root)]);
  return folder === undefined || commit === undefined ? undefined : { gitFolder: folder, commit };
}

/** Opens the repository of the workspace, or of a folder inside it. Rejects with NoHistory if there is none. */
export async function openRepository(
  { root, folder, path }: RepositoryOptions,
  inside = root,
): Promise<OpenRepository> {
  const head = await headOf(inside);
  if (head === undefined) throw await whyNoHead(inside);
  const git = await findGit(path, root);
  if (git === undefined) throw new NoHistory("git is not on the PATH");
  const repository = await findRepository(inside, head.gitFolder);
  const directory = await prepareGitDirectory(git, repository, folder);
  return { directory, repository, head };
}
