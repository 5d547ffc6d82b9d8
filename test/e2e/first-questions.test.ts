/** The first questions of an editor, right after `initialize`, about a workspace whose index is stored and not open. */

import { expect, it, onTestFinished } from "vitest";
import { testEngine } from "../support/engine.ts";
import { startServer } from "../support/lsp-client.ts";
import { SHOP } from "../support/shops.ts";
import { workspace } from "../support/workspace.ts";

it("answers the first questions from the stored index", async () => {
  const root = workspace(SHOP);
  const engine = testEngine();
  const indexing = engine.session();
  await indexing.openFolders([root]);
  await indexing.whenIdle();
  await indexing.dispose();
  await engine.left();
  const server = startServer(engine.env);
  onTestFinished(async () => {
    server.child.kill();
    await engine.dispose();
  });
  await server.initialize(root);
  const [symbols, answer] = await Promise.all([
    server.symbols("open_connection"),
    server.search("open_connection"),
  ]);
  expect(symbols[0]?.name).toBe("open_connection");
  expect(answer.hits[0]?.symbol?.name).toBe("Pool.open_connection");
  expect(answer.warnings).toEqual([]);
});
