/** `languages`: lists the languages with their file names, symbols, graph support and grammar. */

import type { Command } from "commander";
import { count } from "../common/count.ts";
import type { LanguageInfo } from "../contracts/model.ts";
import { JSON_ANSWER, type Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { printable, table } from "./terminal-text.ts";

/** File names and extensions shown of a language; --json has all of them. */
const MAX_SHOWN_FILES = 5;

/** Where the symbols of a language come from, and the range of code shown around a hit. */
const SYMBOLS: Readonly<
  Record<LanguageInfo["symbols"], readonly [symbols: string, context: string]>
> = {
  query: ["by its grammar", "definition"],
  patterns: ["by patterns", "definition"],
  sections: ["sections", "section"],
  none: ["none", "chunk"],
};

export function addLanguages(program: Command, run: Run): void {
  program
    .command("languages")
    .description("list the languages and their support")
    .option(...JSON_ANSWER)
    .action(({ json }: { json?: boolean }) => run((context) => languages(context, json === true)));
}

async function languages(context: CommandContext, json: boolean): Promise<ExitCode> {
  const session = await context.session();
  const all = await session.languages();
  if (json) await context.printJson(all);
  else await context.print(render(all));
  return EXIT.ok;
}

function render(all: readonly LanguageInfo[]): string {
  const rows = all.map(({ id, files, grammar = "", symbols, graph }) => {
    const rest = files.length - MAX_SHOWN_FILES;
    const named = files.slice(0, MAX_SHOWN_FILES).join(" ") + (rest > 0 ? ` +${rest}` : "");
    return [id, named, ...SYMBOLS[symbols], graph, printable(grammar)];
  });
  const parsed = all.filter(({ grammar }) => grammar !== undefined).length;
  const header = ["language", "files", "symbols", "context", "graph", "grammar"];
  return `${table([header, ...rows])}\n\n${count(all.length, "language")}, ${parsed} with a grammar`;
}
