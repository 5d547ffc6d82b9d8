/** The real server over stdio, as an editor runs it, for scripts. */

import { setTimeout as delay } from "node:timers/promises";
import type { ProtocolConnection } from "vscode-languageserver/node";
import type { Status } from "../../server/contracts/session.ts";
import { openEditor } from "../editor.ts";

/** How often the state is asked for while the index is being made. */
const POLL_MS = 200;

/** The engine leaves this long after its last client: soon, but not between two repositories. */
const ENGINE_IDLE_SECONDS = 10;

export interface Server {
  readonly connection: ProtocolConnection;
  /** Of the engine behind it. */
  readonly enginePid: number;
  stop(): Promise<void>;
}

/** Starts a server on one folder and waits until everything in it is indexed and embedded. */
export async function startServer(root: string, home: string): Promise<Server> {
  const { connection, close } = await openEditor(root, home, ENGINE_IDLE_SECONDS);
  const { engine } = await indexed(connection, root);
  return { connection, enginePid: engine.pid, stop: close };
}

/** Resolves when everything in the folder is indexed and embedded. */
export async function indexed(connection: ProtocolConnection, root: string): Promise<Status> {
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
