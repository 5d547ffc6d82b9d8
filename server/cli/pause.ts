/** `pause` and `resume`: stop and restart indexing of a workspace. A paused index can still be searched. */

import type { Command } from "commander";
import { chooseRoot } from "./choose-root.ts";
import { type CommonOptions, common, type Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { openWorkspace } from "./open-workspace.ts";
import { printable } from "./terminal-text.ts";

export function addPause(program: Command, run: Run): void {
  common(program.command("pause").description("stop indexing a workspace until resume")).action(
    (options: CommonOptions) => run((context) => pause(context, options)),
  );
}

export function addResume(program: Command, run: Run): void {
  common(program.command("resume").description("continue indexing a workspace")).action(
    (options: CommonOptions) => run((context) => resume(context, options)),
  );
}

async function pause(context: CommandContext, options: CommonOptions): Promise<ExitCode> {
  const root = await chooseRoot(context, options);
  const session = await context.session();
  // Pausing comes first, so that opening the workspace does not start a pass.
  await session.pause();
  await openWorkspace(context, root);
  if (options.json) await context.printJson({ root, paused: true });
  else {
    await context.print(
      `indexing of ${printable(root)} is paused until "${context.program} resume", or until the engine exits (minutes after the last editor)`,
    );
  }
  return EXIT.ok;
}

async function resume(context: CommandContext, options: CommonOptions): Promise<ExitCode> {
  const root = await chooseRoot(context, options);
  const session = await openWorkspace(context, root);
  await session.resume();
  if (options.json) await context.printJson({ root, paused: false });
  else await context.print(`indexing of ${printable(root)} continues`);
  return EXIT.ok;
}
