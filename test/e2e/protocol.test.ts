/** The main job as an editor does it: a real server over stdio, a real engine, a workspace on disk. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { CancellationTokenSource, LSPErrorCodes } from "vscode-languageserver/node";
import { testEngine } from "../support/engine.ts";
import { isRunning, type LspClient, startServer, until } from "../support/lsp-client.ts";
import { SHOP } from "../support/shops.ts";
import { workspace } from "../support/workspace.ts";

/** Each test starts a server and an engine; on a busy machine that alone takes a while. */

interface Running {
  readonly server: LspClient;
  readonly root: string;
  /** Waits until the engine has left by itself. */
  left(): Promise<void>;
}

async function running({ isNew = false } = {}): Promise<Running> {
  const root = workspace(SHOP);
  const engine = testEngine({}, { isNew });
  const server = startServer(engine.env);
  onTestFinished(async () => {
    server.child.kill();
    await engine.dispose();
  });
  await server.initialize(root);
  await server.progressEnded();
  return { server, root, left: () => engine.left() };
}

const uriOf = (root: string, path: string) => pathToFileURL(join(root, path)).href;

it("does the main job, from initialize to exit, and leaves nothing behind", async () => {
  const { server, root, left } = await running({ isNew: true });
  const { engine } = await server.status();

  const question = "where are receipts sent to the customer";
  const answer = await server.search(question, { includeText: true });
  expect(answer).toMatchObject({ state: "ready", indexed: 3, total: 3 });
  expect(answer.hits[0]).toMatchObject({
    location: { uri: uriOf(root, "src/mail.go") },
    symbol: { name: "SendReceipt", type: "function" },
    selectionRange: { start: { line: 3, character: 5 } },
    text: expect.stringContaining("smtp.Send"),
  });
  expect((await server.symbols("open_connection"))[0]).toMatchObject({
    name: "open_connection",
    containerName: expect.stringContaining("Pool"),
    location: { uri: uriOf(root, "src/pool.py"), range: { start: { line: 4, character: 8 } } },
  });
  expect((await server.symbols(question))[0]).toMatchObject({ name: "SendReceipt" });

  writeFileSync(join(root, "src/vouchers.py"), "def redeem_voucher(code):\n    return code\n");
  await server.searchUntil("redeem voucher", ({ symbol }) => symbol?.name === "redeem_voucher");

  expect(await server.shutdown()).toBe(0);
  await left();
  await until("the end of the engine's process", () => !isRunning(engine?.pid ?? process.pid));
});

it("a cancelled search ends with RequestCancelled, and the next one is answered", async () => {
  const { server } = await running();
  const source = new CancellationTokenSource();
  // A short query may be answered before the cancellation arrives.
  const query = "receipt ".repeat(100_000 / 8);
  const cancelled = server.connection.sendRequest("cocosearch/search", { query }, source.token);
  source.cancel();
  await expect(cancelled).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled });
  expect((await server.search("receipt")).hits[0]?.symbol?.name).toBe("SendReceipt");
});

describe("the end of a server", () => {
  it("the server ends when its input ends, and so does the engine", async () => {
    const { server, left } = await running();
    server.child.stdin?.end();
    expect(await server.exited).toBe(1);
    await left();
  });

  it("the server ends after `exit` without `shutdown`", async () => {
    const { server } = await running();
    await server.connection.sendNotification("exit");
    expect(await server.exited).toBe(1);
  });
});

it("continues with the next engine when one was killed", async () => {
  const { server } = await running();
  const { engine } = await server.status();
  process.kill(engine?.pid ?? 0, "SIGKILL");
  const next = await until("another engine", async () => {
    const status = await server.status();
    return status.state === "ready" && status.engine?.pid !== engine?.pid ? status : undefined;
  });
  expect(next).toMatchObject({ state: "ready", indexed: 3 });
  expect((await server.search("receipt")).hits[0]?.symbol?.name).toBe("SendReceipt");
  expect(await server.shutdown()).toBe(0);
});
