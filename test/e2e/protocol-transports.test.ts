/** The four transports between client and server; `initialize` and `shutdown` need no engine. */

import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  createMessageConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type MessageConnection,
  SocketMessageReader,
  SocketMessageWriter,
} from "vscode-languageserver/node";
import { MAIN } from "../support/engine.ts";

/** A folder of the test's own. */
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "cocosearch-pipe-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

const HOME = { ...process.env, COCOSEARCH_HOME: join(tmpdir(), "cocosearch-not-used") };

const host = "127.0.0.1";

/** A client that listens, as editors do; the server connects to it. */
async function listening(address: string | number): Promise<Server> {
  const server = createServer();
  server.listen(typeof address === "number" ? { port: address, host } : { path: address });
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return server;
}

async function overSocket(
  server: Server,
  args: readonly string[],
): Promise<{ child: ChildProcess; connection: MessageConnection; socket: Socket }> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: HOME, stdio: "inherit" });
  const [socket] = (await once(server, "connection")) as [Socket];
  const connection = createMessageConnection(
    new SocketMessageReader(socket),
    new SocketMessageWriter(socket),
  );
  return { child, connection, socket };
}

const HELLO = { processId: process.pid, rootUri: null, capabilities: {} };

/** From initialize to exit. */
async function checkVisit(child: ChildProcess, connection: MessageConnection): Promise<void> {
  const exited = once(child, "exit");
  connection.listen();
  expect(await connection.sendRequest("initialize", HELLO)).toMatchObject({
    serverInfo: { name: "cocosearch-lsp" },
  });
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  expect(await exited).toEqual([0, null]);
}

it.each([
  ["--pipe=NAME", (name: string) => [`--pipe=${name}`]],
  ["--pipe NAME", (name: string) => ["--pipe", name]],
])("speaks over %s", async (_, args) => {
  const name = join(folder(), "editor.sock");
  const { child, connection } = await overSocket(await listening(name), args(name));
  await checkVisit(child, connection);
});

it("speaks over --socket=PORT", async () => {
  const server = await listening(0);
  const { port } = server.address() as { port: number };
  const { child, connection } = await overSocket(server, [`--socket=${port}`]);
  await checkVisit(child, connection);
});

it("speaks over --node-ipc", async () => {
  const child = fork(MAIN, ["--node-ipc"], { env: HOME });
  const connection = createMessageConnection(
    new IPCMessageReader(child),
    new IPCMessageWriter(child),
  );
  await checkVisit(child, connection);
});

it("ends when the client closes the socket", async () => {
  const server = await listening(0);
  const { port } = server.address() as { port: number };
  const { child, socket } = await overSocket(server, [`--socket=${port}`]);
  const exited = once(child, "exit");
  socket.destroy();
  expect(await exited).toEqual([1, null]);
});

it("ends when the process at the other end of --node-ipc is gone", async () => {
  const child = fork(MAIN, ["--node-ipc"], { env: HOME });
  const exited = once(child, "exit");
  const connection = createMessageConnection(
    new IPCMessageReader(child),
    new IPCMessageWriter(child),
  );
  connection.listen();
  await connection.sendRequest("initialize", HELLO);
  child.disconnect();
  expect(await exited).toEqual([1, null]);
});

it("a transport without a client fails with an error", async () => {
  const args = [MAIN, `--pipe=${join(folder(), "nobody.sock")}`];
  const child = spawn(process.execPath, args, { env: HOME, stdio: ["ignore", "ignore", "pipe"] });
  const said: Buffer[] = [];
  child.stderr.on("data", (data: Buffer) => said.push(data));
  expect(await once(child, "exit")).toEqual([1, null]);
  expect(Buffer.concat(said).toString()).toMatch(/nobody\.sock/);
});
