/** `demo`: indexes the repository of this program and runs one search. ./scripts/run without arguments starts it. */

import type { Command } from "commander";
import { chooseRoot } from "./choose-root.ts";
import { type CommonOptions, common, type Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { renderIndexed } from "./index-command.ts";
import { openWorkspace, waitForIndex } from "./open-workspace.ts";
import { renderHits } from "./render-hits.ts";
import { table } from "./terminal-text.ts";

/** A question about this program with one clear answer. The path excludes this file, which contains the question word for word. */
const QUESTION = "how are stack frames in a bug report recognized";
const PATH = "server/search/**";
const HITS = 3;

export function addDemo(program: Command, run: Run): void {
  common(program.command("demo", { hidden: true })).action((options: CommonOptions) =>
    run((context) => demo(context, options)),
  );
}

async function demo(context: CommandContext, options: CommonOptions): Promise<ExitCode> {
  const { cwd, colors, hasLinks, signal, print, program } = context;
  const root = await chooseRoot(context, options);
  const start = performance.now();
  context.note(`Indexing ${root}`);
  const session = await openWorkspace(context, root);
  await waitForIndex(context, session, "everything");
  const { indexes } = await session.status();
  for (const each of indexes) await print(renderIndexed(each, performance.now() - start));
  const { hits } = await session.search(
    { query: QUESTION, paths: [PATH], limit: HITS, includeText: true },
    signal,
  );
  await print(
    `\n${colors.dim("$")} ${program} search "${QUESTION}" --path '${PATH}' --limit ${HITS}\n`,
  );
  await print(renderHits(hits, { query: QUESTION, cwd, colors, hasLinks, lines: 6 }));
  await print(nextSteps(program, colors.bold));
  return hits.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

function nextSteps(program: string, bold: (text: string) => string): string {
  const steps = [
    [`  ${program} search "your question" --root DIR`, "search a repository of yours"],
    [`  ${program} search --help`, "filters, JSON, explanations of the ranking"],
    [`  ${program} doctor --root DIR`, "check the editors, the model and the store"],
    ["  clients/", "set up Neovim, Helix, Emacs, VS Code or Zed"],
  ];
  return `\n${bold("Next")}\n${table(steps)}`;
}
