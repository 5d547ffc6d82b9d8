/** The real server over stdio, as an editor runs it, for scripts. */

import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ProtocolConnection } from "vscode-languageserver/node";
import { silent } from "../../server/common/log.ts";
import { buildOf } from "../../server/common/version.ts";
import type { Session, Status } from "../../server/contracts/session.ts";
import { connectEngine } from "../../server/daemon/connect.ts";
import { homeOf } from "../../server/daemon/home.ts";
import { createRemoteSession } from "../../server/daemon/remote-session.ts";
import { openEditor } from "../editor.ts";

/** How often the state is asked for while the index is being made. */
const POLL_MS = 200;

/** The engine leaves this long after its last client: soon, but not between two repositories. */
const ENGINE_IDLE_SECONDS = 10;

export interface Server {
  readonly connection: ProtocolConnection;
  /** The process of the engine behind the server. */
  readonly enginePid: number;
  /**
   * Resolves when a whole pass that begins now is over. The protocol only starts one: its state before the pass begins is
   * that of the last one.
   */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server on one folder and waits until everything in it is indexed and embedded. */
export async function startServer(root: string, home: string): Promise<Server> {
  const { connection, close } = await openEditor(root, home, ENGINE_IDLE_SECONDS);
  const { engine } = await indexed(connection, root);
  const catchUp = async () => {
    await reindex(root, home);
    await indexed(connection, root);
  };
  return { connection, enginePid: engine.pid, catchUp, stop: close };
}

const MAIN = resolve(import.meta.dirname, "../../dist/main.js");

/** Reindexes as a second client of the engine that runs in this home. */
async function reindex(root: string, folder: string): Promise<void> {
  const session = openSession(folder);
  try {
    await session.openFolders([root]);
    await session.reindex({});
  } finally {
    await session.dispose();
  }
}

/** A session in the engine of this home, which is started where none runs. */
export function openSession(folder: string): Session {
  const env = { ...process.env, COCOSEARCH_HOME: folder };
  const program = { home: homeOf(env), version: buildOf(MAIN), command: [MAIN, "engine"], env };
  return createRemoteSession(() => connectEngine(program), silent);
}

/** Answers requests: a connection to a server, or an editor that has one. */
export interface Asking {
  sendRequest<T>(method: string, params: object): Promise<T>;
}

/** Resolves when everything in the folder is indexed and embedded. */
export async function indexed(connection: Asking, root: string): Promise<Status> {
  for (;;) {
    const status = await connection.sendRequest<Status>("cocosearch/status", {});
    if (status.state === "unavailable" || status.state === "no-root") {
      throw new Error(`${root} cannot be indexed: ${status.reason ?? status.state}`);
    }
    const isEmbedded = status.indexes.every(({ pending }) => pending === 0);
    const isComplete = status.state === "ready" && status.indexed === status.total;
    if (isComplete && isEmbedded && status.indexes.length > 0) return status;
    await delay(POLL_MS);
  }
}

/** Waits until a process has ended by itself. */
export async function ended(pid: number): Promise<void> {
  while (isRunning(pid)) await delay(POLL_MS);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}
