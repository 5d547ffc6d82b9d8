/** A client that closes only one of the server's pipes: the server notices, and nothing of ours is left. */

import { expect, it, onTestFinished } from "vitest";
import { testEngine } from "../support/engine.ts";
import { isRunning, type LspClient, startServer } from "../support/lsp-client.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { workspace } from "../support/workspace.ts";

/** Several servers start at once; a busy machine may take thirty times as long. */
const TIMEOUT_MS = 120_000;

const TIMES = 3;

it.each<[string, (client: LspClient) => void]>([
  ["stdin", ({ child }) => void child.stdin?.end()],
  [
    "stdout",
    ({ child, connection }) => {
      child.stdout?.destroy();
      // Only a write detects that the pipe has no reader.
      void connection.sendRequest("cocosearch/status").catch(() => undefined);
    },
  ],
])(
  `is gone when its %s is closed, ${TIMES} times`,
  async (_, close) => {
    const engine = testEngine();
    onTestFinished(() => engine.dispose());
    const root = workspace(SMALL_SHOP);
    const clients = Array.from({ length: TIMES }, () => startServer(engine.env));
    onTestFinished(() => clients.forEach(({ child }) => void child.kill("SIGKILL")));
    await Promise.all(
      clients.map(async (client) => {
        await client.initialize(root);
        await client.progressEnded();
      }),
    );

    clients.forEach(close);
    await Promise.all(clients.map(({ exited }) => exited));
    expect(clients.filter(({ child }) => isRunning(child.pid ?? 0))).toEqual([]);
    await engine.left();
  },
  TIMEOUT_MS,
);
