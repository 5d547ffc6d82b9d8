/** `explain`: the commits that shaped some lines of a file. */

import type { Command } from "commander";
import { BadRequest } from "../common/errors.ts";
import { shortSha } from "../common/short-sha.ts";
import {
  BOUNDARY_NOTE,
  type Explanation,
  parseExplainRequest,
  type ShapingCommit,
} from "../contracts/history-request.ts";
import { chooseRoot } from "./choose-root.ts";
import { type CommonOptions, common, type Run } from "./command.ts";
import type { Colors, CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { findFile } from "./find-root.ts";
import { openWorkspace } from "./open-workspace.ts";
import { colorPatch } from "./render-commits.ts";
import { printable } from "./terminal-text.ts";

interface ExplainOptions extends CommonOptions {
  readonly patch?: boolean;
}

/** `src/a.ts:10-40` or `src/a.ts:10`, lines from 1. A column, as hits have it, is ignored. */
const PLACE = /^(.+?):(\d+)(?:-(\d+)|:\d+)?$/s;
/** The last line if none is given; lines after the end of the file are cut. */
const MAX_LINE = 1_000_000;

export function addExplain(program: Command, run: Run): void {
  common(
    program
      .command("explain")
      .description("show the commits that shaped some lines, and why")
      .argument("<file:lines>", "src/a.ts:10-40, src/a.ts:10 or src/a.ts"),
  )
    .option("--patch", "show the changes of each commit to these lines")
    .action((place: string, options: ExplainOptions) =>
      run((context) => explain(context, place, options)),
    );
}

async function explain(
  context: CommandContext,
  place: string,
  options: ExplainOptions,
): Promise<ExitCode> {
  const { cwd, colors } = context;
  const [, file = place, first, last = first] = PLACE.exec(place) ?? [];
  const start = first === undefined ? 1 : Number(first);
  const end = last === undefined ? MAX_LINE : Number(last);
  if (start < 1 || end < start)
    throw new BadRequest(`${place}: expected lines from 1, such as 10-40`);
  const root = await chooseRoot(context, options, file);
  const request = parseExplainRequest({
    path: findFile(cwd, root, file),
    lines: { start: start - 1, end: end - 1 },
  });
  const session = await openWorkspace(context, root);
  const answer = await session.explain(request, context.signal);
  if (options.json) await context.printJson(answer);
  else await context.page(render(answer, colors, options.patch === true));
  return answer.commits.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

function render({ commits, origins }: Explanation, colors: Colors, withPatch: boolean): string {
  /** Lines may have been moved here from several files. */
  const pathsOf = (commit: ShapingCommit) => {
    const own = origins.filter(({ sha }) => sha === commit.sha);
    const paths = new Set(own.map(({ path = commit.path }) => path));
    return [...paths].map(printable).join(", ");
  };
  const blocks = commits.map((commit) => {
    const { isBoundary, sha, subject, paragraph, author, age, lines, patch } = commit;
    return [
      `${colors.yellow(shortSha(sha))}  ${colors.bold(printable(subject))}`,
      colors.dim(
        `  ${printable(author)}, ${age}; ${lines.length} of ${origins.length} lines, ${pathsOf(commit)}`,
      ),
      ...(paragraph === "" ? [] : paragraph.split("\n").map((line) => `  ${printable(line)}`)),
      ...(isBoundary === true ? [`  ${BOUNDARY_NOTE}`] : []),
      ...(withPatch && patch !== "" ? colorPatch(patch, colors) : []),
    ].join("\n");
  });
  const unsaved = origins.filter(({ sha }) => sha === undefined).length;
  const note = `${unsaved} of ${origins.length} lines are not committed`;
  return [...blocks, ...(unsaved > 0 ? [note] : [])].join("\n\n");
}
