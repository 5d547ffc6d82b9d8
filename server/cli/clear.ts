/** `clear`: deletes the stored index of a workspace. Indexing again restores it. */

import { existsSync } from "node:fs";
import type { Command } from "commander";
import { BadRequest } from "../common/errors.ts";
import { findRoot } from "../config/project-root.ts";
import type { Session } from "../contracts/session.ts";
import { type CommonOptions, type Run, withoutYes } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { realPath } from "./find-root.ts";
import { printable } from "./terminal-text.ts";

interface ClearOptions extends CommonOptions {
  readonly unused?: boolean;
  readonly others?: boolean;
}

export function addClear(program: Command, run: Run): void {
  withoutYes(program.command("clear").description("delete the index of a workspace"))
    .argument("[name]", "the name of an index, as list shows it; default: the workspace's")
    .option("--unused", "delete every index whose folder no longer exists")
    .option(
      "--others",
      "on a shared Postgres, also delete the named index if another installation owns it",
    )
    .action((name: string | undefined, options: ClearOptions) =>
      run(async (context) => {
        if (options.unused !== true) return await clear(context, name, options);
        if (name !== undefined) throw new BadRequest("name an index or pass --unused, not both");
        return await clearUnused(context, options);
      }),
    );
}

/** Without a name, deletes every index of the workspace: one stored under an earlier index name is unused, too. */
async function clear(
  context: CommandContext,
  named: string | undefined,
  options: ClearOptions,
): Promise<ExitCode> {
  const session = await context.session();
  const others = options.others === true;
  // The folder may be deleted already.
  const root = realPath(findRoot(context.cwd, options.root));
  const names = named === undefined ? await namesOf(session, root) : [named];
  const cleared: string[] = [];
  for (const name of names) if (await session.clear(name, { others })) cleared.push(name);
  if (options.json) await context.printJson({ cleared });
  else if (cleared.length > 0) {
    await context.print(cleared.map((name) => `deleted the index ${printable(name)}`).join("\n"));
  } else
    context.note(
      named === undefined ? `${root} has no stored index` : `no stored index is named "${named}"`,
    );
  return cleared.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

async function namesOf(session: Session, root: string): Promise<string[]> {
  return (await session.list()).flatMap((record) => (record.root === root ? [record.name] : []));
}

/** Deletes only indexes of this installation: on a shared Postgres, the folders of others are on other machines. */
async function clearUnused(context: CommandContext, options: CommonOptions): Promise<ExitCode> {
  const session = await context.session();
  const unused = (await session.list()).filter(
    ({ root, installation }) => installation === undefined && !existsSync(root),
  );
  for (const { name } of unused) await session.clear(name);
  if (options.json) await context.printJson({ cleared: unused.map(({ name }) => name) });
  else if (unused.length === 0) context.note("the folder of every index exists");
  else {
    const rows = unused.map(({ name, root }) => `deleted ${printable(name)} of ${printable(root)}`);
    await context.print(rows.join("\n"));
  }
  return unused.length > 0 ? EXIT.ok : EXIT.nothingFound;
}
