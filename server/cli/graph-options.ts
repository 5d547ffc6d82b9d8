/** Shared by the graph commands: options, opening the workspace, and lists of files. */

import type { Command } from "commander";
import { count } from "../common/count.ts";
import type { RelatedFile } from "../contracts/graph-requests.ts";
import { MAX_LIMIT, REQUEST_DEFAULTS } from "../contracts/request-defaults.ts";
import { chooseRoot } from "./choose-root.ts";
import { type CommonOptions, common, number } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { pathFromFolder } from "./find-root.ts";
import { openWorkspace, waitForIndex } from "./open-workspace.ts";
import { printable, table } from "./terminal-text.ts";

export interface WalkOptions extends CommonOptions {
  readonly depth?: number;
  readonly limit?: number;
}

/** `depth` is the default of --depth. */
export function walkOptions(command: Command, depth: number): Command {
  return common(command)
    .option("--depth <n>", `how many edges to follow, 1 to 5 (default: ${depth})`, number)
    .option(
      "--limit <n>",
      `at most this many files, 1 to 1,000 (default: ${REQUEST_DEFAULTS.related.limit})`,
      number,
    );
}

/** Opens the current project, or the project of `file`, and waits for its files. */
export async function openGraph(context: CommandContext, options: CommonOptions, file?: string) {
  const root = await chooseRoot(context, options, file);
  const session = await openWorkspace(context, root);
  await waitForIndex(context, session, "files");
  return { root, session };
}

interface PartOfList {
  /** The singular noun of the listed things. */
  readonly what: string;
  /** A clause after the noun: " that depend on it". */
  readonly about?: string;
  readonly shown: number;
  readonly total: number;
}

/** Notes on stderr how many items of a list are not shown. */
export function noteMore(
  { note }: CommandContext,
  { what, about = "", shown, total }: PartOfList,
): void {
  if (shown >= total) return;
  const remedy =
    total <= MAX_LIMIT ? `--limit ${total} shows all` : `--limit ${MAX_LIMIT} shows the most`;
  note(
    `note: and ${count(total - shown, `more ${what}`)}${about}, of ${total.toLocaleString("en-US")}; ${remedy}`,
  );
}

/** Formats a path of the workspace so that it can be opened from the current folder. */
export type Show = (path: string) => string;

export function showFrom(cwd: string, root: string): Show {
  return (path) => printable(pathFromFolder(cwd, root, path));
}

export function renderFiles(files: readonly RelatedFile[], show: Show): string {
  return table(files.map((file) => cellsOf(file, show)));
}

export function cellsOf(
  { path: file, hops, via, line, types, dependent }: RelatedFile,
  show: Show,
): string[] {
  return [
    `  ${show(file)}`,
    count(hops, "step"),
    dependent ? `uses ${show(via)}` : `used by ${show(via)}`,
    `line ${line + 1}`,
    types.join(", "),
  ];
}
