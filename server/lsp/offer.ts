/** What only the server can do where an editor has no lists for it: let the user choose, show a file, show a text. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type MessageActionItem,
  MessageType,
  ShowDocumentRequest,
  ShowMessageRequest,
} from "vscode-languageserver";
import { messageOf } from "../common/errors.ts";
import { messageAbove } from "./client-quirks.ts";
import { toCursor, toUri } from "./convert.ts";
import { runDetached } from "./handle-request.ts";
import type { ServerContext } from "./server-context.ts";

/** More buttons do not fit on a screen; and clients that sort them, as Emacs does, sort one digit right. */
export const MAX_CHOICES = 9;

/**
 * Between the answer and the list of choices, so that they do not come in one piece: eglot takes a list away when the
 * answer that it waits for comes, and lsp-mode loses what follows that answer in the same piece.
 */
const OFFER_AFTER_MS = 100;

/** Runs what needs the user after the request was answered: some editors wait only seconds for an answer. */
export function afterAnswer({ log }: ServerContext, what: string, run: () => Promise<void>): void {
  runDetached(what, log, async () => {
    await delay(OFFER_AFTER_MS);
    await run();
  });
}

/** The index of the title that was chosen; undefined when the user wants none. A client that cannot ask gets the first. */
export async function choose(
  { client, connection, log }: ServerContext,
  message: string,
  titles: readonly string[],
): Promise<number | undefined> {
  let answer: MessageActionItem | null;
  try {
    answer = await connection.sendRequest(ShowMessageRequest.type, {
      type: MessageType.Info,
      message: messageAbove(client(), message, titles),
      actions: titles.map((title) => ({ title })),
    });
  } catch (error) {
    log.info("the client does not offer choices", { error: messageOf(error) });
    return 0;
  }
  return answer ? titles.indexOf(answer.title) : undefined;
}

/** Whether the client showed the file. `path` is the client's name for it; the line counts from 0. */
export async function showFile(
  { client, connection, log }: ServerContext,
  path: string,
  line: number,
  character = 0,
): Promise<boolean> {
  if (!client().showsDocuments) return false;
  try {
    const { success } = await connection.sendRequest(ShowDocumentRequest.type, {
      uri: toUri(path),
      takeFocus: true,
      selection: toCursor(line, character),
    });
    return success;
  } catch (error) {
    log.info("the client does not show documents", { error: messageOf(error) });
    return false;
  }
}

/** A place with its title in a list of choices. */
export interface Place {
  readonly title: string;
  /** The client's name for the file. */
  readonly path: string;
  readonly line: number;
}

/** Lets the user choose one of the first places, and goes there. Where the client cannot, they are told. */
export async function offerPlaces(
  context: ServerContext,
  message: string,
  all: readonly Place[],
): Promise<void> {
  const places = all.slice(0, MAX_CHOICES);
  if (places.length === 0) return context.notices.show("info", `${message}: nothing found`);
  const titles = places.map(({ title }, index) => numbered(title, index));
  const chosen = await choose(context, `cocosearch: ${message}`, titles);
  const place = chosen === undefined ? undefined : places[chosen];
  if (place === undefined || (await showFile(context, place.path, place.line))) return;
  context.notices.show("info", [message, ...titles].join("\n"));
}

/** Unique by its rank: some clients answer with the title alone. */
export function numbered(title: string, index: number): string {
  return `${index + 1}. ${title}`.replaceAll(/\s+/g, " ");
}

/** A message box is no place for more. */
const MAX_MESSAGE_LENGTH = 2_000;

let folder: string | undefined;

/** Shows a text as a file of that name, in a folder that is deleted with this process; else as a message. */
export async function showText(context: ServerContext, name: string, text: string): Promise<void> {
  if (context.client().showsDocuments) {
    const path = join(textFolder(), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (await showFile(context, path, 0)) return;
  }
  context.notices.show("info", text.slice(0, MAX_MESSAGE_LENGTH));
}

function textFolder(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), "cocosearch-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return folder;
}
