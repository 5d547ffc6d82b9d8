/** `search --exact` and `search --regex`: every place of a text or a pattern, grouped by file. */

import { join } from "node:path";
import { count } from "../common/count.ts";
import { definitionTitle } from "../common/definition-title.ts";
import { BadRequest } from "../common/errors.ts";
import { jsonForTerminal, linkTo } from "../common/terminal.ts";
import type {
  Occurrence,
  OccurrencesInFile,
  OccurrencesRequest,
} from "../contracts/occurrences-request.ts";
import type { OccurrencesAnswer, Session } from "../contracts/session.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { pathFromFolder } from "./find-root.ts";
import type { QueryOptions } from "./query-options.ts";
import type { OutputOptions } from "./search-output.ts";
import { printable } from "./terminal-text.ts";

export interface OccurrenceOptions {
  readonly exact?: string;
  readonly regex?: string;
  readonly ignoreCase?: boolean;
  readonly cursor?: string;
}

type Options = OccurrenceOptions & QueryOptions & Omit<OutputOptions, "lines">;

/** Options of a ranking of chunks. Ignored ones would make an answer look filtered. */
const NOT_FOR_PLACES = {
  minScore: "--min-score",
  type: "--type",
  name: "--name",
  changedSince: "--changed-since",
  terms: "--terms",
  semantic: "--semantic",
  keyword: "--keyword",
  hybrid: "--hybrid",
  contextBefore: "--context-before",
  contextAfter: "--context-after",
  explain: "--explain",
  related: "--related",
  team: "--team",
} as const;

/** Throws BadRequest for an option that changes nothing without a text or a pattern. */
export function refuseAlone({ ignoreCase, cursor }: OccurrenceOptions): void {
  const flag = ignoreCase ? "--ignore-case" : "--cursor";
  if (ignoreCase || cursor !== undefined)
    throw new BadRequest(`${flag} is for --exact and --regex; add one of them`);
}

/** Throws BadRequest for invalid options, before the engine starts. */
export async function toOccurrencesRequest(
  query: string,
  options: Options,
): Promise<OccurrencesRequest> {
  const given = new Map<string, unknown>(Object.entries(options));
  for (const [name, flag] of Object.entries(NOT_FOR_PLACES))
    if (given.get(name) !== undefined)
      throw new BadRequest(`${flag} is not for --exact and --regex; leave it out`);
  const { exact, regex, ignoreCase, path, lang, index, limit, cursor } = options;
  const { parseOccurrencesRequest } = await import("../contracts/occurrences-request.ts");
  return parseOccurrencesRequest({
    exact,
    pattern: regex,
    ignoreCase,
    query: query.trim() === "" ? undefined : query,
    paths: path,
    languages: lang,
    indexes: index,
    limit,
    cursor,
  });
}

export async function printOccurrences(
  context: CommandContext,
  session: Session,
  request: OccurrencesRequest,
  options: Options,
): Promise<ExitCode> {
  const answer = await session.occurrences(request, context.signal);
  for (const warning of answer.warnings) context.note(`warning: ${warning}`);
  await print(context, answer, options);
  if (!options.json) noteRest(context, answer, options);
  if (answer.matches > 0) return EXIT.ok;
  context.note(`no match in ${count(answer.total, "file")}`);
  return EXIT.nothingFound;
}

async function print(
  context: CommandContext,
  answer: OccurrencesAnswer,
  options: Options,
): Promise<void> {
  const { files } = answer;
  const { cwd } = context;
  if (options.json) return await context.printJson(answer);
  if (options.count)
    return await context.print(String(options.files ? answer.matchingFiles : answer.matches));
  if (answer.matches === 0) return;
  if (options.files) return await context.print(files.map((file) => nameOf(file, cwd)).join("\n"));
  if (options.jsonl || options.vimgrep) {
    const toLine = options.jsonl ? toJsonLine : toVimgrep;
    const lines = files.flatMap((file) => file.places.map((place) => toLine(file, place, cwd)));
    return lines.length === 0 ? undefined : await context.print(lines.join("\n"));
  }
  const listed = files.filter(({ places }) => places.length > 0);
  const others = files.filter(({ places }) => places.length === 0);
  const shown = [...listed, ...others.slice(0, MAX_OTHERS)].map((file) => blockOf(file, context));
  const more = others.length - MAX_OTHERS;
  const rest = more > 0 ? [`and ${count(more, "more file")}; --files lists all`] : [];
  await context.page([countsOf(answer), ...shown, ...rest].join("\n"));
}

/** Shown files without a listed place: about a screen. */
const MAX_OTHERS = 20;

/** The counts come first: they are of all files, also if the list is a part. */
function countsOf({
  matches,
  matchingFiles,
}: Pick<OccurrencesAnswer, "matches" | "matchingFiles">): string {
  return `${count(matches, "match", "matches")} in ${count(matchingFiles, "file")}`;
}

/** Notes files that were not searched, and the cursor for the rest of the list. */
function noteRest({ note }: CommandContext, answer: OccurrencesAnswer, options: Options): void {
  for (const { reason, files, examples } of answer.missing) {
    const what = reason === "excluded" ? "excluded file or folder" : "file";
    const many = reason === "excluded" ? "excluded files and folders" : "files";
    const why = reason === "excluded" ? "" : `, ${reason}`;
    note(`not searched: ${count(files, what, many)}${why}${examplesOf(examples)}`);
  }
  if (!answer.isComplete) note("the counts are not complete");
  const isListed = options.count !== true && options.files !== true;
  if (answer.cursor === undefined || !isListed) return;
  const listed = answer.files.reduce((sum, { places }) => sum + places.length, 0);
  note(`${count(listed, "place")} listed; for the rest add --cursor ${answer.cursor}`);
}

function examplesOf(examples: readonly string[]): string {
  return examples.length === 0 ? "" : ` (${examples.map(printable).join(", ")})`;
}

function blockOf(
  file: OccurrencesInFile,
  { cwd, colors, hasLinks }: Pick<CommandContext, "cwd" | "colors" | "hasLinks">,
): string {
  const name = colors.cyan(nameOf(file, cwd));
  const linked = hasLinks ? linkTo(join(file.root, file.path), name) : name;
  const unsaved = file.isUnsaved ? ", unsaved" : "";
  const head = `${linked}  ${colors.dim(`${count(file.matches, "match", "matches")}${unsaved}`)}`;
  const lines = file.places.map((place, i) => {
    const around = titleOf(file, place);
    const isNew = around !== undefined && around !== titleOf(file, file.places[i - 1]);
    const text = printable(place.text.trim());
    return `  ${place.line + 1}:${place.column + 1}  ${text}${isNew ? colors.dim(`  ${around}`) : ""}`;
  });
  return [head, ...lines].join("\n");
}

function titleOf({ languageId }: OccurrencesInFile, place: Occurrence | undefined) {
  const around = place?.definition;
  if (around === undefined) return undefined;
  return `in ${printable(definitionTitle(around, languageId))} (line ${around.line + 1})`;
}

function nameOf({ root, path }: OccurrencesInFile, cwd: string): string {
  return printable(pathFromFolder(cwd, root, path));
}

/** The format of `grep -nH --column`, which Vim and Emacs parse. */
function toVimgrep(file: OccurrencesInFile, { line, column, text }: Occurrence, cwd: string) {
  return `${nameOf(file, cwd)}:${line + 1}:${column + 1}:${printable(text)}`;
}

function toJsonLine({ root, path }: OccurrencesInFile, place: Occurrence): string {
  return jsonForTerminal(JSON.stringify({ root, path, ...place }));
}
