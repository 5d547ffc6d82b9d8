/** What the commands over the graph share: their options, how the workspace is opened, and lists of files. */

import type { Command } from "commander";
import type { RelatedFile } from "../contracts/graph-requests.ts";
import { chooseRoot } from "./choose-root.ts";
import { type CommonOptions, common, list, number } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { openWorkspace, waitForIndex } from "./open-workspace.ts";
import { printable, table } from "./terminal-text.ts";

export interface WalkOptions extends CommonOptions {
  readonly depth?: number;
  readonly type?: string[];
  readonly limit?: number;
}

export function walkOptions(command: Command): Command {
  return common(command)
    .option("--depth <n>", "how many steps are followed, 1 to 5", number)
    .option("--type <types>", "only these edges: import, call, reference", list)
    .option("--limit <n>", "at most this many files", number);
}

/** The graph of the current project, or of that of a file. */
export async function openGraph(context: CommandContext, options: CommonOptions, file?: string) {
  const root = await chooseRoot(context, options, file);
  const session = await openWorkspace(context, root);
  await waitForIndex(context, session, "files");
  return { root, session };
}

export function renderFiles(files: readonly RelatedFile[]): string {
  return table(files.map(cellsOf));
}

export function cellsOf({ path: file, hops, via, line, types, dependent }: RelatedFile): string[] {
  return [
    `  ${printable(file)}`,
    `${hops} ${hops === 1 ? "step" : "steps"}`,
    dependent ? `uses ${printable(via)}` : `used by ${printable(via)}`,
    `line ${line + 1}`,
    types.join(", "),
  ];
}
