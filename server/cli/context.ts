/** `context`: prints the code that a question needs, packed into a token budget, for pasting into a conversation. */

import { type Command, Option } from "commander";
import { count } from "../common/count.ts";
import { BadRequest, Unavailable } from "../common/errors.ts";
import {
  CONTEXT_FORMATS,
  CONTEXT_STRATEGIES,
  DEFAULT_TOKEN_BUDGET,
  MAX_MESSAGE_LENGTH,
  parseContextRequest,
} from "../contracts/context-request.ts";
import { type CommonOptions, common, list, number, type Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { shownQuery } from "./query-text.ts";
import { anyWords } from "./query-words.ts";
import { openFor, tellState } from "./search.ts";

interface ContextOptions extends CommonOptions {
  readonly tokens?: number;
  readonly format?: string;
  readonly strategy?: string;
  readonly path?: string[];
  readonly lang?: string[];
  readonly index?: string[];
  readonly auto?: boolean;
  readonly wait: boolean;
}

export function addContext(program: Command, run: Run): void {
  const command = anyWords(program.command("context"))
    .description("pack the code that a question needs into a token budget")
    .argument(
      "<question...>",
      "a question, a name or a whole message; - reads it from standard input",
    )
    .option("--tokens <n>", `the token budget (default: ${DEFAULT_TOKEN_BUDGET})`, number)
    .addOption(new Option("--format <format>", "the form of the answer").choices(CONTEXT_FORMATS))
    .addOption(new Option("--strategy <name>", "what goes first").choices(CONTEXT_STRATEGIES))
    .option("--path <glob>", "only files with such a path: 'src/**'; may be repeated", list)
    .option("--lang <language>", "only this language; may be repeated", list)
    .option("--index <name>", "search stored indexes by name instead; may be repeated", list)
    .option("--auto", "answer only where the message asks about code, for hooks")
    .option("--no-wait", "do not wait for the index; answer with what is there");
  common(command).action((words: string[], options: ContextOptions) =>
    run((context) => packContext(context, words, options)),
  );
}

async function packContext(
  context: CommandContext,
  words: readonly string[],
  options: ContextOptions,
): Promise<ExitCode> {
  const isFromStdin = words.length === 1 && words[0] === "-";
  const query = isFromStdin ? await readStdin() : words.join(" ");
  if (query.trim() === "") throw new BadRequest("the question is empty; say what to look for");
  const { tokens, format, strategy, path, lang, index, auto } = options;
  const request = parseContextRequest({
    query,
    tokenBudget: tokens,
    format,
    strategy,
    paths: path,
    languages: lang,
    indexes: index,
    auto,
  });
  const session = await openFor(context, request, options);
  const answer = await session.context(request, context.signal);
  const { text, state, intent, confidence, isSearched, tokensUsed, tokenBudget } = answer;
  tellState(context, answer);
  if (options.json) await context.printJson(answer);
  else if (text !== "") await context.print(text.trimEnd());
  if (state === "unavailable") {
    throw new Unavailable("the index is not there", `run ${context.program} doctor`);
  }
  if (text === "" && isSearched) {
    // A warning has said so.
    if (answer.leftOut > 0) return EXIT.nothingFound;
    const where = request.indexes?.join(", ") ?? count(answer.total, "file");
    context.note(`nothing found for "${shownQuery(query)}" in ${where}`);
    return EXIT.nothingFound;
  }
  context.note(
    isSearched
      ? `note: ${tokensUsed} of ${tokenBudget} tokens, ${count(answer.leftOut, "result")} left out`
      : `note: not searched: ${intent}, confidence ${confidence.toFixed(2)}`,
  );
  return EXIT.ok;
}

/** What follows after the longest message that is used is not read. */
async function readStdin(): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of process.stdin.setEncoding("utf8")) {
    parts.push(String(part));
    length += String(part).length;
    if (length > MAX_MESSAGE_LENGTH) break;
  }
  return parts.join("");
}
