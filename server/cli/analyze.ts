/** `analyze`: runs a search and prints each stage with its count and time, and the ranks of each hit. */

import type { Command } from "commander";
import type { Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { type QueryOptions, queryOptions, toRequest } from "./query-options.ts";
import { readQueryText } from "./query-text.ts";
import { renderAnalysis } from "./render-analysis.ts";
import { exitCodeOf, noteState, openFor } from "./search.ts";

export function addAnalyze(program: Command, run: Run): void {
  queryOptions(
    program.command("analyze").description("search, and show what each stage did"),
  ).action((words: string[], options: QueryOptions) =>
    run((context) => analyze(context, words, options)),
  );
}

async function analyze(
  context: CommandContext,
  words: readonly string[],
  options: QueryOptions,
): Promise<ExitCode> {
  const query = await readQueryText(context, words, options.file);
  const request = await toRequest(query, options);
  const session = await openFor(context, request, options);
  const analysis = await session.analyze(request, context.signal);
  noteState(context, analysis);
  if (options.json) await context.printJson(analysis);
  else await context.print(renderAnalysis(analysis, context.cwd, context.colors));
  return analysis.hits.length > 0 ? EXIT.ok : exitCodeOf(context, analysis, request);
}
