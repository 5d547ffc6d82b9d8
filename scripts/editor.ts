/** A minimal LSP client for scripts: starts the server over stdio on one folder and shuts it down cleanly. */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import {
  type ClientCapabilities,
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";

/** The built program of this checkout. */
export const MAIN = resolve(import.meta.dirname, "../dist/main.js");

export interface Editor {
  readonly connection: ProtocolConnection;
  readonly serverPid: number;
  /** `performance.now()` before the server's process was started. */
  readonly startedAt: number;
  /** From there until `initialize` was answered. */
  readonly initializeMs: number;
  close(): Promise<void>;
}

/** The engine exits `idleSeconds` after its last client; `program` is the built file of another revision. */
export async function openEditor(
  root: string,
  home: string,
  idleSeconds: number,
  capabilities: ClientCapabilities = {},
  program = MAIN,
): Promise<Editor> {
  const startedAt = performance.now();
  const server = spawn(process.execPath, [program, "--stdio"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...engineEnvironment(home, idleSeconds) },
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.listen();
  const uri = pathToFileURL(root).href;
  await Promise.race([
    connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: root }],
      capabilities,
    }),
    died(server),
  ]);
  const initializeMs = performance.now() - startedAt;
  await connection.sendNotification("initialized", {});
  const close = () => closeServer(connection, server);
  return { connection, serverPid: server.pid ?? 0, startedAt, initializeMs, close };
}

export function engineEnvironment(home: string, idleSeconds: number): NodeJS.ProcessEnv {
  return { COCOSEARCH_HOME: home, COCOSEARCH_ENGINE_IDLE_SECONDS: String(idleSeconds) };
}

type Server = ChildProcessByStdio<Writable, Readable, null>;

async function closeServer(connection: ProtocolConnection, server: Server): Promise<void> {
  const exited = new Promise((done) => server.once("exit", done));
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  await exited;
  connection.dispose();
}

function died(server: Server): Promise<never> {
  return new Promise((_, reject) => {
    server.once("exit", (code) => reject(new Error(`the server ended with ${code ?? "a signal"}`)));
  });
}
