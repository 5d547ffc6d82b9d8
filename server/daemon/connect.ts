/** Finds the engine of this user, or starts it: many processes that do so at once get the same one. */

import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
// The whole package takes longer to load than a search.
import compareBuild from "semver/functions/compare-build.js";
import valid from "semver/functions/valid.js";
import type { MessageConnection } from "vscode-jsonrpc/node";
import { isErrorCode, Unavailable } from "../common/errors.ts";
import { checkSpace, type Home, prepareHome } from "./home.ts";
import { type ForeignHolder, foreignHolder, isLocked, lockHolder } from "./lock.ts";
import { checkOpenFiles } from "./open-files.ts";
import { connectionOver, type Handshake, handshake, PROTOCOL, requestShutdown } from "./rpc.ts";

export interface EngineProgram {
  readonly home: Home;
  readonly version: string;
  /** The arguments with which Node runs the engine: the program's file and `engine`. */
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The first start makes the database and may share a busy machine with nine others. */
const CONNECT_TIMEOUT_MS = 30_000;
const CONNECT_POLL_MS = 40;
/** A start that did not take the lock by then is tried again; a start takes about 200 ms on a quiet machine. */
const START_RETRY_MS = 3_000;
const HANDSHAKE_TIMEOUT_MS = 5_000;
/** An engine that answers none of this many attempts does not answer a moment later either. */
const MAX_SILENCES = 2;
/** An engine in another container of this machine can be reached once it listens. */
const FOREIGN_START_MS = 3_000;
/** What rows leave behind is collected soon: 23 MB less after 10 thousand chunks, and no slower. */
const NODE_FLAGS = ["--max-semi-space-size=4"];
/** An engine that was killed while it started deserves another try; one that fails again will keep failing. */
const MAX_CRASHES = 3;

/** Connects to the running engine, starting it where there is none. Throws Unavailable after half a minute. */
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

/** An engine that was stopped, or that is stuck: the process is named, and how to get rid of it. */
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

/** Something else has our socket, or an engine that was damaged. */
function isNoEngine({ socket }: Home): Unavailable {
  return new Unavailable(
    `what listens at ${socket} is no engine of cocosearch-lsp`,
    "end it, or set COCOSEARCH_HOME to another folder",
  );
}

/** What the other side says is believed as far as it has the form of a handshake. */
function isHandshake(value: unknown): value is Handshake {
  if (typeof value !== "object" || value === null) return false;
  const { protocol, version } = value as Partial<Record<keyof Handshake, unknown>>;
  return typeof protocol === "number" && typeof version === "string" && valid(version) !== null;
}

/** One attempt; "silent" when who listens does not answer; undefined when nobody listens, or when who listens is older than we are and was asked to leave. */
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
  const leave = (): void => {
    connection.dispose();
    socket.destroy();
  };
  if (engine === undefined || engine === "silent") {
    leave();
    return engine;
  }
  if (!isHandshake(engine)) {
    leave();
    throw isNoEngine(program.home);
  }
  const age = compareBuild(program.version, engine.version);
  if (engine.protocol === PROTOCOL && age <= 0) return connection;
  if (age < 0) {
    leave();
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
  leave();
  return undefined;
}

function closed(connection: MessageConnection): Promise<undefined> {
  return new Promise((resolve) => connection.onClose(() => resolve(undefined)));
}

/** Undefined when no engine listens there. */
function openSocket(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.removeAllListeners("error");
      resolve(socket);
    });
    socket.once("error", (error) => {
      const nobody = ["ENOENT", "ECONNREFUSED", "ECONNRESET", "EAGAIN", "EPIPE"];
      if (nobody.some((code) => isErrorCode(error, code))) resolve(undefined);
      else reject(error);
    });
  });
}

/**
 * glibc keeps what threads freed in an arena for each: 130 MB less after indexing 10 thousand chunks with one. Blocks of a
 * megabyte go back to the system at once, where glibc would let that size grow: a resting engine has 233 MB and not 257.
 */
const MALLOC = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "1048576" };

/** The engine outlives the process that starts it; what it writes before its log is open goes into the same file. */
function startEngine({ home, command, env }: EngineProgram, crashed: () => void): void {
  const log = openSync(home.log, "a", 0o600);
  try {
    const child = spawn(process.execPath, [...NODE_FLAGS, ...command], {
      cwd: home.root,
      detached: true,
      // What was relative to the folder of this process would be another place there.
      env: { ...MALLOC, ...env, COCOSEARCH_HOME: home.root },
      stdio: ["ignore", log, log],
      windowsHide: true,
    });
    child.on("error", crashed);
    // One that finds the lock taken leaves with 0.
    child.on("exit", (code) => {
      if (code !== 0) crashed();
    });
    child.unref();
  } finally {
    closeSync(log);
  }
}
