/** Open buffers: sends their unsaved text to the session, debounced after the last keystroke. */

import {
  type Connection,
  type Position,
  type Range,
  type ServerCapabilities,
  type TextDocumentContentChangeEvent,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { BadRequest } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { Session } from "../contracts/session.ts";
import type { Client } from "./client-quirks.ts";
import { toPath, toUri, toUtf16 } from "./convert.ts";
import type { Folders } from "./folders.ts";
import { runDetached } from "./handle-request.ts";

export const capabilities: ServerCapabilities = {
  textDocumentSync: {
    openClose: true,
    change: TextDocumentSyncKind.Incremental,
    save: { includeText: false },
  },
};

/** Longer than between two keystrokes of a fast typist. A search flushes instead of waiting. */
const DEBOUNCE_MS = 150;

/** A longer buffer is data: its saved file counts, which is excluded by default. */
const MAX_BUFFER_LENGTH = 1_000_000;

export interface DocumentsDeps {
  readonly log: Log;
  readonly folders: Folders;
  client(): Client;
  session(): Promise<Session>;
}

export class Documents {
  readonly #deps: DocumentsDeps;
  readonly #pending = new Map<string, NodeJS.Timeout>();
  readonly #open: TextDocuments<TextDocument>;

  constructor(deps: DocumentsDeps) {
    this.#deps = deps;
    this.#open = new TextDocuments({
      create: (uri, languageId, version, text) =>
        TextDocument.create(checked(uri, "uri"), languageId, version, checked(text, "text")),
      update: (document, changes, version) => {
        // Validate all changes first: applying only some of them would corrupt the buffer.
        const valid = changes.map(checkedChange);
        return valid.reduce(
          (current, change) =>
            TextDocument.update(current, [this.#inUtf16(current, change)], version),
          document,
        );
      },
    });
  }

  listen(connection: Connection): void {
    this.#open.listen(connection);
    this.#open.onDidChangeContent(({ document: { uri } }) => {
      clearTimeout(this.#pending.get(uri));
      this.#pending.set(
        uri,
        setTimeout(() => this.#send(uri), DEBOUNCE_MS),
      );
    });
    this.#open.onDidSave(({ document: { uri } }) => {
      this.#notify(uri, "save", (session, path) => session.filesChanged([path]));
    });
    this.#open.onDidClose(({ document: { uri } }) => {
      clearTimeout(this.#pending.get(uri));
      this.#pending.delete(uri);
      this.#notify(uri, "close", (session, path) => session.buffer(path, undefined));
    });
  }

  /** Sends debounced changes now, so that the next search of the session sees them. */
  flush(session: Session): void {
    for (const [uri, timer] of this.#pending) {
      clearTimeout(timer);
      this.#send(uri, session);
    }
  }

  /** The text of an open buffer, by the client's path. */
  text(path: string): string | undefined {
    const found = this.#open.get(toUri(path)) ?? this.#open.all().find(isOf(path));
    return found?.getText();
  }

  /** The client's paths of the open files, in the order of opening. */
  paths(): readonly string[] {
    return this.#open
      .all()
      .map(({ uri }) => toPath(uri))
      .filter((path) => path !== undefined);
  }

  dispose(): void {
    for (const timer of this.#pending.values()) clearTimeout(timer);
    this.#pending.clear();
  }

  #send(uri: string, session?: Session): void {
    this.#pending.delete(uri);
    const text = this.#open.get(uri)?.getText();
    if (text === undefined) return;
    const sent = text.length > MAX_BUFFER_LENGTH ? undefined : text;
    this.#notify(uri, "change", (current, path) => current.buffer(path, sent), session);
  }

  #notify(
    uri: string,
    what: string,
    send: (session: Session, path: string) => Promise<void>,
    session?: Session,
  ): void {
    const path = toPath(uri);
    if (path === undefined) return;
    const { folders, log } = this.#deps;
    runDetached(`${what} not sent to the engine`, log, async () => {
      await send(session ?? (await this.#deps.session()), folders.toIndex(path));
    });
  }

  #inUtf16(
    document: TextDocument,
    change: TextDocumentContentChangeEvent,
  ): TextDocumentContentChangeEvent {
    if (!("range" in change)) return change;
    const { encoding } = this.#deps.client();
    const { start, end } = change.range;
    const lineOf = (line: number) =>
      document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
    return {
      text: change.text,
      range: {
        start: toUtf16(start, lineOf(start.line), encoding),
        end: toUtf16(end, lineOf(end.line), encoding),
      },
    };
  }
}

/** Compares by path: clients differ in the characters of a URI that they encode. */
function isOf(path: string): (document: TextDocument) => boolean {
  return ({ uri }) => toPath(uri) === path;
}

function checked(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw new BadRequest(`${name}: expected a string`);
}

/** Checks the types only: the protocol allows positions after the end of a line or of the text. */
function checkedChange(change: TextDocumentContentChangeEvent): TextDocumentContentChangeEvent {
  const text = checked((change as { text?: unknown } | null)?.text, "text");
  const range: unknown = ("range" in change ? change.range : undefined) ?? undefined;
  if (range === undefined) return { text };
  const { start, end } = range as Partial<Range>;
  if (isPosition(start) && isPosition(end)) return { text, range: { start, end } };
  throw new BadRequest("range: expected two positions");
}

function isPosition(value: Partial<Position> | null | undefined): value is Position {
  return isCount(value?.line) && isCount(value?.character);
}

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
