/** An index whose vectors come from a service: pending, down, back again, moved files, another model. */

import { renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import type { EmbeddingProgress, Session, SessionEvent } from "../../server/contracts/session.ts";
import { embeddingServer } from "../support/embedding-server.ts";
import { engineInProcess, openEngine } from "../support/engine-in-process.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { workspace, write } from "../support/workspace.ts";

/** The engine of all tests that do not restart it. */
const shared = engineInProcess();
afterAll(() => shared.dispose());

/** The engine keeps vectors by model and text, so each test has a model of its own. */
let models = 0;

async function service() {
  const server = await embeddingServer();
  onTestFinished(() => server.close());
  const model = `m${models++}`;
  const open = async (
    root: string,
    settings = {},
    { engine = shared.engine, onEvent = (_event: SessionEvent) => {} } = {},
  ) => {
    const session = engine.session();
    onTestFinished(() => session.dispose());
    session.onEvent(onEvent);
    await session.configure({
      "embedding.provider": "openai",
      "embedding.baseUrl": server.url,
      "embedding.model": model,
      ...settings,
    });
    await session.openFolders([root]);
    await session.whenIdle();
    return session;
  };
  return { server, open, model };
}

async function pendingIn(session: Session): Promise<number> {
  const [index] = (await session.status()).indexes;
  return index?.pending ?? -1;
}

it("every chunk is embedded once, also after its file moves", async () => {
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

it("the built-in model answers while the service is down, and after a restart, until it has embedded the index", async () => {
  const { server, open, model } = await service();
  const first = engineInProcess();
  server.fail("server error");
  const root = workspace(SMALL_SHOP);
  await open(root, {}, { engine: first.engine });
  await first.engine.close();
  const engine = openEngine(first.data);
  onTestFinished(async () => {
    await engine.close();
    await first.dispose();
  });
  const session = await open(root, {}, { engine });
  const down = await session.search({ query: "database connection", hybrid: false });
  expect(down).toMatchObject({ mode: "semantic", state: "degraded" });
  expect(down.hits[0]?.path).toBe("src/pool.py");
  const status = await session.status();
  expect(down.warnings).toEqual([status.reason]);
  expect(status.reason).toMatch(/^the built-in model answers until the index is embedded: /);
  expect(status.indexes[0]).toMatchObject({ model: `openai:${model}`, pending: 2 });
  expect(status.indexes[0]?.substitute).toMatch(/^builtin:/);
  server.fail("none");
  while ((await pendingIn(session)) > 0) await session.whenIdle();
  const back = await session.search({ query: "where is the token renewed" });
  expect(back.warnings).toEqual([]);
  expect(back.state).toBe("ready");
  expect(server.texts).toContain("where is the token renewed");
  expect((await session.status()).indexes[0]).not.toHaveProperty("substitute");
});

it("a search warns of keyword results if the service fails after everything was embedded", async () => {
  const { server, open } = await service();
  const session = await open(workspace(SMALL_SHOP));
  const told = new Promise<string | undefined>((resolve) => {
    session.onEvent((event) => {
      if (event.kind === "status" && event.state === "degraded") resolve(event.reason);
    });
  });
  server.fail("model not found");
  const { state, warnings, hits } = await session.search({ query: "refresh_token" });
  expect(state).toBe("degraded");
  expect(warnings.join()).toContain("check that the service has the model");
  expect(hits[0]?.path).toBe("src/token.py");
  expect(await told).toMatch(
    /^only keyword search is available: .*check that the service has the model/,
  );
  expect(await session.status()).toMatchObject({
    state: "degraded",
    reason: await told,
    indexes: [{ state: "degraded" }],
  });
  server.fail("none");
  // The next question finds it, or the engine by itself.
  while ((await session.status()).state === "degraded") {
    await session.search({ query: `where is the token renewed ${server.requests}` });
  }
  expect((await session.status()).reason).toBeUndefined();
});

it("an index never mixes two models, and `reindex` embeds with the new one", async () => {
  const { server, open, model } = await service();
  const root = workspace(SMALL_SHOP);
  await (await open(root)).dispose();
  const session = await open(root, { "embedding.model": `${model}-new` });
  const status = await session.status();
  expect(status.indexes[0]?.compatibility).toMatchObject({ kind: "refresh" });
  expect(status.reason).toContain(`embedded with openai:${model}`);
  const { hits, warnings } = await session.search({ query: "pool" });
  expect(hits[0]?.path).toBe("src/pool.py");
  expect(warnings).toEqual([status.reason]);
  await session.reindex({});
  expect((await session.status()).indexes[0]).toMatchObject({
    compatibility: { kind: "usable" },
    model: `openai:${model}-new`,
    pending: 0,
  });
  expect(server.texts.filter((text) => text.startsWith("File: "))).toHaveLength(4);
});

it("`reindex` embeds once more if the service changes the model behind a name", async () => {
  const { server, open } = await service();
  const root = workspace(SMALL_SHOP);
  await (await open(root)).dispose();
  // The service now returns seven dimensions; the index has eight.
  server.fail("wrong dimension");
  write(root, "//- src/queue.py\ndef enqueue_letter(letter): pass\n");
  const changed = await open(root);
  expect((await changed.status()).reason).toContain("a vector of 7 dimensions where 8 were");
  expect((await changed.search({ query: "enqueue_letter" })).hits[0]?.path).toBe("src/queue.py");
  await changed.dispose();

  const session = await open(root);
  await session.reindex({ full: true });
  expect(await session.status()).toMatchObject({ state: "ready" });
  expect(await pendingIn(session)).toBe(0);
  const { hits, warnings } = await session.search({ query: "where is the pool opened" });
  expect(warnings).toEqual([]);
  expect(hits[0]?.matchType).not.toBe("keyword");
  const chunksSent = () => server.texts.filter((text) => text.startsWith("File: ")).length;
  const sent = chunksSent();
  await session.reindex({ full: true });
  expect(await pendingIn(session)).toBe(0);
  expect(chunksSent()).toBe(sent);
});

it("a search by index name warns that the index uses another model", async () => {
  const { open, model } = await service();
  const first = await open(workspace(SMALL_SHOP));
  const name = (await first.status()).indexes[0]?.name ?? "";
  await first.dispose();
  // Closes the unused index.
  await shared.engine.freeMemory();
  const session = await open(workspace(SMALL_SHOP), { "embedding.model": `${model}-new` });
  const { hits, warnings } = await session.search({ query: "pool", indexes: [name] });
  expect(hits[0]?.path).toBe("src/pool.py");
  expect(warnings.join()).toMatch(
    new RegExp(
      `^the index ${name} was embedded with openai:${model}, but the settings name openai:${model}-new`,
    ),
  );
});

/** Three functions, each a chunk of its own. */
const shopFile = (last: string) =>
  ["open", "close", last].map((name) => `def ${name}():\n    return "${name}"\n`).join("\n");

const LATE = {
  "embedding.dialect": "jina",
  "embedding.context": "late",
  "embedding.model": "jina-embeddings-v3",
  "indexing.chunkStrategy": "semantic",
};

it("with late chunking, a change of one line embeds exactly that file, as a whole", async () => {
  const { server, open } = await service();
  const root = workspace(`//- src/a.py\n${shopFile("fetch")}\n//- src/b.py\n${shopFile("read")}`);
  const session = await open(root, LATE);
  expect(await pendingIn(session)).toBe(0);
  // Without the request that asks for the number of dimensions.
  const inputs = () =>
    server.bodies.map(({ input }) => input as string[]).filter(([text]) => text !== "probe");
  expect(inputs()).toHaveLength(2);
  expect(server.bodies.every((body) => body["late_chunking"] === true)).toBe(true);
  const before = inputs().find((input) => input.join("").includes("fetch"));
  expect(before).toHaveLength(3);

  write(root, `//- src/a.py\n${shopFile("fetch").replace('"fetch"', '"fetched"')}`);
  await session.reindex({});
  expect(await pendingIn(session)).toBe(0);
  expect(inputs()).toHaveLength(3);
  expect(inputs()[2]?.slice(0, 2)).toEqual(before?.slice(0, 2));
  expect(inputs()[2]?.[2]).toContain('"fetched"');
});

it("switching the context embeds everything again, and never mixes", async () => {
  const { server, open } = await service();
  const root = workspace(`//- src/a.py\n${shopFile("load")}`);
  await (await open(root, LATE)).dispose();
  expect(server.bodies).toHaveLength(1);
  const session = await open(root, { ...LATE, "embedding.context": "header" });
  expect((await session.status()).indexes[0]?.compatibility).toMatchObject({ kind: "refresh" });
  // Until it is embedded again, no question is compared with vectors of another context.
  await session.search({ query: "where is it fetched" });
  expect(server.bodies).toHaveLength(1);
  await session.reindex({});
  expect((await session.status()).indexes[0]).toMatchObject({
    compatibility: { kind: "usable" },
    model: "jina:jina-embeddings-v3:header",
    pending: 0,
  });
  const again = server.bodies.at(-1);
  expect(again).not.toHaveProperty("late_chunking");
  expect((again?.["input"] as string[] | undefined)?.[0]).toMatch(
    /^File: src\/a\.py\nLanguage: python\n/,
  );
});

it("doctor shows the tokens used and the throughput", async () => {
  const { open } = await service();
  const session = await open(workspace(SMALL_SHOP));
  const found = (await session.doctor()).find(({ what }) => what.startsWith("embedding tokens"));
  expect(found?.detail).toMatch(/^14 tokens embedded, [\d,]+ per second$/);
});

it("progress shows estimated tokens first, then used tokens", async () => {
  const { server, open } = await service();
  // A batch of chunks takes longer than the time between two events.
  server.delayMs = 100;
  const files = Array.from(
    { length: 300 },
    (_, n) => `//- src/f${n}.py\ndef load_${n}():\n    pass`,
  );
  const told: EmbeddingProgress[] = [];
  const onEvent = (event: SessionEvent) => {
    if (event.kind === "progress" && event.embedding !== undefined) told.push(event.embedding);
  };
  await open(workspace(files.join("\n")), {}, { onEvent });
  expect(told[0]).toEqual({ tokens: 0, tokensPerSecond: 0, remainingTokens: 90_000 });
  expect(told[1]?.tokens).toBe(128 * 7);
  expect(told[1]?.remainingTokens).toBe((300 - 128) * 7);
});

it("doctor estimates the remaining tokens to embed", async () => {
  const { server, open } = await service();
  server.fail("server error");
  const session = await open(workspace(SMALL_SHOP));
  const found = (await session.doctor()).find(({ what }) => what.startsWith("embedding tokens"));
  expect(found?.detail).toBe("about 600 tokens to embed");
});
