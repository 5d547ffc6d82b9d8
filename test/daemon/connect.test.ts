/** Connecting to the engine's socket when an engine of another version or another program listens on it. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connectEngine } from "../../server/daemon/connect.ts";
import { homeOf, prepareHome } from "../../server/daemon/home.ts";
import { takeLock } from "../../server/daemon/lock.ts";
import { connectionOver, handshake, PROTOCOL } from "../../server/daemon/rpc.ts";
import { MAIN } from "../support/engine.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";

const VERSION = "1.2.3+5";
const OWN = { protocol: PROTOCOL, version: VERSION, pid: 2 };

/** Connects to a listener that answers the handshake with the given value. */
async function connectTo(answer: unknown, sockets = new Set<Socket>()) {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-connect-"));
  const home = homeOf({ COCOSEARCH_HOME: folder });
  const server = createServer((socket) => {
    sockets.add(socket);
    const connection = connectionOver(socket);
    connection.onRequest(handshake, () => answer as never);
    connection.onError(() => undefined);
    connection.listen();
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  });
  await new Promise<void>((listening) => server.listen(home.socket, listening));
  return await connectEngine({ home, version: VERSION, command: ["no program"], env: {} });
}

it.each([VERSION, "99.0.0"])("connectEngine accepts an engine of version %s", async (version) => {
  const connection = await connectTo({ protocol: PROTOCOL, version, pid: 1 });
  await expect(connection.sendRequest(handshake, OWN)).resolves.toMatchObject({ version });
  connection.dispose();
});

it("A client disconnects from an engine that sends an invalid header", async () => {
  const sockets = new Set<Socket>();
  const connection = await connectTo({ protocol: PROTOCOL, version: VERSION, pid: 1 }, sockets);
  const [socket] = sockets;
  const ended = new Promise((resolve) => socket?.once("end", () => resolve("ended")));
  socket?.write("Content-Length: many\r\n\r\n");
  expect(await ended).toBe("ended");
  connection.dispose();
});

it("connectEngine reports a newer engine with another protocol and the remedy", async () => {
  const newer = connectTo({ protocol: PROTOCOL + 1, version: "99.0.0", pid: 1 });
  await expect(newer).rejects.toThrow(
    "the running engine is of version 99.0.0 and this program of 1.2.3+5: update this program, or restart the editor that still runs it",
  );
});

it.each<[string, unknown]>([
  ["nothing", null],
  ["an empty record", {}],
  ["no version", { protocol: PROTOCOL, version: "of today", pid: 1 }],
  ["no protocol", { protocol: "2", version: VERSION, pid: 1 }],
  ["a word", "hello"],
])(
  "connectEngine reports another program on the socket that answers with %s",
  async (_, answer) => {
    await expect(connectTo(answer)).rejects.toThrow(/engine\.sock is in use by another program/);
  },
);

it("connectEngine waits for an engine that starts in another container", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-connect-"));
  const home = homeOf({ COCOSEARCH_HOME: folder });
  prepareHome(home);
  takeLock(home.lock)?.release();
  const holder = { pid: 7, startedAt: "1", place: { host: "elsewhere" } };
  writeFileSync(join(home.lock, "1"), JSON.stringify(holder));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const connection = connectionOver(socket);
    connection.onRequest(handshake, () => OWN);
    connection.listen();
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const connecting = connectEngine({ home, version: VERSION, command: ["no program"], env: {} });
  // The first attempt has failed by now, because the socket did not exist.
  await new Promise<void>((listening) => server.listen(home.socket, listening));
  const connection = await connecting;
  await expect(connection.sendRequest(handshake, OWN)).resolves.toEqual(OWN);
  connection.dispose();
});

leaveNothingBehind();

it.skipIf(process.platform !== "linux")(
  "connectEngine does not start an engine with a low limit of open files, and reports the remedy",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "cocosearch-limit-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const env = { ...process.env, COCOSEARCH_HOME: folder };
    const command = `ulimit -n 64; exec "${process.execPath}" "${MAIN}" list`;
    const { status, stderr } = spawnSync("sh", ["-c", command], { env, encoding: "utf8" });
    expect(status).toBe(3);
    expect(stderr).toContain("may open only 64 files at once");
    expect(stderr).toContain("ulimit -n 1024");
  },
);
