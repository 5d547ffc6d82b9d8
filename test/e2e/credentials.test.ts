/** Passwords and API keys do not leak when their service fails: no log, status, error or process title contains them. */

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { PartialSettings } from "../../server/contracts/settings.ts";
import { administer, createDatabase, dropDatabase, NO_POSTGRES } from "../support/databases.ts";
import { type EmbeddingServer, embeddingServer } from "../support/embedding-server.ts";
import { sharedEngine, testEngine } from "../support/engine.ts";
import { startServer, until } from "../support/lsp-client.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { workspace } from "../support/workspace.ts";

const SECRET = "hunter2-and-more";
const FORMS = [SECRET, encodeURIComponent(SECRET), Buffer.from(`me:${SECRET}`).toString("base64")];

const engine = sharedEngine({ COCOSEARCH_LOG_LEVEL: "debug", COCOSEARCH_DATABASE_URL: "" });

/** Everything that a user or a reader of logs can see of an engine with these settings, and of a client of it. */
async function visible(settings: PartialSettings): Promise<string> {
  const session = engine.session();
  const said: unknown[] = [];
  session.onEvent((event) => said.push(event));
  const ask = async (what: () => Promise<unknown>) => {
    try {
      said.push(await what());
    } catch (error) {
      said.push(error instanceof Error ? [error.message, error.stack] : error);
    }
  };
  await ask(() => session.configure(settings));
  await ask(() => session.openFolders([workspace(SMALL_SHOP)]));
  await ask(() => session.whenIdle());
  await ask(() => session.search({ query: "where is the pool opened" }));
  await ask(() => session.analyze({ query: "where is the pool opened" }));
  await ask(() => session.doctor());
  await ask(() => session.list());
  await ask(() => session.status());
  const { pid } = (await session.status()).engine;
  if (process.platform === "linux") said.push(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  await session.dispose();
  const log = readFileSync(engine.home.log, "utf8");
  return `${JSON.stringify(said)}\n${log}`;
}

function expectNone(text: string): void {
  for (const form of FORMS) expect(text).not.toContain(form);
}

describe("a password of a database", () => {
  it.each([
    ["that is not there", `postgresql://me:${SECRET}@127.0.0.1:9/shop`],
    ["whose host is unknown", `postgresql://me:${SECRET}@nowhere.invalid/shop`],
    ["given as a parameter", `postgresql://127.0.0.1:9/shop?user=me&password=${SECRET}`],
    ["with a broken escape", `postgresql://me:${SECRET}%zz@127.0.0.1:9/shop`],
    [
      "whose certificate is missing",
      `postgresql://me:${SECRET}@127.0.0.1:9/shop?sslmode=verify-full&sslrootcert=/no/such.pem`,
    ],
    ["whose URL is none", `postgresql://me:${SECRET}@[/shop`],
  ])(
    "%s does not leak",
    async (_, url) => {
      const text = await visible({ "database.url": url });
      expect(text).toContain("database");
      expectNone(text);
    },
    120_000,
  );

  it.skipIf(NO_POSTGRES !== undefined)(
    "a wrong password does not leak",
    async ({ skip }) => {
      const database = await createDatabase();
      onTestFinished(() => dropDatabase(database));
      await administer("drop role if exists locked");
      await administer("create role locked login password 'right'");
      onTestFinished(() => administer("drop role if exists locked"));
      const url = new URL(database);
      url.username = "locked";
      url.password = SECRET;
      const text = await visible({ "database.url": url.href });
      if (!text.includes("password authentication failed"))
        skip("this Postgres accepts any password");
      expect(text).toContain("check user and password in COCOSEARCH_DATABASE_URL");
      expectNone(text);
    },
    120_000,
  );
});

describe("a key of an embedding service", () => {
  let server: EmbeddingServer;
  beforeAll(async () => {
    server = await embeddingServer();
    server.fail("unauthorized");
  });
  afterAll(() => server.close());

  it.each<[string, (url: string) => PartialSettings]>([
    [
      "that refuses and repeats it",
      (url) => ({ "embedding.baseUrl": url, "embedding.apiKey": SECRET }),
    ],
    [
      "given in its address",
      (url) => ({ "embedding.baseUrl": url.replace("//", `//me:${SECRET}@`) }),
    ],
    ["given as a parameter", (url) => ({ "embedding.baseUrl": `${url}?key=${SECRET}` })],
    [
      "that is not there",
      () => ({ "embedding.baseUrl": `http://me:${SECRET}@127.0.0.1:9/v1?key=${SECRET}` }),
    ],
  ])(
    "%s does not leak",
    async (_, settings) => {
      for (const provider of ["openai", "ollama"] as const) {
        const text = await visible({ "embedding.provider": provider, ...settings(server.url) });
        expect(text).toContain("embed");
        expectNone(text);
      }
    },
    240_000,
  );
});

it("neither process of a server shows the values of the environment", async () => {
  const own = testEngine({
    COCOSEARCH_DATABASE_URL: `postgresql://me:${SECRET}@127.0.0.1:9/shop`,
    COCOSEARCH_EMBEDDING_API_KEY: SECRET,
    COCOSEARCH_LOG_LEVEL: "debug",
  });
  const server = startServer(own.env);
  onTestFinished(async () => {
    server.child.kill();
    await own.dispose();
  });
  const told: unknown[] = [];
  server.connection.onUnhandledNotification((message) => told.push(message));
  await server.initialize(workspace(SMALL_SHOP), {
    initializationOptions: {
      "embedding.apiKey": `${SECRET}-2`,
      "database.url": `mysql://me:${SECRET}@x/y`,
    },
  });
  const status = await until("the reason", async () => {
    const found = await server.status();
    return found.state === "unavailable" ? found : undefined;
  });
  const titles = [server.child.pid, status.engine?.pid].map((pid) =>
    process.platform === "linux" ? readFileSync(`/proc/${pid}/cmdline`, "utf8") : "",
  );
  const text = JSON.stringify([told, status, titles]) + readFileSync(own.home.log, "utf8");
  expect(text).toContain("127.0.0.1:9/shop");
  expectNone(text);
});
