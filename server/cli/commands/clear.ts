/** `clear`: drops an index, by name or that of the workspace. */

import { realpathSync } from "node:fs";
import type { Command } from "commander";
import { isErrorCode } from "../../errors.ts";
import type { Session } from "../../session.ts";
import { type CliContext, type CommonOptions, EXIT, type RunCommand } from "../context.ts";
import { withCommon } from "../options.ts";
import { rootFor } from "../root.ts";

export function addClear(program: Command, run: RunCommand): void {
  withCommon(program.command("clear"))
    .description("drop an index (default: that of the workspace)")
    .argument("[name]", "as `list` shows it")
    .action((name: string | undefined, options: CommonOptions) =>
      run((context) => clear(context, name, options)),
    );
}

async function clear(
  { session: connect, output, cwd }: CliContext,
  name: string | undefined,
  options: CommonOptions,
): Promise<number> {
  const session = await connect();
  const root = rootFor(options.root, cwd);
  const names = name === undefined ? await namesOf(session, root) : [name];
  const cleared: string[] = [];
  for (const each of names) {
    if (await session.clear(each)) cleared.push(each);
  }
  if (options.json) output.json({ cleared });
  else if (cleared.length > 0) output.print(...cleared.map((each) => `cleared ${each}`));
  else output.note(name === undefined ? `${root} has no index` : `no index is named "${name}"`);
  return cleared.length > 0 ? EXIT.found : EXIT.nothing;
}

/** Asks the catalog, because opening the folder would index it again. */
async function namesOf(session: Session, root: string): Promise<string[]> {
  const real = realOrSame(root);
  return (await session.list()).filter((record) => record.root === real).map(({ name }) => name);
}

/** The index of a folder that is gone can be cleared too. */
function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || isErrorCode(error, "ENOTDIR")) return path;
    throw error;
  }
}
