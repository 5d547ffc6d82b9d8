/** The engine process: takes the lock, listens on the socket, serves one session per client, and exits when it is idle. */

import { setMaxListeners } from "node:events";
import { chmodSync, existsSync, lstatSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import type { CancellationToken } from "vscode-jsonrpc/node";
import { messageOf, stackOf, trySystemCallSync } from "../common/errors.ts";
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

/** How often the engine checks its socket and its lock. */
const HOME_CHECK_MS = 1_000;

/** The part of the engine that this process runs. */
interface EngineApp {
  session(): Session;
  freeMemory(): Promise<void>;
  close(): Promise<void>;
}

interface EngineOptions {
  readonly home: Home;
  readonly version: string;
  readonly log: Log;
  /** How long after the last client has disconnected the engine exits. */
  readonly idleMs: number;
  /** How long after the last client has disconnected the engine frees memory. */
  readonly freeMemoryMs: number;
  /** Called once the lock is held, because loading takes most of the start. */
  load(): Promise<EngineApp>;
}

/** Runs until the engine is idle or a client requests its shutdown. Resolves to false if another engine holds the lock. */
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
    // Release the lock last: a process that finds it free may use or delete the folder.
    log.info("engine exited");
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
      clearInterval(checking);
      log.info("engine exits", { why });
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
    // A cleanup of temporary folders may delete or replace files of the home. Without the socket no client could connect,
    // and without the lock another engine would write to the same data.
    const checking = setInterval(() => {
      keepHome(home, lock, log);
      if (process.platform === "win32" || !server.listening) return;
      if (identityOf(home.socket) === identity) return;
      log.warn("the socket was deleted or replaced; the engine listens again");
      server.close();
      rmSync(home.socket, { force: true, recursive: true });
      server = createServer(accept);
      server.once("error", (error) =>
        log.error("the socket cannot be created", { error: messageOf(error) }),
      );
      server.listen(home.socket, listening);
    }, HOME_CHECK_MS);
    checking.unref();
    server.once("error", reject);
    server.listen(home.socket, () => {
      listening();
      waitIdle();
    });
    for (const signal of SIGNALS) process.once(signal, end);
  });
}

/** Identifies a socket file, or undefined if it is missing. The inode alone is not enough, because it is reused. */
function identityOf(socket: string): string | undefined {
  return trySystemCallSync(() => {
    const { dev, ino, mode, birthtimeNs } = lstatSync(socket, { bigint: true });
    return [dev, ino, mode, birthtimeNs].join(" ");
  });
}

/** Restores deleted folders and the lock of the home. If another engine has taken the lock, this process exits. */
function keepHome(home: Home, lock: Lock, log: Log): void {
  try {
    if (!existsSync(home.lock)) prepareHome(home);
    if (lock.keep()) return;
  } catch (error) {
    log.warn("the home folder cannot be restored", { error: messageOf(error) });
    return;
  }
  log.error("the home folder was deleted and another engine has taken it; this engine exits");
  process.exit(1);
}

/** Starts the timers that run while no client is connected. Returns a function that stops them. */
function startIdleTimers(
  app: EngineApp,
  { log, freeMemoryMs, idleMs }: EngineOptions,
  end: (why: string) => void,
): () => void {
  const freeMemory = async () => {
    try {
      await app.freeMemory();
      log.info("engine freed memory", { rssMb: Math.round(process.memoryUsage.rss() / 1e6) });
    } catch (error) {
      log.error("bug in freeing memory", { error: stackOf(error) });
    }
  };
  const timers = [
    setTimeout(() => void freeMemory(), freeMemoryMs),
    setTimeout(() => end("idle"), idleMs),
  ];
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
    // A client may die before its session is disposed.
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
    setImmediate(() => client.requestShutdown("a newer program requested it"));
    return null;
  });
  for (const method of SESSION_METHOD_NAMES) {
    connection.onRequest(call(method), ({ args }, token) =>
      callSession(session, method, args, token, log),
    );
  }
  // Destroy the socket, because every pending write would report the same error.
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
  // A search waits for each of its indexes until then, and a team may publish hundreds; Node.js warns of a leak from 11 on.
  setMaxListeners(0, controller.signal);
  const listening = token.onCancellationRequested(() => controller.abort());
  // JSON has no undefined: an omitted argument arrives as null.
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
