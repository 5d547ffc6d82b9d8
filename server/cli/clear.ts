/** `clear`: forgets what is stored of a workspace. It can be made again at any time. */

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
  withoutYes(program.command("clear").description("forget the index of a workspace"))
    .argument("[name]", "the name of an index, as list shows it; default: the workspace's")
    .option("--unused", "forget every index whose folder is not there any more")
    .option("--others", "on a shared Postgres, forget the named index of another installation too")
    .action((name: string | undefined, options: ClearOptions) =>
      run(async (context) => {
        if (options.unused !== true) return await clear(context, name, options);
        if (name !== undefined)
          throw new BadRequest("name an index or give --unused, and only one of them");
        return await clearUnused(context, options);
      }),
    );
}

/** Of a workspace every index: one that was called otherwise before is of no use without it. */
async function clear(
  context: CommandContext,
  named: string | undefined,
  options: ClearOptions,
): Promise<ExitCode> {
  const session = await context.session();
  const others = options.others === true;
  // The folder itself may be gone; that is a good reason to clear its index.
  const root = realPath(findRoot(context.cwd, options.root));
  const names = named === undefined ? await namesOf(session, root) : [named];
  const cleared: string[] = [];
  for (const name of names) if (await session.clear(name, { others })) cleared.push(name);
  if (options.json) await context.printJson({ cleared });
  else if (cleared.length > 0) {
    await context.print(cleared.map((name) => `forgot the index ${printable(name)}`).join("\n"));
  } else context.note(`no index is stored ${named === undefined ? `of ${root}` : `as "${named}"`}`);
  return cleared.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

async function namesOf(session: Session, root: string): Promise<string[]> {
  return (await session.list()).flatMap((record) => (record.root === root ? [record.name] : []));
}

/** On a shared Postgres only those that this installation keeps: other machines have folders that are not here. */
async function clearUnused(context: CommandContext, options: CommonOptions): Promise<ExitCode> {
  const session = await context.session();
  const unused = (await session.list()).filter(
    ({ root, installation }) => installation === undefined && !existsSync(root),
  );
  for (const { name } of unused) await session.clear(name);
  if (options.json) await context.printJson({ cleared: unused.map(({ name }) => name) });
  else if (unused.length === 0) context.note("every index has its folder");
  else {
    const rows = unused.map(({ name, root }) => `forgot ${printable(name)} of ${printable(root)}`);
    await context.print(rows.join("\n"));
  }
  return unused.length > 0 ? EXIT.ok : EXIT.nothingFound;
}
