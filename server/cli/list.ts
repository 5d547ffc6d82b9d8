/** `list`: lists the stored indexes. */

import { existsSync } from "node:fs";
import type { Command } from "commander";
import { count } from "../common/count.ts";
import type { IndexRecord } from "../contracts/model.ts";
import { JSON_ANSWER, type Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { localTime, printable, table } from "./terminal-text.ts";

export function addList(program: Command, run: Run): void {
  program
    .command("list")
    .description("list the stored indexes")
    .option("--others", "on a shared Postgres, include the indexes of other installations")
    .option(...JSON_ANSWER)
    .action((options: ListOptions) => run((context) => list(context, options)));
}

interface ListOptions {
  readonly others?: boolean;
  readonly json?: boolean;
}

async function list(context: CommandContext, options: ListOptions): Promise<ExitCode> {
  const session = await context.session();
  const all = await session.list({ others: true });
  const own = all.filter(({ installation }) => installation !== "another");
  const records = options.others === true ? all : own;
  if (options.json) await context.printJson(records.map(withGone));
  else if (records.length > 0) await context.print(renderList(records));
  else context.note(`no index is stored yet; run ${context.program} index`);
  const hidden = all.length - records.length;
  if (hidden > 0)
    context.note(
      `${count(hidden, "index", "indexes")} of other installations not shown; run ${context.program} list --others`,
    );
  return records.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

/** Whether the folder of an index is not there. The folders of other installations are on other machines. */
const isGone = ({ root, installation }: IndexRecord) =>
  installation !== "another" && !existsSync(root);

const withGone = (record: IndexRecord) => (isGone(record) ? { ...record, isGone: true } : record);

/** The column `installation` is shown only for a shared database. */
function renderList(records: readonly IndexRecord[]): string {
  const isShared = records.some(({ installation }) => installation !== undefined);
  return table([
    ["name", "state", "updated", "model", ...(isShared ? ["installation"] : []), "root"],
    ...records.map((record) => [
      printable(record.name),
      isGone(record) ? "folder is gone" : record.state,
      localTime(record.updatedAt),
      record.modelId,
      ...(isShared ? [record.installation ?? "this one"] : []),
      printable(record.root),
    ]),
  ]);
}
