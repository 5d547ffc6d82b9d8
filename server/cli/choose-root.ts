/** Chooses the folder that a command indexes: the project, a folder given with --root, or one that the user confirms. */

import { BadRequest } from "../common/errors.ts";
import { isInside } from "../common/path-inside.ts";
import { refusalReason } from "../common/refused-folders.ts";
import { isMarked } from "../config/project-root.ts";
import { type CommonOptions, rootOf } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { confirms, isInteractive } from "./confirm.ts";
import { projectOf } from "./find-root.ts";

/**
 * The current project, or the project of `file`, the command's first file, if that is outside the current folder. Throws
 * BadRequest if there is no project, the current folder is not indexed, and the user does not confirm that it should be.
 */
export async function chooseRoot(
  context: CommandContext,
  options: CommonOptions,
  file?: string,
): Promise<string> {
  const root = rootOf(context, options);
  if (options.root !== undefined || options.yes) return root;
  const project = file === undefined ? undefined : projectOf(context.cwd, file);
  if (project !== undefined && !isInside(root, project)) return project;
  if (isMarked(root) || (await isIndexed(context, root))) return root;
  if (project !== undefined) return project;
  const refused = refusalReason(root);
  if (refused !== undefined) throw new BadRequest(refused);
  const problem = `${root} is not a git work tree and has no cocosearch.yaml`;
  if (isInteractive(context)) {
    if (await confirms(context, `${problem}. Index it anyway? [y/N] `)) return root;
    throw new BadRequest("nothing was indexed");
  }
  throw new BadRequest(`${problem}; name a folder with --root, or add --yes to index this one`);
}

/** Whether the store has an index of the folder or of a folder that contains it. */
export async function isIndexed(context: CommandContext, root: string): Promise<boolean> {
  const session = await context.session();
  return (await session.list()).some(
    (record) => record.root === root || (!isMarked(root) && isInside(record.root, root)),
  );
}
