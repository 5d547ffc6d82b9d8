/** `status`: the state of the index, the excluded files, and which rule includes or excludes a file. */

import { lstatSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import { count } from "../common/count.ts";
import { trySystemCallSync } from "../common/errors.ts";
import { refusalReason } from "../common/refused-folders.ts";
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

/** An excluded folder counts once. */
const MAX_LISTED_FILES = 10_000;

/** A workspace that no other client has open is first compared with its files: about 1 s per 1,000 files. */
const STATUS_TIMEOUT_MS = 2_000;

export function addStatus(program: Command, run: Run): void {
  common(program.command("status").description("show the state of the index"))
    .option("--why <path>", "show which rule includes or excludes this file")
    .option("--excluded", "list the files that are not in the index, with the rule")
    .action(({ why, excluded, ...options }: StatusOptions) =>
      run((context) => {
        if (why !== undefined) return explainFile(context, why, options);
        return excluded ? list(context, options) : status(context, options);
      }),
    );
}

/** Prints the status. A workspace without an index is not indexed. */
async function status(context: CommandContext, options: CommonOptions): Promise<ExitCode> {
  const root = rootOf(context, options);
  const session = await context.session();
  const isStored = await isIndexed(context, root);
  if (isStored) {
    await openWorkspace(context, root);
    // If another client has the workspace open, the engine knows its state.
    const { indexes } = await session.status();
    if (!indexes.every(({ clients }) => clients > 1)) await waitUntilIdle(session, context.signal);
  }
  const found = await session.status();
  if (options.json) await context.printJson(found);
  else if (isStored) await context.print(renderStatus(found, context.colors));
  else
    context.note(refusalReason(root) ?? `${root} is not indexed yet; run ${context.program} index`);
  return isStored ? EXIT.ok : EXIT.nothingFound;
}

async function explainFile(
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
  return trySystemCallSync(() => lstatSync(path))?.isDirectory() === false;
}

/** Lists excluded files with their rule; never their content. */
async function list(context: CommandContext, options: CommonOptions): Promise<ExitCode> {
  const root = await chooseRoot(context, options);
  const session = await openWorkspace(context, root);
  await waitForIndex(context, session, "files");
  const found = await session.excluded(root, MAX_LISTED_FILES + 1);
  const files = found.slice(0, MAX_LISTED_FILES);
  if (options.json) await context.printJson(files);
  else if (files.length > 0) {
    await context.print(table(files.map(({ path, rule }) => [printable(path), printable(rule)])));
  } else context.note("no file is excluded");
  if (found.length > files.length)
    context.note(`note: only the first ${count(files.length, "file")} are shown`);
  return files.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

/** Waits until the index is idle, at most STATUS_TIMEOUT_MS. The status reports a failure. */
async function waitUntilIdle(session: Session, signal: AbortSignal): Promise<void> {
  await Promise.race([
    Promise.allSettled([session.whenIdle(signal)]),
    delay(STATUS_TIMEOUT_MS, undefined, { ref: false }),
  ]);
}
