/** Connects to the engine of this user, and starts it if none runs. Processes that connect at the same time share one engine. */

import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
// The whole package takes longer to load than a search.
import compareBuild from "semver/functions/compare-build.js";
import valid from "semver/functions/valid.js";
import type { MessageConnection } from "vscode-jsonrpc/node";
import { isErrorCode, trySystemCallSync, Unavailable } from "../common/errors.ts";
import { checkSpace, type Home, prepareHome } from "./home.ts";
import { type ForeignHolder, foreignHolder, isLocked, lockHolder } from "./lock.ts";
import { connectionOver, type Handshake, handshake, PROTOCOL, requestShutdown } from "./rpc.ts";

interface EngineProgram {
  readonly home: Home;
  readonly version: string;
  /** The arguments that Node is started with to run the engine: the program's file and `engine`. */
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The first start creates the database, perhaps on a busy machine. */
const CONNECT_TIMEOUT_MS = 30_000;
const CONNECT_POLL_MS = 40;
/** The engine is started again if it has not taken the lock after this time. A start takes about 200 ms on a quiet machine. */
const START_RETRY_MS = 3_000;
const HANDSHAKE_TIMEOUT_MS = 5_000;
/** After this many handshakes without an answer, the engine counts as stuck. */
const MAX_SILENCES = 2;
/** How long an engine in another container of this machine may take until it listens. */
const FOREIGN_START_MS = 3_000;
/** Small semi-spaces let V8 collect the garbage of database rows soon: 23 MB less after 10,000 chunks, and no slower. */
const NODE_FLAGS = ["--max-semi-space-size=4"];
/** An engine may be killed while it starts, so a crash is retried this often. */
const MAX_CRASHES = 3;

/** Connects to the running engine, and starts one if none runs. Throws Unavailable after CONNECT_TIMEOUT_MS. */
export async function connectEngine(program: EngineProgram): Promise<MessageConnection> {
  const { home } = program;
  prepareHome(home);
  const start = performance.now();
  const deadline = start + CONNECT_TIMEOUT_MS;
  let startAgainAt = 0;
  let crashes = 0;
  let silences = 0;
  while (performance.now() < deadline) {
    const connection = await tryConnect(program);
    if (connection === "silent") silences++;
    else if (connection !== undefined) return connection;
    if (silences >= MAX_SILENCES) throw doesNotAnswer(home);
    const foreign = foreignHolder(home.lock);
    if (foreign !== undefined && performance.now() > start + FOREIGN_START_MS)
      throw heldBy(foreign, home);
    if (!isLocked(home.lock) && performance.now() >= startAgainAt) {
      if (crashes >= MAX_CRASHES) throw doesNotStart(home);
      checkOpenFiles();
      startEngine(program, () => {
        crashes++;
        startAgainAt = 0;
      });
      startAgainAt = performance.now() + START_RETRY_MS;
    }
    await delay(CONNECT_POLL_MS);
  }
  throw doesNotAnswer(home);
}

/** The error for an engine that is stopped or stuck. It names the process and how to end it. */
function doesNotAnswer(home: Home): Unavailable {
  const pid = lockHolder(home.lock);
  if (pid === undefined) return doesNotStart(home);
  return new Unavailable(
    `the engine (process ${pid}) does not answer`,
    "run cocosearch-lsp doctor --restart, which ends it and starts another",
  );
}

function heldBy({ pid, host, file }: ForeignHolder, { root }: Home): Unavailable {
  return new Unavailable(
    `${root} is used by process ${pid} on ${host}, which cannot be reached from here`,
    `end it there, set COCOSEARCH_HOME to another folder, or delete ${file} if that machine or container is gone`,
  );
}

function doesNotStart(home: Home): Unavailable {
  checkSpace(home);
  const { log } = home;
  return new Unavailable("the engine does not start", `see its log at ${log}`);
}

/** The error for a listener that does not answer with a handshake: another program, or a damaged engine. */
function socketInUse({ socket }: Home): Unavailable {
  return new Unavailable(
    `${socket} is in use by another program`,
    "end it, or set COCOSEARCH_HOME to another folder",
  );
}

/** Checks the shape of the answer, because any program may listen on the socket. */
function isHandshake(value: unknown): value is Handshake {
  if (typeof value !== "object" || value === null) return false;
  const { protocol, version } = value as Partial<Record<keyof Handshake, unknown>>;
  return typeof protocol === "number" && typeof version === "string" && valid(version) !== null;
}

/** One attempt. Returns "silent" if the listener does not answer, and undefined if no process listens or if an older engine was asked to exit. */
async function tryConnect(
  program: EngineProgram,
): Promise<MessageConnection | "silent" | undefined> {
  const socket = await openSocket(program.home.socket);
  if (socket === undefined) return undefined;
  const connection = connectionOver(socket);
  connection.onError(() => connection.end());
  connection.listen();
  const own: Handshake = { protocol: PROTOCOL, version: program.version, pid: process.pid };
  const engine = await Promise.race([
    connection.sendRequest(handshake, own).catch(() => undefined),
    closed(connection),
    delay(HANDSHAKE_TIMEOUT_MS, "silent" as const, { ref: false }),
  ]);
  const hangUp = (): void => {
    connection.dispose();
    socket.destroy();
  };
  if (engine === undefined || engine === "silent") {
    hangUp();
    return engine;
  }
  if (!isHandshake(engine)) {
    hangUp();
    throw socketInUse(program.home);
  }
  const age = compareBuild(program.version, engine.version);
  if (engine.protocol === PROTOCOL && age <= 0) return connection;
  if (age < 0) {
    hangUp();
    throw new Unavailable(
      `the running engine is of version ${engine.version} and this program of ${program.version}`,
      "update this program, or restart the editor that still runs it",
    );
  }
  await Promise.race([
    connection.sendRequest(requestShutdown, null).catch(() => undefined),
    closed(connection),
    delay(HANDSHAKE_TIMEOUT_MS, undefined, { ref: false }),
  ]);
  hangUp();
  return undefined;
}

function closed(connection: MessageConnection): Promise<undefined> {
  return new Promise((resolve) => connection.onClose(() => resolve(undefined)));
}

/** Undefined if no process listens on the socket. */
function openSocket(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.removeAllListeners("error");
      resolve(socket);
    });
    socket.once("error", (error) => {
      const noListener = ["ENOENT", "ECONNREFUSED", "ECONNRESET", "EAGAIN", "EPIPE"];
      if (noListener.some((code) => isErrorCode(error, code))) resolve(undefined);
      else reject(error);
    });
  });
}

/**
 * Makes glibc return freed memory. One arena for all threads saves 130 MB after indexing 10,000 chunks; a fixed threshold
 * for `mmap` saves 24 MB in an idle engine.
 */
const MALLOC = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "1048576" };

/** Starts the engine as a detached process. Its standard output and standard error go to the log file. */
function startEngine({ home, command, env }: EngineProgram, crashed: () => void): void {
  const log = openSync(home.log, "a", 0o600);
  try {
    const child = spawn(process.execPath, [...NODE_FLAGS, ...command], {
      cwd: home.root,
      detached: true,
      // The engine has another working directory, so a relative path would name another folder there.
      env: { ...MALLOC, ...env, COCOSEARCH_HOME: home.root },
      stdio: ["ignore", log, log],
      windowsHide: true,
    });
    child.on("error", crashed);
    // An engine that finds the lock taken exits with 0.
    child.on("exit", (code) => {
      if (code !== 0) crashed();
    });
    child.unref();
  } finally {
    closeSync(log);
  }
}

/** The built-in database keeps up to 150 files open, and an engine that indexes has some 50 others. */
const MIN_OPEN_FILES = 256;

/**
 * Checks the limit of open files, which the engine inherits from this process. Throws Unavailable if it is too low: a database
 * that cannot open its files looks damaged.
 */
function checkOpenFiles(): void {
  const limit = openFilesLimit();
  if (limit >= MIN_OPEN_FILES) return;
  throw new Unavailable(
    `this process may open only ${limit} files at once, and the engine needs ${MIN_OPEN_FILES}`,
    `raise the limit in the shell that starts it: ulimit -n ${MIN_OPEN_FILES * 4}`,
  );
}

/** The limit on Linux, Infinity elsewhere. Node has already raised the soft limit to the hard limit. */
function openFilesLimit(): number {
  const limits = trySystemCallSync(() => readFileSync("/proc/self/limits", "utf8")) ?? "";
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
}
