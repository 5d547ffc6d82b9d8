/** `list`: all indexes of this user's store. */

import type { Command } from "commander";
import type { IndexRecord } from "../../model.ts";
import { type CliContext, type CommonOptions, EXIT, type RunCommand } from "../context.ts";
import { printable, table } from "../format.ts";
import { withCommon } from "../options.ts";

export function addList(program: Command, run: RunCommand): void {
  withCommon(program.command("list"))
    .description("list all indexes")
    .action((options: CommonOptions) => run((context) => list(context, options)));
}

async function list({ session, output }: CliContext, { json }: CommonOptions): Promise<number> {
  const records = await (await session()).list();
  if (json) output.json(records);
  else if (records.length === 0) output.note("there is no index yet");
  else output.print(...table(records.map(row)));
  return records.length > 0 ? EXIT.found : EXIT.nothing;
}

function row({ name, state, modelId, updatedAt, root }: IndexRecord): string[] {
  return [
    printable(name),
    state,
    modelId,
    updatedAt.slice(0, 16).replace("T", " "),
    printable(root),
  ];
}
