/** The real server over stdio, as an editor runs it, for scripts. */

import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { Status } from "../../server/session.ts";

const MAIN = resolve(import.meta.dirname, "../../dist/main.js");

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
  const child = spawn(process.execPath, [MAIN, "--stdio"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      ...process.env,
      COCOSEARCH_HOME: home,
      COCOSEARCH_ENGINE_IDLE_SECONDS: String(ENGINE_IDLE_SECONDS),
    },
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  const uri = pathToFileURL(root).href;
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: uri,
    workspaceFolders: [{ uri, name: root }],
    capabilities: {},
  });
  await connection.sendNotification("initialized", {});
  const { engine } = await indexed(connection, root);
  return { connection, enginePid: engine.pid, stop: () => stop(connection, child) };
}

async function indexed(connection: ProtocolConnection, root: string): Promise<Status> {
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

async function stop(connection: ProtocolConnection, child: ChildProcess): Promise<void> {
  const exited = new Promise((done) => child.once("exit", done));
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  await exited;
  connection.dispose();
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
