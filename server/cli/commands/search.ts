/** `search`: answers a question with places in the code. */

import type { Command } from "commander";
import type { SearchAnswer, SearchRequest, Session } from "../../session.ts";
import { type CliContext, EXIT, openWorkspace, type RunCommand, withProgress } from "../context.ts";
import { grouped } from "../format.ts";
import { hitLines } from "../hits.ts";
import { type SearchOptions, searchRequest, withSearch } from "../options.ts";

interface Options extends SearchOptions {
  readonly explain?: true;
}

export function addSearch(program: Command, run: RunCommand): void {
  withSearch(program.command("search"))
    .description("find code: a question, words, or a name")
    .argument("<query...>", "also takes filters: lang:python type:function path:src/")
    .option("--explain", "say why each hit is where it is")
    .action((words: string[], options: Options) =>
      run((context) => search(context, words, options)),
    );
}

async function search(
  context: CliContext,
  words: readonly string[],
  options: Options,
): Promise<number> {
  const request = { ...searchRequest(words, options), explain: options.explain === true };
  const session = await context.session();
  await prepare(context, session, request, options);
  const answer = await session.search(request, context.signal);
  noteWarnings(context, answer);
  if (options.json) context.output.json(answer);
  else printHits(context, answer, request);
  return answer.hits.length > 0 ? EXIT.found : EXIT.nothing;
}

/** Opens the workspace and waits for its index, unless other indexes or no waiting are asked for. */
export async function prepare(
  context: CliContext,
  session: Session,
  request: SearchRequest,
  options: SearchOptions,
): Promise<void> {
  if (request.indexes !== undefined && options.root === undefined) return;
  await openWorkspace(context, session, options);
  if (!options.wait) return;
  await withProgress(context, session, () => session.settled(context.signal));
}

/** What the reader has to know to trust an answer. */
export function noteWarnings(
  { output }: CliContext,
  { warnings, state, indexed, total }: Omit<SearchAnswer, "hits">,
): void {
  for (const warning of warnings) output.note(warning);
  if (state === "indexing") {
    output.note(`still indexing: ${grouped(indexed)} of ${grouped(total)} files were searched`);
  }
}

export function printHits(
  { output, cwd }: CliContext,
  { hits }: SearchAnswer,
  request: SearchRequest,
): void {
  const whole = request.contextBefore !== undefined || request.contextAfter !== undefined;
  if (hits.length === 0) output.note("nothing found");
  hits.forEach((hit, i) => {
    if (i > 0) output.print("");
    output.print(...hitLines(hit, { colors: output.colors, cwd, whole }));
  });
}
