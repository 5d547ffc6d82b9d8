/** `similar`: finds code like that at a place, in other files. */

import type { Command } from "commander";
import { BadRequest } from "../common/errors.ts";
import { parseSimilarRequest, type SimilarRequest } from "../contracts/similar-request.ts";
import { chooseRoot } from "./choose-root.ts";
import { type CommonOptions, common, list, number, type Run, wholeNumber } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { findFile, shownPath } from "./find-root.ts";
import { openWorkspace, waitForIndex, waitUntilSearchable } from "./open-workspace.ts";
import { renderHits } from "./render-hits.ts";
import { tellState } from "./search.ts";
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

/** `src/a.ts:10`, from 1; a column after it says nothing more. */
const PLACE = /^(.+?):(\d+)(?::\d+)?$/s;
const DEFAULT_LINES = 10;

export function addSimilar(program: Command, run: Run): void {
  common(
    program
      .command("similar")
      .description("find code like that at a place, in other files")
      .argument("<file:line>", "src/a.ts:10: the definition around this line is compared"),
  )
    .option(
      "--limit <n>",
      "how many hits at most, 1 to 200 (default: the setting search.limit)",
      number,
    )
    .option("--min-score <score>", "leave out hits below this score (0 to 1)", number)
    .option("--lang <language>", "only this language; may be repeated", list)
    .option("--path <glob>", "only files with such a path: 'src/**'; may be repeated", list)
    .option(
      "--lines <n>",
      "lines shown of each hit; 0 shows only where it is",
      wholeNumber,
      DEFAULT_LINES,
    )
    .option("--explain", "say why each hit is where it is")
    .option("--no-wait", "do not wait for the index; answer with what is there")
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
    throw new BadRequest(`${place}: a file and a line from 1 are expected, as in src/a.ts:10`);
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
  tellState(context, answer);
  const { cwd, colors, hasLinks, note } = context;
  const where = `${printable(shownPath(cwd, subject.root, subject.path))}:${subject.lines.start + 1}`;
  const name = subject.symbol?.name;
  const what = name === undefined ? where : `${printable(name)} (${where})`;
  if (options.json) await context.printJson(answer);
  else if (hits.length > 0) {
    note(`code like ${what}:`);
    const look = { query: name ?? "", cwd, colors, hasLinks, lines: options.lines };
    await context.print(renderHits(hits, look));
  }
  if (hits.length > 0) return EXIT.ok;
  note(`nothing is like ${what}`);
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
