/** `history`: searches the commits of a repository. */

import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import { count } from "../common/count.ts";
import { Unavailable } from "../common/errors.ts";
import { formatDay } from "../common/time-text.ts";
import type { HistoryStatus } from "../contracts/history.ts";
import { type HistoryRequest, parseHistoryRequest } from "../contracts/history-request.ts";
import { REQUEST_DEFAULTS } from "../contracts/request-defaults.ts";
import type { Session } from "../contracts/session.ts";
import { chooseRoot } from "./choose-root.ts";
import { type CommonOptions, collectList, common, number, type Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { openWorkspace, waitForIndex } from "./open-workspace.ts";
import { anyWords } from "./query-words.ts";
import { renderCommits } from "./render-commits.ts";

interface HistoryOptions extends CommonOptions {
  readonly since?: string;
  readonly until?: string;
  readonly author?: string;
  readonly path?: string[];
  readonly lang?: string[];
  readonly limit?: number;
  readonly patch?: boolean;
  readonly pickaxe?: boolean;
  readonly explain?: boolean;
  /** False with --no-wait. */
  readonly wait: boolean;
}

/** Interval between polls of the history status. */
const POLL_MS = 250;

export function addHistory(program: Command, run: Run): void {
  common(
    anyWords(program.command("history"))
      .description("search the commits of a repository")
      .argument("[question...]", "what to look for; without a question, the newest commits"),
  )
    .option("--since <moment>", "only commits since then: 2024-05-01, 90d, or seconds since 1970")
    .option("--until <moment>", "only commits before then")
    .option("--author <name>", "only commits whose author name or address contains this")
    .option("--path <glob>", "only commits that touch a matching file; repeatable", collectList)
    .option("--lang <language>", "only commits that touch this language; repeatable", collectList)
    .option(
      "--limit <n>",
      `at most this many commits, 1 to 200 (default: ${REQUEST_DEFAULTS.history.limit})`,
      number,
    )
    .option("--patch", "show the changes")
    .option(
      "--pickaxe",
      "scan the diff of every commit for the names and quoted strings in the question: exact, but slow",
    )
    .option("--explain", "explain the rank of each commit")
    .option("--no-wait", "do not wait for the history; search the commits read so far")
    .action((words: string[], options: HistoryOptions) =>
      run((context) => history(context, words.join(" "), options)),
    );
}

async function history(
  context: CommandContext,
  question: string,
  options: HistoryOptions,
): Promise<ExitCode> {
  const request = toRequest(question, options);
  const session = await openWorkspace(context, await chooseRoot(context, options));
  if (options.wait) {
    await waitForIndex(context, session, "files");
    await waitForHistory(context, session);
  }
  const answer = await session.history(request, context.signal);
  for (const warning of answer.warnings) context.note(`warning: ${warning}`);
  const { state, reason, commits: read, total, since } = answer.history;
  if (state === "reading") {
    context.note(`note: the history is being read: searched ${read} of ${count(total, "commit")}`);
  }
  if (state === "ready" && reason !== undefined) context.note(`note: ${reason}`);
  if (answer.commits.length === 0 && (state === "unavailable" || state === "off")) {
    const remedy =
      state === "off"
        ? "change that setting"
        : "run it in a git repository with commits, with git on the PATH";
    throw new Unavailable(`no history: ${reason ?? state}`, remedy);
  }
  if (options.json) await context.printJson(answer);
  else if (answer.commits.length > 0) {
    const hasQuestion = question.trim() !== "";
    await context.page(renderCommits(answer.commits, context, { ...options, hasQuestion }));
  }
  if (answer.commits.length > 0) return EXIT.ok;
  const subject = question.trim() === "" ? "" : ` for "${question}"`;
  const begin = since === undefined ? "" : ` since ${formatDay(since)}`;
  context.note(`nothing found${subject} in ${count(read, "commit")}${begin}`);
  return EXIT.nothingFound;
}

function toRequest(question: string, options: HistoryOptions): HistoryRequest {
  const { since, until, author, path, lang, limit, patch, pickaxe } = options;
  return parseHistoryRequest({
    query: question,
    since,
    until,
    author,
    paths: path,
    languages: lang,
    limit,
    patch,
    pickaxe,
  });
}

/** Returns immediately if no commit is left to read. */
async function waitForHistory({ signal, note }: CommandContext, session: Session): Promise<void> {
  for (let isNoted = false; ; ) {
    const { indexes } = await session.status();
    const left = indexes.map(({ history: status }) => status).find(isReading);
    if (left === undefined) return;
    if (!isNoted && left.total > 0) {
      note(`reading the history: ${left.commits} of ${count(left.total, "commit")}`);
      isNoted = true;
    }
    await delay(POLL_MS, undefined, { signal });
  }
}

function isReading({ state }: HistoryStatus): boolean {
  return state === "waiting" || state === "reading";
}
