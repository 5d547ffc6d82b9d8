/** `context`: prints the code for a question, packed into a token budget, to paste into a conversation with a model. */

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
import { type CommonOptions, collectList, common, number, type Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { TERMS_HELP } from "./query-options.ts";
import { shownQuery } from "./query-text.ts";
import { anyWords } from "./query-words.ts";
import { noteState, openFor } from "./search.ts";

interface ContextOptions extends CommonOptions {
  readonly tokens?: number;
  readonly format?: string;
  readonly strategy?: string;
  readonly terms?: string[];
  readonly path?: string[];
  readonly lang?: string[];
  readonly index?: string[];
  readonly auto?: boolean;
  readonly wait: boolean;
}

export function addContext(program: Command, run: Run): void {
  const command = anyWords(program.command("context"))
    .description("pack the code for a question into a token budget")
    .argument("<question...>", "a question, a name or a whole message; - reads standard input")
    .option("--tokens <n>", `the token budget (default: ${DEFAULT_TOKEN_BUDGET})`, number)
    .addOption(new Option("--format <format>", "output format").choices(CONTEXT_FORMATS))
    .addOption(
      new Option("--strategy <name>", "which code comes first").choices(CONTEXT_STRATEGIES),
    )
    .option("--terms <words>", TERMS_HELP, collectList)
    .option("--path <glob>", "only files whose path matches: 'src/**'; repeatable", collectList)
    .option("--lang <language>", "only this language; repeatable", collectList)
    .option(
      "--index <name>",
      "search the stored index with this name instead; repeatable",
      collectList,
    )
    .option("--auto", "print nothing if the message is not about code, for hooks")
    .option("--no-wait", "do not wait for indexing; search only indexed files");
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
  if (query.trim() === "") throw new BadRequest("the question is empty");
  const { tokens, format, strategy, terms, path, lang, index, auto } = options;
  const request = parseContextRequest({
    query,
    terms,
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
  noteState(context, answer);
  if (options.json) await context.printJson(answer);
  else if (text !== "") await context.print(text.trimEnd());
  if (state === "unavailable") {
    throw new Unavailable("the index is unavailable", `run ${context.program} doctor`);
  }
  if (text === "" && isSearched) {
    // A warning says that nothing fits.
    if (answer.leftOut > 0) return EXIT.nothingFound;
    const where = request.indexes?.join(", ") ?? count(answer.total, "file");
    context.note(`nothing found for "${shownQuery(query)}" in ${where}`);
    return EXIT.nothingFound;
  }
  context.note(
    isSearched
      ? `note: ${tokensUsed} of ${tokenBudget} tokens, ${count(answer.leftOut, "result")} omitted`
      : `note: not searched: intent ${intent}, confidence ${confidence.toFixed(2)}`,
  );
  return EXIT.ok;
}

/** Stops reading after the length that a request may have. */
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
