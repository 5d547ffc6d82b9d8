/** Open buffers: their unsaved text goes to the session, a moment after the last keystroke. */

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

/** Between two keystrokes of a fast typist; a search does not wait for it. */
const DEBOUNCE_MS = 150;

/** A longer buffer is data: what counts is its file as it is saved, which is left out by default too. */
const MAX_BUFFER_LENGTH = 1_000_000;

export interface DocumentsDeps {
  readonly log: Log;
  readonly folders: Folders;
  client(): Client;
  session(): Promise<Session>;
}

export class Documents {
  readonly #deps: DocumentsDeps;
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  readonly #open: TextDocuments<TextDocument>;

  constructor(deps: DocumentsDeps) {
    this.#deps = deps;
    this.#open = new TextDocuments({
      create: (uri, languageId, version, text) =>
        TextDocument.create(checked(uri, "uri"), languageId, version, checked(text, "text")),
      update: (document, changes, version) => {
        // All of them before the first: half a change would leave a text that no client has.
        const sound = changes.map(checkedChange);
        return sound.reduce(
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
      clearTimeout(this.#waiting.get(uri));
      this.#waiting.set(
        uri,
        setTimeout(() => this.#send(uri), DEBOUNCE_MS),
      );
    });
    this.#open.onDidSave(({ document: { uri } }) => {
      this.#tell(uri, "save", (session, path) => session.filesChanged([path]));
    });
    this.#open.onDidClose(({ document: { uri } }) => {
      clearTimeout(this.#waiting.get(uri));
      this.#waiting.delete(uri);
      this.#tell(uri, "close", (session, path) => session.buffer(path, undefined));
    });
  }

  /** Sends at once what still waits, so that the search that follows on the same session sees it. */
  flush(session: Session): void {
    for (const [uri, timer] of this.#waiting) {
      clearTimeout(timer);
      this.#send(uri, session);
    }
  }

  /** The text of an open buffer, by the client's name for its file. */
  text(path: string): string | undefined {
    const found = this.#open.get(toUri(path)) ?? this.#open.all().find(isOf(path));
    return found?.getText();
  }

  /** The client's names for the files that are open, in the order in which they were opened. */
  paths(): readonly string[] {
    return this.#open
      .all()
      .map(({ uri }) => toPath(uri))
      .filter((path) => path !== undefined);
  }

  dispose(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  #send(uri: string, session?: Session): void {
    this.#waiting.delete(uri);
    const text = this.#open.get(uri)?.getText();
    if (text === undefined) return;
    const sent = text.length > MAX_BUFFER_LENGTH ? undefined : text;
    this.#tell(uri, "change", (current, path) => current.buffer(path, sent), session);
  }

  #tell(
    uri: string,
    what: string,
    say: (session: Session, path: string) => Promise<void>,
    session?: Session,
  ): void {
    const path = toPath(uri);
    if (path === undefined) return;
    const { folders, log } = this.#deps;
    runDetached(`${what} not told to the engine`, log, async () => {
      await say(session ?? (await this.#deps.session()), folders.toIndex(path));
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

/** Clients encode more or fewer characters of a URI than we do. */
function isOf(path: string): (document: TextDocument) => boolean {
  return ({ uri }) => toPath(uri) === path;
}

function checked(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw new BadRequest(`${name}: expected a string`);
}

/** Beyond the end of a line or of the text is allowed: it means the end. */
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
