/** `pause` and `resume`: whether the index of a workspace is kept up to date; what is stored is found either way. */

import type { Command } from "commander";
import { chooseRoot } from "./choose-root.ts";
import { type CommonOptions, common, type Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { openWorkspace } from "./open-workspace.ts";
import { printable } from "./terminal-text.ts";

export function addPause(program: Command, run: Run): void {
  common(
    program.command("pause").description("stop indexing a workspace until it is resumed"),
  ).action((options: CommonOptions) => run((context) => pause(context, options)));
}

export function addResume(program: Command, run: Run): void {
  common(
    program.command("resume").description("index a workspace again, from where it was"),
  ).action((options: CommonOptions) => run((context) => resume(context, options)));
}

async function pause(context: CommandContext, options: CommonOptions): Promise<ExitCode> {
  const root = await chooseRoot(context, options);
  const session = await context.session();
  // First, so that a workspace that no client has open is not begun.
  await session.pause();
  await openWorkspace(context, root);
  if (options.json) await context.printJson({ root, paused: true });
  else {
    await context.print(
      `${printable(root)} is not indexed until "${context.program} resume", or until the engine leaves (minutes after the last editor)`,
    );
  }
  return EXIT.ok;
}

async function resume(context: CommandContext, options: CommonOptions): Promise<ExitCode> {
  const root = await chooseRoot(context, options);
  const session = await openWorkspace(context, root);
  await session.resume();
  if (options.json) await context.printJson({ root, paused: false });
  else await context.print(`${printable(root)} is indexed again`);
  return EXIT.ok;
}
