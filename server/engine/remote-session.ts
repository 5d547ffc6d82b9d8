/** A session behind the engine's socket: it reconnects by itself and says again what its client had opened and configured. */

import { setTimeout as delay } from "node:timers/promises";
import {
  CancellationTokenSource,
  ConnectionError,
  ErrorCodes,
  type MessageConnection,
  ResponseError,
} from "vscode-jsonrpc/node";
import type { PartialSettings } from "../config.ts";
import { messageOf, Unavailable } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Session, SessionEvent } from "../session.ts";
import { call, event, fromResponseError, type Method } from "./rpc.ts";

/** A request whose engine died is asked again of the next one, this often. All requests may be repeated. */
const ATTEMPTS = 4;
/** Waiting before an engine is looked for again after one could not be had. */
const RECONNECT_MS = 1_000;

/** What has to be said again to a new engine. */
interface Wanted {
  settings: PartialSettings | undefined;
  folders: readonly string[];
  paused: boolean;
  readonly buffers: Map<string, string>;
}

export function createRemoteSession(connect: () => Promise<MessageConnection>, log: Log): Session {
  const wanted: Wanted = { settings: undefined, folders: [], paused: false, buffers: new Map() };
  const listeners: ((event: SessionEvent) => void)[] = [];
  let current: Promise<MessageConnection> | undefined;
  let disposed = false;

  const tell = (what: SessionEvent) => {
    for (const listener of listeners) listener(what);
  };

  function connected(): Promise<MessageConnection> {
    if (disposed) throw new Unavailable("the session is closed", "open a new one");
    current ??= open().catch((error: unknown) => {
      current = undefined;
      throw error;
    });
    return current;
  }

  async function open(): Promise<MessageConnection> {
    const connection = await connect();
    connection.onNotification(event, tell);
    connection.onClose(() => {
      current = undefined;
      connection.dispose();
      if (!disposed) void comeBack();
    });
    await sayAgain(connection, wanted);
    return connection;
  }

  /** Indexing goes on without a request that asks for it, so that a lost engine is replaced at once. */
  async function comeBack(): Promise<void> {
    while (!disposed && current === undefined && wanted.folders.length > 0) {
      try {
        await connected();
        return;
      } catch (error) {
        log.warn("no engine", { error: messageOf(error) });
        tell({ kind: "status", state: "unavailable", reason: messageOf(error) });
        await delay(RECONNECT_MS, undefined, { ref: false });
      }
    }
  }

  async function ask(method: Method, args: unknown[], signal?: AbortSignal): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      const connection = await connected();
      try {
        return await request(connection, method, args, signal);
      } catch (error) {
        if (!wasLost(error) || attempt === ATTEMPTS) throw error;
        log.info("the engine was lost and is asked again", { method, attempt });
      }
    }
  }

  return {
    configure: async (settings) => {
      wanted.settings = settings;
      await ask("configure", [settings]);
    },
    openFolders: async (roots) => {
      wanted.folders = roots;
      return (await ask("openFolders", [roots])) as string[];
    },
    buffer: async (path, text) => {
      if (text === undefined) wanted.buffers.delete(path);
      else wanted.buffers.set(path, text);
      await ask("buffer", [path, text]);
    },
    pause: async () => {
      wanted.paused = true;
      await ask("pause", []);
    },
    resume: async () => {
      wanted.paused = false;
      await ask("resume", []);
    },
    search: (request, signal) => ask("search", [request], signal) as ReturnType<Session["search"]>,
    analyze: (request, signal) =>
      ask("analyze", [request], signal) as ReturnType<Session["analyze"]>,
    symbols: (query, limit, signal) =>
      ask("symbols", [query, limit], signal) as ReturnType<Session["symbols"]>,
    status: () => ask("status", []) as ReturnType<Session["status"]>,
    why: (path) => ask("why", [path]) as Promise<string>,
    leftOut: (root, limit) => ask("leftOut", [root, limit]) as ReturnType<Session["leftOut"]>,
    list: () => ask("list", []) as ReturnType<Session["list"]>,
    reindex: (options) => ask("reindex", [options]) as Promise<void>,
    clear: (name) => ask("clear", [name]) as Promise<boolean>,
    settled: (signal) => ask("settled", [], signal) as Promise<void>,
    filesChanged: (paths) => ask("filesChanged", [paths]) as Promise<void>,
    doctor: () => ask("doctor", []) as ReturnType<Session["doctor"]>,
    onEvent: (listener) => void listeners.push(listener),
    dispose: async () => {
      disposed = true;
      const connection = await current?.catch(() => undefined);
      connection?.end();
      connection?.dispose();
    },
  };
}

async function sayAgain(connection: MessageConnection, wanted: Wanted): Promise<void> {
  const say = (method: Method, ...args: unknown[]) =>
    connection.sendRequest(call(method), { args }).catch((error: unknown) => {
      throw fromResponseError(error);
    });
  if (wanted.settings !== undefined) await say("configure", wanted.settings);
  if (wanted.folders.length > 0) await say("openFolders", wanted.folders);
  if (wanted.paused) await say("pause");
  for (const [path, text] of wanted.buffers) await say("buffer", path, text);
}

async function request(
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
