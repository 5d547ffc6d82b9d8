/** workspace/executeCommand: the commands for editors that cannot send custom requests. */

import { join } from "node:path";
import type { ServerCapabilities } from "vscode-languageserver";
import { BadRequest, Unavailable } from "../common/errors.ts";
import { isObject } from "../common/is-object.ts";
import type { SearchRequest } from "../contracts/session.ts";
import { type Command, commandFor, fileIn, linesIn } from "./command.ts";
import { GRAPH_COMMANDS } from "./graph-commands.ts";
import { afterAnswer } from "./offer.ts";
import { offerHits } from "./offer-hits.ts";
import { onRequest, requiredText, searchRequest } from "./requests.ts";
import { answerSearch, toWholeResponse } from "./search.ts";
import type { ServerContext } from "./server-context.ts";
import { toFoundSimilar } from "./similar.ts";
import { reindex, reindexRequest, type StatusResponse, status } from "./status.ts";
import { TEXT_COMMANDS, textOfLines } from "./text-commands.ts";

/** Answers like cocosearch/search, then lets the user choose a hit: some editors time out after seconds. */
const search = commandFor(
  'cocosearch.search needs a question, such as "where are auth tokens refreshed?"',
  requestIn,
  async (context, request, signal) => {
    const answer = await answerSearch(context, request, signal);
    afterAnswer(context, "hits not offered", () => offerHits(context, request.query, answer));
    return toWholeResponse(context, answer);
  },
);

/** Searches with lines of a file as the query: a bug report, a stack trace, or code. */
const searchLines = commandFor(
  'cocosearch.searchLines needs lines of a file, such as "src/pool.py:10-40"',
  linesIn,
  async (context, { path, lines }, signal) =>
    await search(context, [await textOfLines(context, path, lines)], signal),
);

/** Finds code in other files that resembles the code at a place. */
const similar = commandFor(
  'cocosearch.similar needs a line of a file, such as "src/pool.py:10"',
  linesIn,
  async (context, { path, lines }, signal) => {
    const file = fileIn(context, path);
    const session = await context.workspace.session();
    context.documents.flush(session);
    const request = { path: join(file.root, file.path), line: lines.start };
    const answer = await session.similar(request, signal);
    const title = `similar to ${file.path}:${lines.start + 1}`;
    afterAnswer(context, "hits not offered", () => offerHits(context, title, answer));
    return toFoundSimilar(context, answer);
  },
);

const COMMANDS: Readonly<Record<string, Command>> = {
  "cocosearch.search": search,
  "cocosearch.searchLines": searchLines,
  "cocosearch.similar": similar,
  "cocosearch.status": showStatus,
  "cocosearch.reindex": reindexCommand,
  "cocosearch.pause": pause,
  "cocosearch.resume": resume,
  ...GRAPH_COMMANDS,
  ...TEXT_COMMANDS,
};

export const capabilities: ServerCapabilities = {
  executeCommandProvider: { commands: Object.keys(COMMANDS) },
};

export function register(context: ServerContext): void {
  onRequest(context, "workspace/executeCommand", async (params, signal) => {
    const name = requiredText(params, "command");
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) {
      throw new BadRequest(
        `command: unknown "${name}"; expected one of ${Object.keys(COMMANDS).join(", ")}`,
      );
    }
    const given = (params as { arguments?: unknown }).arguments ?? [];
    if (!Array.isArray(given)) throw new BadRequest("arguments: expected an array");
    try {
      return await command(context, given, signal);
    } catch (error) {
      if (context.client().hidesCommandErrors && !signal.aborted) showFailure(context, name, error);
      throw error;
    }
  });
}

function showFailure({ notices }: ServerContext, command: string, error: unknown): void {
  const isExpected = error instanceof BadRequest || error instanceof Unavailable;
  notices.show("warning", isExpected ? error.message : `${command} failed; see the log`);
}

/** The request from the words of a query, or from one object with the parameters of cocosearch/search. */
async function requestIn(given: readonly unknown[]): Promise<SearchRequest | undefined> {
  const [first] = given;
  const request = await searchRequest(isObject(first) ? first : { query: given.join(" ") });
  return request.query.trim() === "" ? undefined : request;
}

async function showStatus(context: ServerContext): Promise<StatusResponse> {
  const answer = await status(context);
  context.notices.show("info", summaryOf(answer));
  return answer;
}

async function reindexCommand(
  context: ServerContext,
  [options]: readonly unknown[],
): Promise<null> {
  const request = await reindexRequest(options);
  const { full = false } = request;
  await reindex(context, request);
  context.notices.show("info", full ? "reindexing all files" : "indexing changed files");
  return null;
}

async function pause({ notices, workspace }: ServerContext): Promise<null> {
  const session = await workspace.session();
  await session.pause();
  notices.show("info", "indexing is paused until cocosearch.resume");
  return null;
}

async function resume({ notices, workspace }: ServerContext): Promise<null> {
  const session = await workspace.session();
  await session.resume();
  notices.show("info", "indexing continues");
  return null;
}

function summaryOf({ state, reason, indexed, total, indexes }: StatusResponse): string {
  const because = reason === undefined ? "" : `: ${reason}`;
  const chunks = indexes.reduce((sum, index) => sum + index.chunks, 0);
  return `${state}${because}; ${indexed} of ${total} files, ${chunks} chunks`;
}
