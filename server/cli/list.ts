/** `list`: the indexes that are stored. */

import type { Command } from "commander";
import type { IndexRecord } from "../contracts/model.ts";
import { JSON_ANSWER, type Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { printable, table } from "./terminal-text.ts";

export function addList(program: Command, run: Run): void {
  program
    .command("list")
    .description("the indexes that are stored")
    .option(...JSON_ANSWER)
    .action(({ json }: { json?: boolean }) => run((context) => list(context, json === true)));
}

async function list(context: CommandContext, json: boolean): Promise<ExitCode> {
  const session = await context.session();
  const records = await session.list();
  if (json) await context.printJson(records);
  else if (records.length > 0) await context.print(renderList(records));
  else context.note(`no index is stored yet; ${context.program} index makes one`);
  return records.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

function renderList(records: readonly IndexRecord[]): string {
  return table([
    ["name", "state", "updated", "model", "root"],
    ...records.map(({ name, state, updatedAt, modelId, root }) => [
      printable(name),
      state,
      localTime(updatedAt),
      modelId,
      printable(root),
    ]),
  ]);
}

/** To the minute; the Swedes write a time in the order of ISO 8601. */
function localTime(time: string): string {
  return new Date(time).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
}
