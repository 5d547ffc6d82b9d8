/** The engine's process: takes the lock, listens on the socket, serves a session to each client, and exits after the last one. */

import { chmodSync, existsSync, lstatSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import type { CancellationToken } from "vscode-jsonrpc/node";
import { isSystemError, messageOf, stackOf } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import {
  SESSION_METHOD_NAMES,
  SESSION_METHODS,
  type Session,
  type SessionMethod,
} from "../contracts/session.ts";
import { type Home, prepareHome } from "./home.ts";
import { type Lock, takeLock } from "./lock.ts";
import {
  call,
  connectionOver,
  event,
  type Handshake,
  handshake,
  PROTOCOL,
  ping,
  requestShutdown,
  toResponseError,
} from "./rpc.ts";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** How long no new client can connect after the socket was deleted, and no lock holds after the home was. */
const HOME_CHECK_MS = 1_000;

/** The app, as the engine sees it. */
interface EngineApp {
  session(): Session;
  freeMemory(): Promise<void>;
  close(): Promise<void>;
}

export interface EngineOptions {
  readonly home: Home;
  readonly version: string;
  readonly log: Log;
  /** Minutes would do for people; tests want seconds. */
  readonly idleMs: number;
  /** How long after the last client has left the engine gives its memory back. */
  readonly restMs: number;
  /** Called once the lock is held; loading the parts takes most of the start. */
  load(): Promise<EngineApp>;
}

/** Runs until idle or told to leave. Resolves to false at once when another engine holds the lock. */
export async function runEngine(options: EngineOptions): Promise<boolean> {
  const { home, log } = options;
  prepareHome(home);
  const lock = takeLock(home.lock);
  if (lock === undefined) return false;
  try {
    const app = await options.load();
    try {
      await serveUntilIdle(app, lock, options);
    } finally {
      await app.close();
    }
  } finally {
    // The lock last: a process that finds it free may take or delete the folder.
    log.info("engine left");
    lock.release();
  }
  return true;
}

function serveUntilIdle(app: EngineApp, lock: Lock, options: EngineOptions): Promise<void> {
  const { home, log, version } = options;
  if (process.platform !== "win32") rmSync(home.socket, { force: true });
  return new Promise((resolve, reject) => {
    const clients = new Set<Socket>();
    let stopWaiting = () => {};
    let isEnding = false;
    const accept = (socket: Socket) => {
      stopWaiting();
      clients.add(socket);
      socket.once("close", () => {
        clients.delete(socket);
        if (clients.size === 0 && !isEnding) waitIdle();
      });
      serveClient(socket, app, { ...options, requestShutdown: end });
    };
    let server: Server = createServer(accept);
    let identity: string | undefined;
    const end = (why: string) => {
      isEnding = true;
      stopWaiting();
      for (const signal of SIGNALS) process.off(signal, end);
      clearInterval(looking);
      log.info("engine leaves", { why });
      server.close(() => resolve());
      for (const socket of clients) socket.destroy();
    };
    const waitIdle = () => {
      stopWaiting = startIdleTimers(app, options, end);
    };
    const listening = () => {
      if (process.platform !== "win32") chmodSync(home.socket, 0o600);
      identity = identityOf(home.socket);
      log.info("engine listens", { version, pid: process.pid });
    };
    // Something cleans up temporary folders, or puts a copy of them back: without its own socket no client could connect
    // until the engine exits, and without its lock another engine would write to the same data.
    const looking = setInterval(() => {
      keepHome(home, lock, log);
      if (process.platform === "win32" || !server.listening) return;
      if (identityOf(home.socket) === identity) return;
      log.warn("the socket was deleted or replaced; the engine listens again");
      server.close();
      rmSync(home.socket, { force: true, recursive: true });
      server = createServer(accept);
      server.once("error", (error) => log.error("no new socket", { error: messageOf(error) }));
      server.listen(home.socket, listening);
    }, HOME_CHECK_MS);
    looking.unref();
    server.once("error", reject);
    server.listen(home.socket, () => {
      listening();
      waitIdle();
    });
    for (const signal of SIGNALS) process.once(signal, end);
  });
}

/** Undefined where nothing can be seen. The number of a deleted file is given again, often to the next one. */
function identityOf(socket: string): string | undefined {
  try {
    const { dev, ino, mode, birthtimeNs } = lstatSync(socket, { bigint: true });
    return [dev, ino, mode, birthtimeNs].join(" ");
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** Makes what was deleted of the home again. Where another engine has taken it since, this one may write nothing more. */
function keepHome(home: Home, lock: Lock, log: Log): void {
  try {
    if (!existsSync(home.lock)) prepareHome(home);
    if (lock.keep()) return;
  } catch (error) {
    log.warn("its home cannot be kept", { error: messageOf(error) });
    return;
  }
  log.error("another engine has taken the home, which was deleted; this one ends at once");
  process.exit(1);
}

/** What happens while nobody is connected; the result prevents it. */
function startIdleTimers(
  app: EngineApp,
  { log, restMs, idleMs }: EngineOptions,
  end: (why: string) => void,
): () => void {
  const rest = async () => {
    try {
      await app.freeMemory();
      log.info("engine rests", { rssMb: Math.round(process.memoryUsage.rss() / 1e6) });
    } catch (error) {
      log.error("bug in giving memory back", { error: stackOf(error) });
    }
  };
  const timers = [setTimeout(() => void rest(), restMs), setTimeout(() => end("idle"), idleMs)];
  return () => timers.forEach((timer) => clearTimeout(timer));
}

interface ServedClient {
  readonly version: string;
  readonly log: Log;
  requestShutdown(why: string): void;
}

function serveClient(socket: Socket, app: EngineApp, client: ServedClient): void {
  const { log } = client;
  const connection = connectionOver(socket);
  const session = app.session();
  session.onEvent((what) => {
    // Every event would fail again until the session of a client that died is disposed.
    if (socket.destroyed) return;
    connection.sendNotification(event, what).catch((error: unknown) => {
      if (!socket.destroyed) log.debug("event not sent", { error: messageOf(error) });
    });
  });
  connection.onRequest(handshake, ({ pid, version }): Handshake => {
    log.debug("client", { pid, version });
    return { protocol: PROTOCOL, version: client.version, pid: process.pid };
  });
  connection.onRequest(ping, () => null);
  connection.onRequest(requestShutdown, () => {
    setImmediate(() => client.requestShutdown("a newer program asked"));
    return null;
  });
  for (const method of SESSION_METHOD_NAMES) {
    connection.onRequest(call(method), ({ args }, token) =>
      callSession(session, method, args, token, log),
    );
  }
  // What is still to be written would fail again and again.
  connection.onError(([error]) => {
    if (socket.destroyed) return;
    log.warn("broken connection", { error: messageOf(error) });
    socket.destroy();
  });
  socket.on("error", (error) => log.debug("socket", { error: messageOf(error) }));
  connection.onClose(() => {
    connection.dispose();
    session.dispose().catch((error: unknown) => {
      log.error("bug in dispose", { error: stackOf(error) });
    });
  });
  connection.listen();
}

async function callSession(
  session: Session,
  method: SessionMethod,
  args: unknown[],
  token: CancellationToken,
  log: Log,
): Promise<unknown> {
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  // JSON has no undefined: an argument that was omitted arrives as null.
  const given = args.map((arg) => arg ?? undefined);
  const { signalIndex } = SESSION_METHODS[method];
  if (signalIndex !== undefined) given[signalIndex] = controller.signal;
  try {
    const run = session[method] as (...given: unknown[]) => Promise<unknown>;
    return (await run.apply(session, given)) ?? null;
  } catch (error) {
    const response = toResponseError(error);
    if (response.data?.kind === "bug" && !controller.signal.aborted) {
      log.error(`bug in ${method}`, { error: stackOf(error) });
    }
    return response;
  } finally {
    listening.dispose();
  }
}
