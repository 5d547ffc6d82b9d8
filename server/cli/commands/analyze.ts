/** `analyze`: the same search, with every stage, its time, and each hit's way through the ranking. */

import type { Command } from "commander";
import type { Analysis, RankedHit, Stage } from "../../session.ts";
import { type CliContext, EXIT, type RunCommand } from "../context.ts";
import { printable, table } from "../format.ts";
import { pathFrom } from "../hits.ts";
import { type SearchOptions, searchRequest, withSearch } from "../options.ts";
import { noteWarnings, prepare } from "./search.ts";

export function addAnalyze(program: Command, run: RunCommand): void {
  withSearch(program.command("analyze"))
    .description("search, and show what each stage did")
    .argument("<query...>", "as for search")
    .action((words: string[], options: SearchOptions) =>
      run((context) => analyze(context, words, options)),
    );
}

async function analyze(
  context: CliContext,
  words: readonly string[],
  options: SearchOptions,
): Promise<number> {
  const request = { ...searchRequest(words, options), explain: true };
  const session = await context.session();
  await prepare(context, session, request, options);
  const analysis = await session.analyze(request, context.signal);
  noteWarnings(context, analysis);
  if (options.json) context.output.json(analysis);
  else context.output.print(...analysisLines(context, analysis));
  return analysis.hits.length > 0 ? EXIT.found : EXIT.nothing;
}

function analysisLines({ cwd, output: { colors } }: CliContext, analysis: Analysis): string[] {
  const { mode, cache, stages, hits } = analysis;
  const lanes = [...new Set(hits.flatMap(({ ranks }) => Object.keys(ranks)))];
  const numbers = lanes.map((_, i) => i + 1);
  const rankRows = hits.map((hit) => rankRow(hit, lanes, pathFrom(cwd, hit)));
  return [
    `${mode}, cache ${cache}`,
    "",
    ...headed(colors.bold, table([["stage", "ms", "left", ""], ...stages.map(stageRow)], [1, 2])),
    ...(hits.length === 0
      ? []
      : ["", ...headed(colors.bold, table([["score", ...lanes, "hit"], ...rankRows], numbers))]),
  ];
}

function headed(
  style: (text: string) => string,
  [head = "", ...rows]: readonly string[],
): string[] {
  return [style(head), ...rows];
}

function stageRow({ name, ms, count, notes = {} }: Stage): string[] {
  const said = Object.entries(notes).map(([key, value]) => `${key} ${textOf(value)}`);
  return [
    name,
    ms.toFixed(1),
    count === undefined ? "" : String(count),
    printable(said.join(", ")),
  ];
}

function textOf(value: string | number | boolean | readonly string[]): string {
  return typeof value === "object" ? value.join(" ") : String(value);
}

function rankRow(
  { score, ranks, symbol, lines }: RankedHit,
  lanes: readonly string[],
  path: string,
) {
  const name = symbol === undefined ? "" : `  ${printable(symbol.name)}`;
  const line = (symbol?.nameLine ?? lines.start) + 1;
  const cells = lanes.map((lane) => String(ranks[lane] ?? "-"));
  return [score.toFixed(2), ...cells, `${path}:${line}${name}`];
}
