/** The output formats of `search`: text, JSON, quickfix lines for editors, file names and counts. */

import { jsonForTerminal } from "../common/terminal.ts";
import type { Hit, Relevance } from "../contracts/model.ts";
import type { RelatedToHits, SearchAnswer } from "../contracts/session.ts";
import type { CommandContext } from "./command-context.ts";
import { pathFromFolder } from "./find-root.ts";
import { locationTextOf, pathOf, renderHits } from "./render-hits.ts";
import { printable, table } from "./terminal-text.ts";

export interface OutputOptions {
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly vimgrep?: boolean;
  readonly files?: boolean;
  readonly count?: boolean;
  /** Include hits that are no better than chance. */
  readonly all?: boolean;
  /** Lines of code per hit. */
  readonly lines: number;
}

/** JSON contains all hits; text omits those no better than chance; lists for programs contain only strong hits, if any. */
export async function printAnswer(
  context: CommandContext,
  answer: SearchAnswer,
  options: OutputOptions,
  query: string,
): Promise<void> {
  if (options.json) return await context.printJson(answer);
  if (options.jsonl) {
    const related = (answer.related ?? []).map((file) => toJsonLine({ related: file }));
    return await printLines(context, [...answer.hits.map(toJsonLine), ...related]);
  }
  const hits = listedHits(answer.hits, options);
  if (options.count) return await context.print(String(countOf(hits, options)));
  if (hits.length === 0) return;
  const { cwd, colors, hasLinks } = context;
  if (options.files) return await printLines(context, filesOf(hits, cwd));
  if (options.vimgrep)
    return await printLines(
      context,
      hits.map((hit) => toVimgrep(hit, cwd)),
    );
  const { lines } = options;
  const text = renderHits(hits, { query, cwd, colors, lines, hasLinks });
  await context.page([text, ...renderRelated(answer, context)].join("\n\n"));
}

/** The related files under their own heading, which sets them apart from hits. */
function renderRelated(
  { related }: Pick<SearchAnswer, "related">,
  { cwd, colors }: Pick<CommandContext, "cwd" | "colors">,
): string[] {
  if (related === undefined) return [];
  if (related.length === 0) return [colors.dim("no related files")];
  const name = (root: string, path: string) => printable(pathFromFolder(cwd, root, path));
  const lines = related.map(({ root, path, via, dependent }) => [
    `  ${name(root, path)}`,
    `${dependent ? "uses" : "used by"} ${name(root, via)}`,
  ]);
  return [`${colors.dim("related files:")}\n${table(lines)}`];
}

/** The hits that this output format shows. */
function listedHits(
  hits: readonly Hit[],
  { all, vimgrep, files, count }: Pick<OutputOptions, "all" | "vimgrep" | "files" | "count">,
): readonly Hit[] {
  if (all) return hits;
  const hasAny = (level: Relevance) => hits.some(({ relevance }) => relevance === level);
  const isForProgram = vimgrep === true || files === true || count === true;
  if (isForProgram && hasAny("strong"))
    return hits.filter(({ relevance }) => relevance === "strong");
  return hits.filter(({ relevance }) => relevance !== "chance");
}

function countOf(hits: readonly Hit[], { files }: OutputOptions): number {
  return files ? new Set(hits.map(({ root, path }) => `${root}/${path}`)).size : hits.length;
}

function filesOf(hits: readonly Hit[], cwd: string): string[] {
  return [...new Set(hits.map((hit) => printable(pathOf(hit, cwd))))];
}

/** The format of `grep -nH --column`, which Vim and Emacs parse. */
function toVimgrep(hit: Hit, cwd: string): string {
  return `${locationTextOf(hit, cwd)}:${printable(hit.bestLine?.text ?? hit.symbol?.signature ?? "")}`;
}

function toJsonLine(line: Hit | { readonly related: RelatedToHits }): string {
  return jsonForTerminal(JSON.stringify(line));
}

async function printLines({ print }: CommandContext, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await print(lines.join("\n"));
}
