/**
 * Secrets of many kinds are planted in a workspace and in an open buffer: none is stored, sent, logged or shown; all are counted.
 * @module-tag slow
 */

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import { isSecretFile } from "../../server/indexing/secrets/secret-files.ts";
import { PgliteDatabase } from "../../server/store/pglite.ts";
import { createDatabase, dropDatabase, NO_POSTGRES } from "../support/databases.ts";
import { type EmbeddingServer, embeddingServer } from "../support/embedding-server.ts";
import { type TestEngine, testEngine } from "../support/engine.ts";
import { type Planted, plantedSecrets } from "../support/planted-secrets.ts";
import { workspace } from "../support/workspace.ts";

const PLANTED = plantedSecrets();
const IN_TEXT = PLANTED.filter(({ path }) => !isSecretFile(path));
const IN_FILES = PLANTED.filter(({ path }) => isSecretFile(path));

/** A part is as bad as the whole; shorter ones occur in other words by chance. */
const PART = 12;
const PARTS = PLANTED.map(({ kind, secret }) => ({ kind, parts: partsOf(secret) }));
const ALL_PARTS = new Set(PARTS.flatMap(({ parts }) => parts));
const LENGTHS = [...new Set([...ALL_PARTS].map((part) => part.length))];
/** The bytes of a database are mostly zeros: only its texts are searched. */
const TEXTS = /[\t\n\r -~]{6,}/g;
/** Found, so that the search for the others is one that finds. */
const HARMLESS = "harmless_function_of_the_shop";

/** The kinds with a part in the text, ignoring case: words are also stored in lower case. */
function leaks(text: string): string[] {
  const found = new Set<string>();
  // Once for all parts: to look for each of the 750 takes four times as long.
  for (const each of new Set(text.match(TEXTS)?.map((piece) => piece.toLowerCase()))) {
    for (const length of LENGTHS) {
      for (let at = 0; at + length <= each.length; at++) {
        const part = each.slice(at, at + length);
        if (ALL_PARTS.has(part)) found.add(part);
      }
    }
  }
  return PARTS.filter(({ parts }) => parts.some((part) => found.has(part))).map(({ kind }) => kind);
}

function partsOf(secret: string): string[] {
  const most = Math.max(1, secret.length - PART + 1);
  const starts = Array.from({ length: Math.ceil(most / 6) }, (_, i) => i * 6);
  return starts.map((start) => secret.slice(start, start + PART).toLowerCase());
}

function plant(root: string, { path, content }: Planted): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

async function everyRow(
  query: (sql: string) => Promise<Record<string, unknown>[]>,
): Promise<string> {
  const tables = await query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await query(`select t::text as row from ${String(name)} t`);
    texts.push(...rows.map(({ row }) => String(row)));
  }
  return texts.join("\n");
}

/** All bytes of all files, the log of the transactions included. */
function everyByte(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

interface Where {
  readonly name: string;
  readonly missing: string | undefined;
  readonly lanes?: "memory" | "sql";
  url(): Promise<string>;
  rows(engine: TestEngine, url: string): Promise<string>;
}

const STORES: readonly Where[] = [
  {
    name: "the built-in database",
    missing: undefined,
    url: async () => "",
    rows: async ({ home }) => {
      const database = new PgliteDatabase({
        directory: home.data,
        log: silent,
        prepare: async () => undefined,
        notify: () => undefined,
      });
      try {
        return await everyRow((sql) => database.query(sql));
      } finally {
        await database.close();
      }
    },
  },
  {
    // The built-in database has lanes in memory.
    name: "a native Postgres, with lanes in sql",
    lanes: "sql",
    missing: NO_POSTGRES,
    url: async () => {
      const url = await createDatabase();
      onTestFinished(() => dropDatabase(url));
      return url;
    },
    rows: async (_, url) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return await everyRow(async (sql) => (await client.query(sql)).rows);
      } finally {
        await client.end();
      }
    },
  },
];

it("every secret is of characters that are searched for", () => {
  expect([...ALL_PARTS].filter((part) => part.match(TEXTS)?.[0] !== part)).toEqual([]);
});

describe.each(STORES)("with $name", ({ missing, lanes = "memory", url: open, rows }) => {
  let server: EmbeddingServer;
  beforeAll(async () => {
    server = await embeddingServer();
  });
  afterAll(() => server.close());

  it.skipIf(missing !== undefined)(
    `${PLANTED.length} kinds of secrets do not leak`,
    async () => {
      const root = workspace(`//- src/shop.py\ndef ${HARMLESS}():\n    return 1\n`);
      for (const each of PLANTED) plant(root, each);
      const url = await open();
      // The empty database is in its files too: one that is not used is not made.
      const engine = testEngine({ COCOSEARCH_LOG_LEVEL: "debug" }, { isNew: url !== "" });
      const session: Session = engine.session();
      let isDisposed = false;
      onTestFinished(async () => {
        if (!isDisposed) await engine.dispose();
      });
      const events: unknown[] = [];
      session.onEvent((event) => events.push(event));
      await session.configure({
        "embedding.provider": "openai",
        "embedding.baseUrl": server.url,
        "embedding.apiKey": "key-of-the-user",
        "database.url": url,
        "search.lanes": lanes,
      });
      await session.openFolders([root]);
      await session.whenIdle();

      // Unsaved text is searched by its own client, but neither stored nor shown to other clients.
      const typed = IN_TEXT.map(({ content }) => content).join("\n\n");
      await session.buffer(
        join(root, "src/shop.py"),
        `def ${HARMLESS}():\n    return 1\n\n\n${typed}`,
      );
      await session.buffer(join(root, "src/new.py"), typed);
      for (const { path, content } of IN_FILES) await session.buffer(join(root, path), content);

      const said: unknown[] = [];
      for (const query of [
        HARMLESS,
        "token password key login",
        ...PLANTED.map(({ secret }) => secret.slice(0, 8)),
      ]) {
        const request = { query, limit: 50, includeText: true };
        said.push((await session.search(request)).hits);
        // The analysis repeats the query as it was sent.
        if (query === HARMLESS) said.push(await session.analyze({ ...request, explain: true }));
      }
      const status = await session.status();
      const excluded = await session.excluded(root, 10_000);
      said.push(status, excluded, events, await session.list(), await session.doctor());
      for (const { path } of PLANTED) said.push(await session.why(join(root, path)));

      expect(leaks(JSON.stringify(said))).toEqual([]);
      expect(server.texts.join("\n")).toContain(HARMLESS);
      expect(leaks(server.texts.join("\n"))).toEqual([]);

      // Counted and listed by file and rule.
      const [index] = status.indexes;
      expect(index?.excluded["secret file"]).toBeGreaterThan(IN_FILES.length - 10);
      expect(index?.secrets).toBeGreaterThanOrEqual(IN_TEXT.length);
      const withheld = excluded.filter(({ rule }) =>
        /^\d+ chunks? redacted for a secret$/.test(rule),
      );
      expect(withheld.map(({ path }) => path).toSorted()).toEqual(
        IN_TEXT.map(({ path }) => path).toSorted(),
      );

      // All its files are written by the end.
      await session.dispose();
      await engine.left();
      const stored = await rows(engine, url);
      expect(stored).toContain(HARMLESS);
      expect(leaks(stored)).toEqual([]);
      expect(leaks(everyByte(engine.home.root))).toEqual([]);
      const log = readFileSync(engine.home.log, "utf8");
      expect(log).not.toContain("key-of-the-user");
      isDisposed = true;
      await engine.dispose();
    },
    300_000,
  );
});
