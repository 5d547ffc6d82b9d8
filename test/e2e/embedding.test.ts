/** An index whose vectors come from a service: pending, down, back again, moved files, another model. */

import { renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished } from "vitest";
import type { Session } from "../../server/contracts/session.ts";
import { embeddingServer } from "../support/embedding-server.ts";
import { testEngine } from "../support/engine.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { workspace, write } from "../support/workspace.ts";

let dispose: () => Promise<void> = async () => undefined;
afterEach(() => dispose());

async function service() {
  const server = await embeddingServer();
  onTestFinished(() => server.close());
  const engine = testEngine();
  dispose = () => engine.dispose();
  const open = async (root: string, settings = {}) => {
    const session = engine.session();
    await session.configure({
      "embedding.provider": "openai",
      "embedding.baseUrl": server.url,
      "embedding.model": "m",
      ...settings,
    });
    await session.openFolders([root]);
    await session.whenIdle();
    return session;
  };
  return { server, open };
}

async function pendingIn(session: Session): Promise<number> {
  const [index] = (await session.status()).indexes;
  return index?.pending ?? -1;
}

it("embeds every chunk once, and nothing again for a file that was moved", async () => {
  const { server, open } = await service();
  const root = workspace(SMALL_SHOP);
  const session = await open(root);
  expect(await pendingIn(session)).toBe(0);
  const sent = server.texts.length;
  expect(sent).toBe(2);
  renameSync(join(root, "src/pool.py"), join(root, "src/database.py"));
  await session.reindex({});
  const { hits } = await session.search({ query: "open_pool" });
  expect(hits[0]?.path).toBe("src/database.py");
  expect(await pendingIn(session)).toBe(0);
  expect(server.texts.filter((text) => text.startsWith("File: "))).toHaveLength(sent);
});

it("finds by words while the service is down, says so, and embeds when it is back", async () => {
  const { server, open } = await service();
  server.fail("server error");
  const session = await open(workspace(SMALL_SHOP));
  const down = await session.search({ query: "refresh_token" });
  expect(down.hits[0]?.path).toBe("src/token.py");
  expect(down.warnings.join()).toContain("does not embed");
  expect(down.state).toBe("degraded");
  expect(await pendingIn(session)).toBe(2);
  server.fail("none");
  while ((await pendingIn(session)) > 0) await session.whenIdle();
  const back = await session.search({ query: "where is the token renewed" });
  expect(back.warnings).toEqual([]);
  expect(back.state).toBe("ready");
});

it.each(["wrong count", "not a number", "all zero"] as const)(
  "stores nothing of an answer with: %s",
  async (fault) => {
    const { server, open } = await service();
    server.fail(fault);
    const session = await open(workspace(SMALL_SHOP));
    expect(await pendingIn(session)).toBe(2);
    expect((await session.status()).state).toBe("degraded");
  },
);

it("does not mix two models: it says so, and embeds again when asked", async () => {
  const { server, open } = await service();
  const root = workspace(SMALL_SHOP);
  await (await open(root)).dispose();
  const session = await open(root, { "embedding.model": "other" });
  const status = await session.status();
  expect(status.indexes[0]?.compatibility).toMatchObject({ kind: "refresh" });
  expect(status.reason).toContain("embedded with openai:m");
  expect((await session.search({ query: "pool" })).hits[0]?.path).toBe("src/pool.py");
  await session.reindex({});
  expect((await session.status()).indexes[0]).toMatchObject({
    compatibility: { kind: "usable" },
    model: "openai:other",
    pending: 0,
  });
  expect(server.texts.filter((text) => text.startsWith("File: "))).toHaveLength(4);
});

it("sends no secret to the service, and keeps none", async () => {
  const { server, open } = await service();
  const root = workspace(SMALL_SHOP);
  const token = ["ghp", "aB3d".repeat(9)].join("_");
  write(root, `//- src/leak.py\nTOKEN = "${token}"\n//- .env\nKEY=${token}\n`);
  const session = await open(root);
  expect(JSON.stringify(server.texts)).not.toContain(token);
  expect((await session.search({ query: token })).hits.map(({ path }) => path)).not.toContain(
    "src/leak.py",
  );
});
