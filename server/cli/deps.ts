/** `deps`: the graph of imports and calls. */

import type { Command } from "commander";
import { type CommonOptions, type Run, rootOf } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { openWorkspace, waitForIndex } from "./open-workspace.ts";

export function addDeps(program: Command, run: Run): void {
  const deps = program.command("deps").description("imports, calls and what a change touches");
  deps
    .command("export")
    .description("all edges, one JSON object per line")
    .option("--root <dir>", "the workspace; default: the project around the current folder")
    .option("--candidates", "also what a call may mean among several methods of its name")
    .action((options: ExportOptions) => run((context) => exportEdges(context, options)));
}

interface ExportOptions extends CommonOptions {
  readonly candidates?: boolean;
}

async function exportEdges(context: CommandContext, options: ExportOptions): Promise<ExitCode> {
  const root = rootOf(context, options);
  const session = await openWorkspace(context, root);
  await waitForIndex(context, session, "files");
  let found = 0;
  for (let start: number | undefined = 0; start !== undefined; ) {
    const { edges, next } = await session.exportGraph(root, start);
    const shown = edges.filter(({ kind }) => kind !== "candidate" || options.candidates === true);
    found += shown.length;
    if (shown.length > 0) await context.print(shown.map((edge) => JSON.stringify(edge)).join("\n"));
    start = next;
  }
  return found > 0 ? EXIT.ok : EXIT.nothingFound;
}
