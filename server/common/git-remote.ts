/** Names the repository and the folder in it that a workspace is, from git's files. */

import { join, relative } from "node:path";
import { gitConfigValue } from "./git-config.ts";
import { commonGitFolder, topOfRepository } from "./git-pointer.ts";
import { readTextUpTo } from "./read-file.ts";
import { repositoryNamed, repositoryOfUrl } from "./repository-url.ts";

/** A configuration with ten thousand branches is smaller. */
const MAX_CONFIG_BYTES = 1_000_000;

/** A workspace as a part of a repository that other clones have, too. */
export interface RepositoryPart {
  /** `host/path`. */
  readonly repository: string;
  /** The folder in the repository, with forward slashes; empty for all of it. */
  readonly subfolder: string;
}

/** `host/path` of the repository, and the folder if it is a part. */
export function nameOfPart({ repository, subfolder }: RepositoryPart): string {
  return subfolder === "" ? repository : `${repository}/${subfolder}`;
}

/**
 * `configured` is the setting `repository`, which wins over the remote `origin`. Undefined outside a repository, and for an
 * origin that is missing or a local path.
 */
export async function repositoryPart(
  root: string,
  configured: string,
): Promise<RepositoryPart | undefined> {
  const top = topOfRepository(root);
  if (top === undefined) return undefined;
  const url = configured === "" ? await originUrl(top) : undefined;
  const repository = url === undefined ? repositoryNamed(configured) : repositoryOfUrl(url);
  const subfolder = relative(top, root).replaceAll("\\", "/");
  return repository === undefined ? undefined : { repository, subfolder };
}

/** May contain a password, so it is never shown. */
async function originUrl(top: string): Promise<string | undefined> {
  const config = await readTextUpTo(join(commonGitFolder(top), "config"), MAX_CONFIG_BYTES);
  const section = /^[ \t]*\[remote "origin"\](.*(?:\n(?![ \t]*\[).*)*)/m.exec(config ?? "")?.[1];
  return section === undefined ? undefined : gitConfigValue(section, "url");
}
