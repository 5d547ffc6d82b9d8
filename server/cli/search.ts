/** `search`: finds code by meaning and by word; indexes the workspace first where that has not been done. */

import { type Command, Option } from "commander";
import { count } from "../common/count.ts";
import { Unavailable } from "../common/errors.ts";
import type { SearchAnswer, SearchRequest, Session } from "../contracts/session.ts";
import { chooseRoot } from "./choose-root.ts";
import { number, type Run, wholeNumber } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { openWorkspace, waitForIndex, waitUntilSearchable } from "./open-workspace.ts";
import { type QueryOptions, queryOptions, toRequest } from "./query-options.ts";
import { readQueryText, shownQuery } from "./query-text.ts";
import { type OutputOptions, printAnswer } from "./search-output.ts";

interface SearchOptions extends QueryOptions, OutputOptions {
  readonly contextBefore?: number;
  readonly contextAfter?: number;
  readonly explain?: boolean;
  readonly related?: boolean;
  readonly json?: boolean;
}

/** Ten hits of this many lines fill two screens. */
const DEFAULT_LINES = 10;

export function addSearch(program: Command, run: Run): void {
  queryOptions(program.command("search").description("find code by meaning and by word"))
    .option(
      "--lines <n>",
      "lines shown around the best line of each hit; 0 shows only where it is",
      wholeNumber,
      DEFAULT_LINES,
    )
    .addOption(
      new Option("--vimgrep", "one line per hit: file:line:column:text").conflicts([
        "jsonl",
        "json",
      ]),
    )
    .addOption(new Option("--jsonl", "one JSON document per hit and line").conflicts(["json"]))
    .addOption(
      new Option("--files", "only the files, each once").conflicts(["vimgrep", "jsonl", "json"]),
    )
    .addOption(
      new Option("--count", "only how many hits, or with --files how many files").conflicts([
        "vimgrep",
        "jsonl",
        "json",
      ]),
    )
    .option("--all", "weak matches and those no better than chance, too")
    .option("--context-before <n>", "show the whole hit and this many lines before it", number)
    .option("--context-after <n>", "show the whole hit and this many lines after it", number)
    .option("--explain", "say why each hit is where it is")
    .addOption(
      new Option(
        "--related",
        "after the hits, files that they depend on or that depend on them",
      ).conflicts(["vimgrep", "files", "count"]),
    )
    .action((words: string[], options: SearchOptions) =>
      run((context) => search(context, words, options)),
    );
}

async function search(
  context: CommandContext,
  words: readonly string[],
  options: SearchOptions,
): Promise<ExitCode> {
  const query = await readQueryText(context, words, options.file);
  const { contextBefore, contextAfter, explain } = options;
  const request = await toRequest(query, options, {
    includeText: true,
    contextBefore,
    contextAfter,
    explain,
    ...(options.related ? { expand: {} } : {}),
  });
  const session = await openFor(context, request, options);
  const answer = await session.search(request, context.signal);
  tellState(context, answer);
  const isWhole = contextBefore !== undefined || contextAfter !== undefined;
  const lines = isWhole ? Number.MAX_SAFE_INTEGER : options.lines;
  await printAnswer(context, answer, { ...options, lines }, query);
  return exitCodeOf(context, answer, request);
}

/** Named indexes are stored ones; they need no workspace. */
export async function openFor(
  context: CommandContext,
  { indexes }: Pick<SearchRequest, "indexes">,
  options: Pick<QueryOptions, "root" | "yes" | "wait">,
): Promise<Session> {
  if (indexes !== undefined) return await context.session();
  const session = await openWorkspace(context, await chooseRoot(context, options));
  if (options.wait) await waitForIndex(context, session, "files");
  else await waitUntilSearchable(context, session);
  return session;
}

/** What a person should know of the answer besides its hits. */
export function tellState(
  { note }: CommandContext,
  {
    warnings,
    state,
    indexed,
    total,
  }: Pick<SearchAnswer, "warnings" | "state" | "indexed" | "total">,
): void {
  for (const warning of warnings) note(`warning: ${warning}`);
  if (state !== "indexing" || indexed === total) return;
  note(`note: the index is being made: ${indexed} of ${count(total, "file")} were searched`);
}

/** Nothing found is an answer only where everything that was asked for could be searched. */
export function exitCodeOf(
  { note, program }: CommandContext,
  { hits, mode, state, total }: Pick<SearchAnswer, "hits" | "mode" | "state" | "total">,
  { query, hybrid, indexes, without = [] }: SearchRequest,
): ExitCode {
  if (hits.some(({ relevance }) => relevance !== "chance")) return EXIT.ok;
  if (state === "unavailable") {
    throw new Unavailable("the index is not there", `run ${program} doctor`);
  }
  if (hybrid === false && mode === "keyword") {
    throw new Unavailable("the query could not be embedded", `run ${program} doctor`);
  }
  // A model that does not answer is asked for a while before the index says so.
  const isWithoutMeaning = mode === "keyword" && state !== "ready" && !without.includes("vector");
  if (isWithoutMeaning && hits.length === 0) {
    const found = `nothing has the words of "${shownQuery(query)}", and its meaning could not be searched`;
    throw new Unavailable(found, `run ${program} doctor`);
  }
  const where = indexes === undefined ? count(total, "file") : indexes.join(", ");
  const found = hits.length === 0 ? "nothing" : "nothing better than chance";
  note(`${found} found for "${shownQuery(query)}" in ${where}`);
  if (hits.length > 0) note(`--all shows the ${count(hits.length, "nearest hit")}`);
  return EXIT.nothingFound;
}
