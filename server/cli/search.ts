/** `search`: finds code by meaning and by word. It indexes the workspace first if needed. */

import { type Command, Option } from "commander";
import { count } from "../common/count.ts";
import { Unavailable } from "../common/errors.ts";
import { isMarked } from "../config/project-root.ts";
import type { SearchAnswer, SearchRequest, Session } from "../contracts/session.ts";
import { chooseRoot } from "./choose-root.ts";
import { number, parseWholeNumber, type Run, rootOf } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import {
  type OccurrenceOptions,
  printOccurrences,
  refuseAlone,
  toOccurrencesRequest,
} from "./occurrences.ts";
import { openWorkspace, waitForIndex, waitUntilSearchable } from "./open-workspace.ts";
import { type QueryOptions, queryOptions, toRequest } from "./query-options.ts";
import { readQueryText, shownQuery } from "./query-text.ts";
import { type OutputOptions, printAnswer } from "./search-output.ts";

interface SearchOptions extends QueryOptions, OutputOptions, OccurrenceOptions {
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
    .option("--exact <text>", "every place of this text; with a query, the best files first")
    .addOption(
      new Option(
        "--regex <pattern>",
        "every place of this regular expression (RE2), line by line",
      ).conflicts("exact"),
    )
    .option("--ignore-case", "with --exact or --regex: in any letter case")
    .option("--cursor <cursor>", "with --exact or --regex: the next places of a list")
    .option(
      "--lines <n>",
      "lines of code around the best line of each hit; 0 shows only the place",
      parseWholeNumber,
      DEFAULT_LINES,
    )
    .addOption(
      new Option("--vimgrep", "one line per hit: file:line:column:text").conflicts([
        "jsonl",
        "json",
      ]),
    )
    .addOption(new Option("--jsonl", "one JSON document per line and hit").conflicts(["json"]))
    .addOption(new Option("--files", "only the file names").conflicts(["vimgrep", "jsonl", "json"]))
    .addOption(
      new Option("--count", "only the number of hits, or with --files of files").conflicts([
        "vimgrep",
        "jsonl",
        "json",
      ]),
    )
    .option("--all", "include hits that are no better than chance")
    .option("--context-before <n>", "show the whole hit and this many lines before it", number)
    .option("--context-after <n>", "show the whole hit and this many lines after it", number)
    .option("--explain", "explain the rank of each hit")
    .addOption(
      new Option("--related", "list dependencies and dependents of the hits after them").conflicts([
        "vimgrep",
        "files",
        "count",
      ]),
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
  if (options.exact !== undefined || options.regex !== undefined) {
    const request = await toOccurrencesRequest(query, options);
    return await printOccurrences(context, await openFor(context, {}, options), request, options);
  }
  refuseAlone(options);
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
  noteState(context, answer);
  if (answer.alsoTry?.length) context.note(`also try: ${answer.alsoTry.join(", ")}`);
  const isWhole = contextBefore !== undefined || contextAfter !== undefined;
  const lines = isWhole ? Number.MAX_SAFE_INTEGER : options.lines;
  await printAnswer(context, answer, { ...options, lines }, query);
  return exitCodeOf(context, answer, request);
}

/** Opens the workspace and waits for its index. Indexes given by name need no workspace, and published ones no project. */
export async function openFor(
  context: CommandContext,
  { indexes }: Pick<SearchRequest, "indexes">,
  options: Pick<QueryOptions, "root" | "yes" | "wait">,
): Promise<Session> {
  const isTeam = indexes?.includes("*") === true;
  const isHere = isTeam && (options.root !== undefined || isMarked(rootOf(context, options)));
  if (indexes !== undefined && !isHere) return await context.session();
  const session = await openWorkspace(context, await chooseRoot(context, options));
  if (options.wait) await waitForIndex(context, session, "files");
  else await waitUntilSearchable(context, session);
  return session;
}

/** Notes on stderr the warnings of an answer, and how much was searched. */
export function noteState(
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
  note(`note: indexing: searched ${indexed} of ${count(total, "file")}`);
}

/** `nothingFound` only if all lanes that the request needs could search; else throws Unavailable. */
export function exitCodeOf(
  { note, program }: CommandContext,
  { hits, mode, state, total }: Pick<SearchAnswer, "hits" | "mode" | "state" | "total">,
  { query, hybrid, indexes, without = [] }: SearchRequest,
): ExitCode {
  if (hits.some(({ relevance }) => relevance !== "chance")) return EXIT.ok;
  if (state === "unavailable") {
    throw new Unavailable("the index is unavailable", `run ${program} doctor`);
  }
  if (hybrid === false && mode === "keyword") {
    throw new Unavailable("the query could not be embedded", `run ${program} doctor`);
  }
  // A failing model is retried for a while before the state changes.
  const lacksSemantic = mode === "keyword" && state !== "ready" && !without.includes("vector");
  if (lacksSemantic && hits.length === 0) {
    const problem = `no keyword match for "${shownQuery(query)}"; semantic search is unavailable`;
    throw new Unavailable(problem, `run ${program} doctor`);
  }
  const named = indexes?.map((name) => (name === "*" ? "the published indexes" : name));
  const where = named === undefined ? count(total, "file") : named.join(", ");
  const found = hits.length === 0 ? "nothing" : "nothing better than chance";
  note(`${found} found for "${shownQuery(query)}" in ${where}`);
  if (hits.length > 0) note(`--all shows the ${count(hits.length, "nearest hit")}`);
  return EXIT.nothingFound;
}
