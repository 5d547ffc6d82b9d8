/** User interface for editors without lists: choices by window/showMessageRequest, files and texts by window/showDocument. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type MessageActionItem,
  MessageType,
  type ShowDocumentParams,
  ShowDocumentRequest,
  ShowMessageRequest,
} from "vscode-languageserver";
import { messageOf } from "../common/errors.ts";
import { messageAbove } from "./client-quirks.ts";
import { toCursor, toUri } from "./convert.ts";
import { runDetached } from "./handle-request.ts";
import type { ServerContext } from "./server-context.ts";

/** More buttons do not fit on a screen. Emacs sorts choices, and one digit sorts correctly. */
export const MAX_CHOICES = 9;

/**
 * Delay between the answer and the list of choices, so that they arrive in separate reads: eglot closes a list when the
 * awaited answer arrives, and lsp-mode drops messages that arrive together with it.
 */
const OFFER_AFTER_MS = 100;

/** Runs user interaction after the request is answered, because some editors time out after seconds. */
export function afterAnswer({ log }: ServerContext, what: string, run: () => Promise<void>): void {
  runDetached(what, log, async () => {
    await delay(OFFER_AFTER_MS);
    await run();
  });
}

/** The index of the chosen title; undefined if the user cancels; 0 if the client cannot show choices. */
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

/** Resolves to whether the client showed the file. `path` is the client's path; `line` counts from 0. */
export async function showFile(
  context: ServerContext,
  path: string,
  line: number,
  character = 0,
): Promise<boolean> {
  const selection = toCursor(line, character);
  return await showDocument(context, { uri: toUri(path), takeFocus: true, selection });
}

/** Opens a link outside of the editor, such as in a browser. */
export async function showLink(context: ServerContext, link: string): Promise<boolean> {
  return await showDocument(context, { uri: link, external: true });
}

async function showDocument(
  { client, connection, log }: ServerContext,
  shown: ShowDocumentParams,
): Promise<boolean> {
  if (!client().showsDocuments) return false;
  try {
    const { success } = await connection.sendRequest(ShowDocumentRequest.type, shown);
    return success;
  } catch (error) {
    log.info("the client does not show documents", { error: messageOf(error) });
    return false;
  }
}

/** A choice in a list, and the place that it opens. */
export interface Place {
  readonly title: string;
  /** The client's path. */
  readonly path: string;
  readonly line: number;
}

/** Lets the user choose one of the first places and opens it. If the client cannot open files, shows the places as a message. */
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

/** The rank makes titles unique: some clients answer with only the title. */
export function numbered(title: string, index: number): string {
  return `${index + 1}. ${title}`.replaceAll(/\s+/g, " ");
}

/** Longer texts are cut in a message box. */
const MAX_MESSAGE_LENGTH = 2_000;

let folder: string | undefined;

/** Shows a text as a file in a temporary folder, which is deleted when the process ends; else as a message. */
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
    const created = mkdtempSync(join(tmpdir(), "cocosearch-"));
    process.once("exit", () => rmSync(created, { recursive: true, force: true }));
    folder = created;
  }
  return folder;
}
