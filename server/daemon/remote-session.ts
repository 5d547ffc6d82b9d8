/** The client side of a session: sends each call to the engine, reconnects to a new engine and replays the desired state. */

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
import {
  OPEN_FOLDERS,
  SESSION_METHOD_NAMES,
  SESSION_METHODS,
  type Session,
  type SessionEvent,
  type SessionMethod,
} from "../contracts/session.ts";
import { DesiredState, type StateCall } from "./desired-state.ts";
import { call, event, fromResponseError, ping } from "./rpc.ts";

/** How often a request is sent, each time to a new engine, before it fails. All requests are idempotent. */
const MAX_ATTEMPTS = 4;
/** The delay between two attempts to reach an engine after one was lost. */
const RECONNECT_DELAY_MS = 1_000;

/** How often the engine is pinged while a request waits, and how long a ping may take. */
interface Heartbeat {
  readonly everyMs: number;
  readonly timeoutMs: number;
}

/** The engine's main thread yields within 250 ms; on a machine that swaps it may take seconds. */
const HEARTBEAT: Heartbeat = { everyMs: 5_000, timeoutMs: 20_000 };

export function createRemoteSession(
  connect: () => Promise<MessageConnection>,
  log: Log,
  heartbeat = HEARTBEAT,
): Session {
  const client = new EngineClient(connect, log, heartbeat);
  return {
    ...methodsOf(client),
    onEvent: (listener) => client.onEvent(listener),
    dispose: () => client.dispose(),
  };
}

/** Implements every method of the session as a request. */
function methodsOf(client: EngineClient): Pick<Session, SessionMethod> {
  const methodOf =
    <M extends SessionMethod>(method: M) =>
    (...args: Parameters<Session[M]>) =>
      client.request(method, args);
  const methods = SESSION_METHOD_NAMES.map((name) => [name, methodOf(name)] as const);
  return Object.fromEntries(methods) as unknown as Pick<Session, SessionMethod>;
}

/** The outcome of a replayed call. */
interface Replayed {
  readonly order: number;
  readonly result: { readonly value: unknown } | { readonly refusal: BadRequest };
}

interface Link {
  readonly connection: MessageConnection;
  /** The calls that were replayed on this connection, by key. */
  readonly replayed: ReadonlyMap<string, Replayed>;
}

/** Owns the connection and the desired state. */
class EngineClient {
  readonly #connect: () => Promise<MessageConnection>;
  readonly #log: Log;
  readonly #desiredState = new DesiredState();
  readonly #listeners: ((event: SessionEvent) => void)[] = [];
  readonly #heartbeat: Heartbeat;
  /** The number of requests that wait for an answer. */
  #pending = 0;
  #current: Promise<Link> | undefined;
  /** The connection of the current link, from its opening until it is given up. */
  #newest: MessageConnection | undefined;
  #isDisposed = false;

  constructor(connect: () => Promise<MessageConnection>, log: Log, heartbeat: Heartbeat) {
    this.#connect = connect;
    this.#log = log;
    this.#heartbeat = heartbeat;
  }

  onEvent(listener: (event: SessionEvent) => void): void {
    this.#listeners.push(listener);
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const link = await this.#current?.catch(() => undefined);
    link?.connection.end();
    link?.connection.dispose();
  }

  async request<M extends SessionMethod>(
    method: M,
    args: Parameters<Session[M]>,
  ): Promise<unknown> {
    this.#pending++;
    try {
      return await this.#request(method, args);
    } finally {
      this.#pending--;
    }
  }

  async #request<M extends SessionMethod>(
    method: M,
    args: Parameters<Session[M]>,
  ): Promise<unknown> {
    const recorded = this.#desiredState.record(method, args);
    const { signalIndex } = SESSION_METHODS[method];
    const last = signalIndex === undefined ? undefined : args[signalIndex];
    const signal = last instanceof AbortSignal ? last : undefined;
    const sent = args.slice(0, signalIndex);
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      let link: Link | undefined;
      try {
        link = await this.#connected();
        const result = resultOf(recorded, link.replayed);
        if (result === undefined) return await send(link.connection, method, sent, signal);
        if ("refusal" in result) throw result.refusal;
        return result.value;
      } catch (error) {
        if (!wasLost(error)) throw error;
        // The close event may come later, and requests until then would fail again.
        if (link !== undefined) this.#giveUp(link.connection);
        if (attempt === MAX_ATTEMPTS) throw error;
        // A disposed session closed the connection itself.
        if (!this.#isDisposed) {
          this.#log.info("the engine was lost; the request is repeated", { method, attempt });
        }
      }
    }
  }

  #connected(): Promise<Link> {
    if (this.#isDisposed) throw new Unavailable("the session is closed", "open a new one");
    this.#current ??= this.#open().catch((error: unknown) => {
      this.#current = undefined;
      throw error;
    });
    return this.#current;
  }

  async #open(): Promise<Link> {
    const connection = await this.#connect();
    this.#newest = connection;
    connection.onNotification(event, (what) => this.#emit(what));
    connection.onClose(() => {
      this.#giveUp(connection);
      connection.dispose();
      if (!this.#isDisposed) void this.#reconnect();
    });
    this.#watchOver(connection);
    try {
      return { connection, replayed: await replay(connection, this.#desiredState.calls()) };
    } catch (error) {
      connection.end();
      throw error;
    }
  }

  /** Drops the connection, so the next request opens another. A newer connection stays. */
  #giveUp(connection: MessageConnection): void {
    if (this.#newest === connection) {
      this.#newest = undefined;
      this.#current = undefined;
    }
    connection.end();
  }

  /** Pings the engine while requests wait, and closes the connection if it does not answer. */
  #watchOver(connection: MessageConnection): void {
    let isPinging = false;
    const timer = setInterval(() => {
      if (isPinging || this.#pending === 0) return;
      isPinging = true;
      void isAnswered(connection, this.#heartbeat.timeoutMs).then((answers) => {
        isPinging = false;
        if (answers || this.#isDisposed) return;
        clearInterval(timer);
        this.#log.warn("the engine does not answer; closing the connection");
        this.#giveUp(connection);
        connection.dispose();
      });
    }, this.#heartbeat.everyMs);
    timer.unref();
    const stop = () => clearInterval(timer);
    connection.onClose(stop);
    connection.onDispose(stop);
  }

  /** Replaces a lost engine without waiting for a request, because folders are indexed in the background. */
  async #reconnect(): Promise<void> {
    while (
      !this.#isDisposed &&
      this.#current === undefined &&
      this.#desiredState.has(OPEN_FOLDERS)
    ) {
      try {
        await this.#connected();
        return;
      } catch (error) {
        this.#log.warn("the engine cannot be reached", { error: messageOf(error) });
        this.#emit({ kind: "status", state: "unavailable", reason: messageOf(error) });
        await delay(RECONNECT_DELAY_MS, undefined, { ref: false });
      }
    }
  }

  #emit(what: SessionEvent): void {
    for (const listener of this.#listeners) listener(what);
  }
}

/** The result if this call, or a later one with its key, was replayed on the connection. Undefined if the call must be sent. */
function resultOf(
  recorded: StateCall | undefined,
  replayed: Link["replayed"],
): Replayed["result"] | undefined {
  if (recorded === undefined) return undefined;
  const found = replayed.get(recorded.key);
  return found !== undefined && found.order >= recorded.order ? found.result : undefined;
}

async function replay(
  connection: MessageConnection,
  calls: readonly StateCall[],
): Promise<Map<string, Replayed>> {
  const replayed = new Map<string, Replayed>();
  for (const { key, order, method, args } of calls) {
    replayed.set(key, { order, result: await resultOrRefusal(connection, method, args) });
  }
  return replayed;
}

/** Returns a BadRequest as a result: it is for the original caller, and the replay continues. */
async function resultOrRefusal(
  connection: MessageConnection,
  method: SessionMethod,
  args: readonly unknown[],
): Promise<Replayed["result"]> {
  try {
    return { value: await send(connection, method, args, undefined) };
  } catch (error) {
    if (error instanceof BadRequest) return { refusal: error };
    throw error;
  }
}

async function send(
  connection: MessageConnection,
  method: SessionMethod,
  args: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const source = new CancellationTokenSource();
  const cancel = () => source.cancel();
  signal?.addEventListener("abort", cancel);
  try {
    return await connection.sendRequest(call(method), { args: [...args] }, source.token);
  } catch (error) {
    signal?.throwIfAborted();
    throw fromResponseError(error);
  } finally {
    signal?.removeEventListener("abort", cancel);
    source.dispose();
  }
}

/** Whether the engine answers a ping in time. A rejected ping counts as an answer: the close event handles a lost connection. */
async function isAnswered(connection: MessageConnection, timeoutMs: number): Promise<boolean> {
  const answered = connection.sendRequest(ping, null).then(
    () => true,
    () => true,
  );
  return await Promise.race([answered, delay(timeoutMs, false, { ref: false })]);
}

/** Whether the connection closed during the request, so that the request can be repeated. */
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
