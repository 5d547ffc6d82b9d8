/** `clear`: forgets what is stored of a workspace. It can be made again at any time. */

import type { Command } from "commander";
import { type CommonOptions, common, type Run } from "./command.ts";
import type { Context } from "./context.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { findRoot, realPath } from "./root.ts";
import { printable } from "./text.ts";

export function addClear(program: Command, run: Run): void {
  common(program.command("clear").description("forget the index of a workspace"))
    .argument("[name]", "the name of an index, as list shows it; default: the workspace's")
    .action((name: string | undefined, options: CommonOptions) =>
      run((context) => clear(context, name, options)),
    );
}

async function clear(
  context: Context,
  named: string | undefined,
  options: CommonOptions,
): Promise<ExitCode> {
  const session = await context.session();
  // The folder itself may be gone; that is a good reason to clear its index.
  const root = realPath(findRoot(context.cwd, options.root));
  const name = named ?? (await session.list()).find((record) => record.root === root)?.name;
  const isCleared = name !== undefined && (await session.clear(name));
  if (options.json) await context.printJson({ name: name ?? null, cleared: isCleared });
  else if (isCleared) await context.print(`forgot the index ${printable(name)}`);
  else context.note(`no index is stored ${named === undefined ? `of ${root}` : `as "${named}"`}`);
  return isCleared ? EXIT.ok : EXIT.nothingFound;
}
