/** Texts that the server shows as files: they hold code, and are deleted with the process, however it ends. */

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { testEngine } from "../support/engine.ts";
import { startServer, until } from "../support/lsp-client.ts";
import { SHOP } from "../support/shops.ts";
import { temporaryWorkspace } from "../support/workspace.ts";

it.each(["SIGTERM", "SIGHUP", "SIGINT", undefined] as const)("ended by %s", async (signal) => {
  const engine = testEngine();
  const { root, remove } = temporaryWorkspace(SHOP);
  onTestFinished(async () => {
    await engine.dispose();
    remove();
  });
  const server = startServer(engine.env);
  let shown: string | undefined;
  server.connection.onRequest("window/showDocument", ({ uri }: { uri: string }) => {
    shown = fileURLToPath(uri);
    return { success: true };
  });
  await server.initialize(root, { capabilities: { window: { showDocument: { support: true } } } });
  await server.searchUntil("SendReceipt", () => true);
  const run = { command: "cocosearch.context", arguments: ["SendReceipt"] };
  await server.connection.sendRequest("workspace/executeCommand", run);
  const file = await until("the text", () => shown);
  expect(existsSync(file)).toBe(true);
  if (signal === undefined) await server.shutdown();
  else server.child.kill(signal);
  await server.exited;
  expect(existsSync(file)).toBe(false);
});
