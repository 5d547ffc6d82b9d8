/** A session in the engine behind the socket: it reconnects by itself and replays what its client had opened and configured. */

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

/** How often a request is sent, each time to a new engine, before its failure is reported. All requests may be repeated. */
const MAX_ATTEMPTS = 4;
/** The delay between two attempts to reach an engine after one was lost. */
const RECONNECT_DELAY_MS = 1_000;

/** While a request waits, the engine is asked this often whether it lives. */
interface Heartbeat {
  readonly everyMs: number;
  readonly timeoutMs: number;
}

/** The engine's main thread is free within 250 ms; on a machine that swaps it may be seconds. */
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

/** Every method of the session, as a request. */
function methodsOf(client: EngineClient): Pick<Session, SessionMethod> {
  const methodOf =
    <M extends SessionMethod>(method: M) =>
    (...args: Parameters<Session[M]>) =>
      client.request(method, args);
  const methods = SESSION_METHOD_NAMES.map((name) => [name, methodOf(name)] as const);
  return Object.fromEntries(methods) as unknown as Pick<Session, SessionMethod>;
}

/** How a replayed call ended. */
interface Replayed {
  readonly order: number;
  readonly result: { readonly value: unknown } | { readonly refusal: BadRequest };
}

interface Link {
  readonly connection: MessageConnection;
  /** The calls that this connection began with, by their keys. */
  readonly replayed: ReadonlyMap<string, Replayed>;
}

/** The one owner of the connection and of the state that each new engine is given. */
class EngineClient {
  readonly #connect: () => Promise<MessageConnection>;
  readonly #log: Log;
  readonly #desiredState = new DesiredState();
  readonly #listeners: ((event: SessionEvent) => void)[] = [];
  readonly #heartbeat: Heartbeat;
  /** Requests that wait for an answer. */
  #pending = 0;
  #current: Promise<Link> | undefined;
  /** Of the current link, once there is one and until it is given up. */
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
        // It may be a while until it is closed, and what is sent meanwhile would fail again.
        if (link !== undefined) this.#giveUp(link.connection);
        if (attempt === MAX_ATTEMPTS) throw error;
        // A session that is over lost nothing: it hung up itself.
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
    connection.onNotification(event, (what) => this.#tell(what));
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

  /** What comes next uses another one; a later one stays. */
  #giveUp(connection: MessageConnection): void {
    if (this.#newest === connection) {
      this.#newest = undefined;
      this.#current = undefined;
    }
    connection.end();
  }

  /** Gives up a connection whose engine does not answer, so that requests do not wait for ever. */
  #watchOver(connection: MessageConnection): void {
    let isAsking = false;
    const timer = setInterval(() => {
      if (isAsking || this.#pending === 0) return;
      isAsking = true;
      void isAnswered(connection, this.#heartbeat.timeoutMs).then((answers) => {
        isAsking = false;
        if (answers || this.#isDisposed) return;
        clearInterval(timer);
        this.#log.warn("the engine does not answer; the connection is given up");
        this.#giveUp(connection);
        connection.dispose();
      });
    }, this.#heartbeat.everyMs);
    timer.unref();
    const stop = () => clearInterval(timer);
    connection.onClose(stop);
    connection.onDispose(stop);
  }

  /** Indexing continues without a request that asks for it, so that a lost engine is replaced at once. */
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
        this.#tell({ kind: "status", state: "unavailable", reason: messageOf(error) });
        await delay(RECONNECT_DELAY_MS, undefined, { ref: false });
      }
    }
  }

  #tell(what: SessionEvent): void {
    for (const listener of this.#listeners) listener(what);
  }
}

/** The result of a call that the connection began with, or of a later one that replaced it; undefined when it must be sent. */
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

/** A refusal is for the caller whose call is replayed; it does not prevent the calls after it. */
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

/** Whether the engine answers a ping in time. A rejection counts as an answer: the connection was lost, and others see to that. */
async function isAnswered(connection: MessageConnection, timeoutMs: number): Promise<boolean> {
  const answered = connection.sendRequest(ping, null).then(
    () => true,
    () => true,
  );
  return await Promise.race([answered, delay(timeoutMs, false, { ref: false })]);
}

/** Whether the connection ended during the request, so that another engine may answer it. */
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
