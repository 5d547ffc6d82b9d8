/** `demo`: the main job in one go: indexes a folder, answers a question about it, and says what to do next. */

import { relative } from "node:path";
import type { Command } from "commander";
import {
  type CliContext,
  type CommonOptions,
  EXIT,
  openWorkspace,
  type RunCommand,
  withProgress,
} from "../context.ts";
import { withCommon } from "../options.ts";
import { summary } from "./index-workspace.ts";
import { printHits } from "./search.ts";

/** Every program has an answer to it. */
const QUESTION = "where does the program start";
const HITS = 3;

export function addDemo(program: Command, run: RunCommand): void {
  withCommon(program.command("demo"))
    .description("index the workspace and answer an example question about it")
    .argument("[question...]")
    .action((words: string[], options: CommonOptions) =>
      run((context) => demo(context, words, options)),
    );
}

async function demo(
  context: CliContext,
  words: readonly string[],
  options: CommonOptions,
): Promise<number> {
  const { output, program, cwd } = context;
  const { bold } = output.colors;
  const session = await context.session();
  const start = performance.now();
  const root = await openWorkspace(context, session, options);
  await withProgress(context, session, () => session.settled(context.signal));
  const ms = Math.round(performance.now() - start);
  const query = words.length === 0 ? QUESTION : words.join(" ");
  const answer = await session.search({ query, limit: HITS, includeText: true }, context.signal);
  const { indexes } = await session.status();
  if (options.json) {
    output.json({ root, ms, indexes, query, answer });
    return answer.hits.length > 0 ? EXIT.found : EXIT.nothing;
  }
  output.print(...indexes.map((index) => summary(index, ms)), "");
  output.print(bold(`${program} search "${query}"${rootOption(root, cwd)}`), "");
  printHits(context, answer, { query });
  output.print(
    "",
    bold("Next"),
    `  ${program} search "your question" --root DIR    ask about a project of yours`,
    `  ${program} --help                               everything else`,
    "  clients/                                   set up your editor: Neovim, Helix, Emacs, Zed",
  );
  return answer.hits.length > 0 ? EXIT.found : EXIT.nothing;
}

function rootOption(root: string, cwd: string): string {
  return relative(cwd, root) === "" ? "" : ` --root ${root}`;
}
