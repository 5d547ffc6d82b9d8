/** `similar`: finds code in other files that resembles the code at a place. */

import type { Command } from "commander";
import { BadRequest } from "../common/errors.ts";
import { parseSimilarRequest, type SimilarRequest } from "../contracts/similar-request.ts";
import { chooseRoot } from "./choose-root.ts";
import {
  type CommonOptions,
  collectList,
  common,
  number,
  parseWholeNumber,
  type Run,
} from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { findFile, pathFromFolder } from "./find-root.ts";
import { openWorkspace, waitForIndex, waitUntilSearchable } from "./open-workspace.ts";
import { renderHits } from "./render-hits.ts";
import { noteState } from "./search.ts";
import { printable } from "./terminal-text.ts";

interface SimilarOptions extends CommonOptions {
  readonly limit?: number;
  readonly minScore?: number;
  readonly lang?: string[];
  readonly path?: string[];
  readonly lines: number;
  readonly explain?: boolean;
  /** False with --no-wait. */
  readonly wait: boolean;
}

/** `src/a.ts:10`, lines from 1. A column is ignored. */
const PLACE = /^(.+?):(\d+)(?::\d+)?$/s;
const DEFAULT_LINES = 10;

export function addSimilar(program: Command, run: Run): void {
  common(
    program
      .command("similar")
      .description("find similar code in other files")
      .argument("<file:line>", "src/a.ts:10; the definition around this line is compared"),
  )
    .option(
      "--limit <n>",
      "at most this many hits, 1 to 200 (default: the setting search.limit)",
      number,
    )
    .option("--min-score <score>", "omit hits with a lower score (0 to 1)", number)
    .option("--lang <language>", "only this language; repeatable", collectList)
    .option("--path <glob>", "only files whose path matches: 'src/**'; repeatable", collectList)
    .option(
      "--lines <n>",
      "lines of code per hit; 0 shows only the place",
      parseWholeNumber,
      DEFAULT_LINES,
    )
    .option("--explain", "explain the rank of each hit")
    .option("--no-wait", "do not wait for indexing; search only indexed files")
    .action((place: string, options: SimilarOptions) =>
      run((context) => similar(context, place, options)),
    );
}

async function similar(
  context: CommandContext,
  place: string,
  options: SimilarOptions,
): Promise<ExitCode> {
  const [, file, line] = PLACE.exec(place) ?? [];
  if (file === undefined || Number(line) < 1) {
    throw new BadRequest(`${place}: expected a file and a line from 1, such as src/a.ts:10`);
  }
  const root = await chooseRoot(context, options, file);
  const request = toRequest(
    { path: findFile(context.cwd, root, file), line: Number(line) - 1 },
    options,
  );
  const session = await openWorkspace(context, root);
  if (options.wait) await waitForIndex(context, session, "files");
  else await waitUntilSearchable(context, session);
  const answer = await session.similar(request, context.signal);
  const { hits, subject } = answer;
  noteState(context, answer);
  const { cwd, colors, hasLinks, note } = context;
  const where = `${printable(pathFromFolder(cwd, subject.root, subject.path))}:${subject.lines.start + 1}`;
  const name = subject.symbol?.name;
  const what = name === undefined ? where : `${printable(name)} (${where})`;
  if (options.json) await context.printJson(answer);
  else if (hits.length > 0) {
    note(`similar to ${what}:`);
    const layout = { query: name ?? "", cwd, colors, hasLinks, lines: options.lines };
    await context.print(renderHits(hits, layout));
  }
  if (hits.length > 0) return EXIT.ok;
  note(`nothing similar to ${what}`);
  return EXIT.nothingFound;
}

function toRequest(
  place: Pick<SimilarRequest, "path" | "line">,
  { limit, minScore, lang, path, explain }: SimilarOptions,
): SimilarRequest {
  return parseSimilarRequest({
    ...place,
    limit,
    minScore,
    languages: lang,
    paths: path,
    includeText: true,
    explain,
  });
}
