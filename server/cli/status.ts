/** `status`: how far the workspace's index is, and with --why which rule decides about a file. */

import { lstatSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import { count } from "../common/count.ts";
import { isSystemError } from "../common/errors.ts";
import { refusal } from "../common/refusal.ts";
import type { Session } from "../contracts/session.ts";
import { chooseRoot, isIndexed } from "./choose-root.ts";
import { type CommonOptions, common, type Run, rootOf } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { findFile } from "./find-root.ts";
import { openWorkspace, waitForIndex } from "./open-workspace.ts";
import { renderStatus } from "./render-status.ts";
import { printable, table } from "./terminal-text.ts";

interface StatusOptions extends CommonOptions {
  readonly why?: string;
  readonly excluded?: boolean;
}

/** Nobody reads more; folders that are left out count once. */
const MAX_LISTED_FILES = 10_000;

/** A workspace that no client has open is read from the store and compared with its files first; a thousand files take a second. */
const STATUS_TIMEOUT_MS = 2_000;

export function addStatus(program: Command, run: Run): void {
  common(program.command("status").description("how far the index of a workspace is"))
    .option("--why <path>", "which rule decides whether this file is in the index")
    .option("--excluded", "list the files that are not in the index, and why")
    .action(({ why, excluded, ...options }: StatusOptions) =>
      run((context) => {
        if (why !== undefined) return tell(context, why, options);
        return excluded ? list(context, options) : status(context, options);
      }),
    );
}

/** Says what is; it does not begin to index a workspace that never was. */
async function status(context: CommandContext, options: CommonOptions): Promise<ExitCode> {
  const root = rootOf(context, options);
  const session = await context.session();
  const isStored = await isIndexed(context, root);
  if (isStored) {
    await openWorkspace(context, root);
    // Where an editor or another command has it open, everything is known already.
    const { indexes } = await session.status();
    if (!indexes.every(({ clients }) => clients > 1)) await settledOrLate(session, context.signal);
  }
  const found = await session.status();
  if (options.json) await context.printJson(found);
  else if (isStored) await context.print(renderStatus(found, context.colors));
  else
    context.note(refusal(root) ?? `${root} is not indexed yet; ${context.program} index does it`);
  return isStored ? EXIT.ok : EXIT.nothingFound;
}

async function tell(
  context: CommandContext,
  named: string,
  options: CommonOptions,
): Promise<ExitCode> {
  const root = await chooseRoot(context, options, named);
  const session = await openWorkspace(context, root);
  await waitForIndex(context, session, "files");
  const path = findFile(context.cwd, root, named);
  const answer = await session.why(path);
  if (options.json) await context.printJson({ path, answer });
  else await context.print(answer);
  return isFile(path) ? EXIT.ok : EXIT.nothingFound;
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch (error) {
    // What is in a folder that cannot be read is not known.
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** By path and rule; never their text. */
async function list(context: CommandContext, options: CommonOptions): Promise<ExitCode> {
  const root = await chooseRoot(context, options);
  const session = await openWorkspace(context, root);
  await waitForIndex(context, session, "files");
  const found = await session.excluded(root, MAX_LISTED_FILES + 1);
  const files = found.slice(0, MAX_LISTED_FILES);
  if (options.json) await context.printJson(files);
  else if (files.length > 0) {
    await context.print(table(files.map(({ path, rule }) => [printable(path), printable(rule)])));
  } else context.note("no file is left out");
  if (found.length > files.length)
    context.note(`note: there are more; these are the first ${count(files.length, "file")}`);
  return files.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

/** What fails here shows as the state. */
async function settledOrLate(session: Session, signal: AbortSignal): Promise<void> {
  await Promise.race([
    Promise.allSettled([session.whenIdle(signal)]),
    delay(STATUS_TIMEOUT_MS, undefined, { ref: false }),
  ]);
}
