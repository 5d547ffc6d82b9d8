/** A session behind the engine's socket: it reconnects by itself and says again what its client had opened and configured. */

import { setTimeout as delay } from "node:timers/promises";
import {
  CancellationTokenSource,
  ConnectionError,
  ErrorCodes,
  type MessageConnection,
  ResponseError,
} from "vscode-jsonrpc/node";
import { BadRequest, messageOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { PartialSettings } from "../config/settings.ts";
import type { Session, SessionEvent } from "../contracts/session.ts";
import { call, event, fromResponseError, type Method } from "./rpc.ts";

/** A request whose engine died is asked again of the next one, this often. All requests may be repeated. */
const ATTEMPTS = 4;
/** Waiting before an engine is looked for again after one could not be had. */
const RECONNECT_MS = 1_000;

/** What has to be said again to a new engine. */
interface DesiredState {
  settings: PartialSettings | undefined;
  folders: readonly string[];
  paused: boolean;
  readonly buffers: Map<string, string>;
}

export function createRemoteSession(connect: () => Promise<MessageConnection>, log: Log): Session {
  return new RemoteSession(connect, log);
}

class RemoteSession implements Session {
  readonly #connect: () => Promise<MessageConnection>;
  readonly #log: Log;
  readonly #desiredState: DesiredState = {
    settings: undefined,
    folders: [],
    paused: false,
    buffers: new Map(),
  };
  readonly #listeners: ((event: SessionEvent) => void)[] = [];
  #current: Promise<MessageConnection> | undefined;
  #disposed = false;

  constructor(connect: () => Promise<MessageConnection>, log: Log) {
    this.#connect = connect;
    this.#log = log;
  }

  async configure(settings: PartialSettings): Promise<void> {
    this.#desiredState.settings = settings;
    await this.#ask("configure", [settings]);
  }

  async openFolders(roots: readonly string[]): Promise<readonly string[]> {
    this.#desiredState.folders = roots;
    return await this.#ask("openFolders", [roots]);
  }

  async buffer(path: string, text: string | undefined): Promise<void> {
    if (text === undefined) this.#desiredState.buffers.delete(path);
    else this.#desiredState.buffers.set(path, text);
    await this.#ask("buffer", [path, text]);
  }

  async pause(): Promise<void> {
    this.#desiredState.paused = true;
    await this.#ask("pause", []);
  }

  async resume(): Promise<void> {
    this.#desiredState.paused = false;
    await this.#ask("resume", []);
  }

  search: Session["search"] = (request, signal) => this.#ask("search", [request], signal);
  analyze: Session["analyze"] = (request, signal) => this.#ask("analyze", [request], signal);
  symbols: Session["symbols"] = (query, limit, signal) =>
    this.#ask("symbols", [query, limit], signal);
  status: Session["status"] = () => this.#ask("status", []);
  why: Session["why"] = (path) => this.#ask("why", [path]);
  excluded: Session["excluded"] = (root, limit) => this.#ask("excluded", [root, limit]);
  list: Session["list"] = () => this.#ask("list", []);
  languages: Session["languages"] = () => this.#ask("languages", []);
  reindex: Session["reindex"] = (options) => this.#ask("reindex", [options]);
  clear: Session["clear"] = (name) => this.#ask("clear", [name]);
  whenIdle: Session["whenIdle"] = (signal) => this.#ask("whenIdle", [], signal);
  filesChanged: Session["filesChanged"] = (paths) => this.#ask("filesChanged", [paths]);
  doctor: Session["doctor"] = () => this.#ask("doctor", []);

  onEvent(listener: (event: SessionEvent) => void): void {
    this.#listeners.push(listener);
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    const connection = await this.#current?.catch(() => undefined);
    connection?.end();
    connection?.dispose();
  }

  async #ask<T>(method: Method, args: unknown[], signal?: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      const connection = await this.#connected();
      try {
        return (await send(connection, method, args, signal)) as T;
      } catch (error) {
        if (!wasLost(error) || attempt === ATTEMPTS) throw error;
        this.#log.info("the engine was lost and is asked again", { method, attempt });
      }
    }
  }

  #connected(): Promise<MessageConnection> {
    if (this.#disposed) throw new Unavailable("the session is closed", "open a new one");
    this.#current ??= this.#open().catch((error: unknown) => {
      this.#current = undefined;
      throw error;
    });
    return this.#current;
  }

  async #open(): Promise<MessageConnection> {
    const connection = await this.#connect();
    connection.onNotification(event, (what) => this.#tell(what));
    connection.onClose(() => {
      this.#current = undefined;
      connection.dispose();
      if (!this.#disposed) void this.#reconnect();
    });
    try {
      await replayState(connection, this.#desiredState);
    } catch (error) {
      connection.end();
      throw error;
    }
    return connection;
  }

  /** Indexing goes on without a request that asks for it, so that a lost engine is replaced at once. */
  async #reconnect(): Promise<void> {
    while (
      !this.#disposed &&
      this.#current === undefined &&
      this.#desiredState.folders.length > 0
    ) {
      try {
        await this.#connected();
        return;
      } catch (error) {
        this.#log.warn("no engine", { error: messageOf(error) });
        this.#tell({ kind: "status", state: "unavailable", reason: messageOf(error) });
        await delay(RECONNECT_MS, undefined, { ref: false });
      }
    }
  }

  #tell(what: SessionEvent): void {
    for (const listener of this.#listeners) listener(what);
  }
}

async function replayState(connection: MessageConnection, wanted: DesiredState): Promise<void> {
  const say = async (method: Method, ...args: unknown[]) => {
    try {
      await connection.sendRequest(call(method), { args });
    } catch (error) {
      const known = fromResponseError(error);
      // Whoever asked for it first was told, or is about to be: it is asked once more after this.
      if (!(known instanceof BadRequest)) throw known;
    }
  };
  if (wanted.settings !== undefined) await say("configure", wanted.settings);
  if (wanted.folders.length > 0) await say("openFolders", wanted.folders);
  if (wanted.paused) await say("pause");
  for (const [path, text] of wanted.buffers) await say("buffer", path, text);
}

async function send(
  connection: MessageConnection,
  method: Method,
  args: unknown[],
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const source = new CancellationTokenSource();
  const cancel = () => source.cancel();
  signal?.addEventListener("abort", cancel);
  try {
    return await connection.sendRequest(call(method), { args }, source.token);
  } catch (error) {
    signal?.throwIfAborted();
    throw fromResponseError(error);
  } finally {
    signal?.removeEventListener("abort", cancel);
    source.dispose();
  }
}

/** Whether the connection ended under the request, so that another engine may answer it. */
function wasLost(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  const codes: number[] = [
    ErrorCodes.PendingResponseRejected,
    ErrorCodes.ConnectionInactive,
    ErrorCodes.MessageWriteError,
    ErrorCodes.MessageReadError,
  ];
  return error instanceof ResponseError && codes.includes(error.code);
}
