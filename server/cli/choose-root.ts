/** Which folder a command may begin to index: a project, one that was named, or one that the user agrees to. */

import { BadRequest } from "../common/errors.ts";
import { isInside } from "../common/path-inside.ts";
import { refusalReason } from "../common/refused-folders.ts";
import { isMarked } from "../config/project-root.ts";
import { type CommonOptions, rootOf } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { projectOf } from "./find-root.ts";

/**
 * The current project, or that of the first file that a command is about, where this one is elsewhere. BadRequest where
 * there is none, the current folder is not indexed yet, and nobody says that it should be.
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
  const problem = `${root} is no work tree of git and has no cocosearch.yaml`;
  if (isAsking(context)) {
    if (await agrees(context, `${problem}. Index everything in it? [y/N] `)) return root;
    throw new BadRequest("nothing was indexed");
  }
  throw new BadRequest(`${problem}; name a folder with --root, or say --yes to index this one`);
}

/** Whether an index of the folder, or of one around it, is stored. */
export async function isIndexed(context: CommandContext, root: string): Promise<boolean> {
  const session = await context.session();
  return (await session.list()).some(
    (record) => record.root === root || (!isMarked(root) && isInside(record.root, root)),
  );
}

function isAsking({ stdin, stderr }: CommandContext): boolean {
  return (stdin as { isTTY?: boolean }).isTTY === true && stderr.isTTY === true;
}

async function agrees(
  { stdin, stderr, signal }: CommandContext,
  question: string,
): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(?:es)?$/i.test((await reader.question(question, { signal })).trim());
  } finally {
    reader.close();
  }
}
