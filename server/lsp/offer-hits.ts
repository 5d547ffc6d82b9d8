/** Lets the user choose among hits where only the server can show a list, and goes to what was chosen. */

import {
  type MessageActionItem,
  MessageType,
  ShowDocumentRequest,
  ShowMessageRequest,
} from "vscode-languageserver";
import { messageOf } from "../common/errors.ts";
import type { Hit } from "../contracts/model.ts";
import type { SearchAnswer } from "../contracts/session.ts";
import { messageAbove } from "./client-quirks.ts";
import { toUri } from "./convert.ts";
import { cursorOf, focusOf } from "./found-hit.ts";
import type { ServerContext } from "./server-context.ts";

/** More buttons do not fit on a screen; and clients that sort them, as Emacs does, sort one digit right. */
const MAX_CHOICES = 9;

export async function offerHits(
  context: ServerContext,
  query: string,
  answer: SearchAnswer,
): Promise<void> {
  const strong = answer.hits.filter(({ relevance }) => relevance === "strong");
  const weak = answer.hits.filter(({ relevance }) => relevance === "weak");
  const hits = (strong.length > 0 ? strong : weak).slice(0, MAX_CHOICES);
  if (hits.length === 0) return context.notices.show("info", nothingFound(query, answer));
  const chosen = hits.length === 1 ? 0 : await choose(context, query, hits);
  const hit = chosen === undefined ? undefined : hits[chosen];
  if (hit === undefined || (await goTo(context, hit))) return;
  context.notices.show("info", [query, ...hits.map(titleOf)].join("\n"));
}

/** Undefined when the user wants none. A client that cannot ask gets the best. */
async function choose(
  { client, connection, log }: ServerContext,
  query: string,
  hits: readonly Hit[],
): Promise<number | undefined> {
  const titles = hits.map(titleOf);
  let answer: MessageActionItem | null;
  try {
    answer = await connection.sendRequest(ShowMessageRequest.type, {
      type: MessageType.Info,
      message: messageAbove(client(), `cocosearch: ${query}`, titles),
      actions: titles.map((title) => ({ title })),
    });
  } catch (error) {
    log.info("the client does not offer choices", { error: messageOf(error) });
    return 0;
  }
  return answer ? titles.indexOf(answer.title) : undefined;
}

/** Whether the client did it. */
async function goTo(
  { client, connection, folders, log }: ServerContext,
  hit: Hit,
): Promise<boolean> {
  if (!client().showsDocuments) return false;
  try {
    const { success } = await connection.sendRequest(ShowDocumentRequest.type, {
      uri: toUri(folders.toClient(hit.root, hit.path)),
      takeFocus: true,
      selection: cursorOf(hit, client().encoding),
    });
    return success;
  } catch (error) {
    log.info("the client does not show documents", { error: messageOf(error) });
    return false;
  }
}

/** Unique by its rank: some clients answer with the title alone. */
function titleOf(hit: Hit, index: number): string {
  const name = hit.symbol?.name ?? hit.hierarchy;
  const place = `${hit.path}:${focusOf(hit) + 1}`;
  return `${index + 1}. ${name === undefined ? "" : `${name} - `}${place}`.replaceAll(/\s+/g, " ");
}

function nothingFound(query: string, { state, indexed, total, warnings }: SearchAnswer): string {
  const [because] = warnings;
  if (state === "unavailable" && because !== undefined) return because;
  const sofar = state === "indexing" ? ` so far, with ${indexed} of ${total} files indexed` : "";
  return `nothing found for "${query}"${sofar}`;
}
