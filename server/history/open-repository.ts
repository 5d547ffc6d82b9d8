/** Opens the repository of a folder: where its objects are, a git directory of ours over them, and its HEAD. */

import type { GitDirectory } from "../contracts/history.ts";
import { findGit } from "./find-git.ts";
import { prepareGitDirectory } from "./git-directory.ts";
import { findRepository, NoHistory, type Repository, whyNoHead } from "./repository.ts";

/** Where HEAD of a folder is, as its files say. */
export interface HeadPlace {
  readonly gitFolder: string;
  readonly commit: string;
}

export interface RepositoryOptions {
  /** The workspace. */
  readonly root: string;
  /** The folder for git directories of ours. */
  readonly folder: string;
  /** The PATH of the user. */
  readonly path: string | undefined;
}

/** A repository with the HEAD that it had when it was last looked at. */
export interface OpenRepository {
  readonly directory: GitDirectory;
  readonly repository: Repository;
  readonly head: HeadPlace;
}

/** That of the workspace, or of a folder inside it. Rejects with NoHistory where there is none. */
export async function openRepository(
  { root, folder, path }: RepositoryOptions,
  head: HeadPlace | undefined,
  inside = root,
): Promise<OpenRepository> {
  if (head === undefined) throw await whyNoHead(inside);
  const git = await findGit(path, root);
  if (git === undefined) throw new NoHistory("git is not on the PATH");
  const repository = await findRepository(inside, head.gitFolder);
  const directory = await prepareGitDirectory(git, repository, folder);
  return { directory, repository, head };
}
