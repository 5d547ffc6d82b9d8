/** A folder of real sources, and engines whose index of it is compared with a clean one. */

import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type TestEngine, testEngine } from "./engine.ts";
import { type LspClient, startServer } from "./lsp-client.ts";
import { embeddedRows, postgresRows, type Rows } from "./rows.ts";

const SOURCES = resolve(import.meta.dirname, "../../node_modules/zod/src");

/** 136 files of real code; the tests of the package are left out. */
export function sourceTree(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-work-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  cpSync(SOURCES, root, { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
  return root;
}

/** An engine, and the database that holds its index. */
export interface Place {
  readonly engine: TestEngine;
  /** Brings the index of a folder up to date, without starting over. */
  settle(root: string): Promise<void>;
  /** Once the engine has left. */
  rows(): Promise<Rows>;
  /** A server as an editor starts it, on a folder. */
  edit(root: string): Promise<LspClient>;
}

/** An empty URL means the built-in database. */
export function place(url: string): Place {
  const engine = testEngine({ COCOSEARCH_DATABASE_URL: url });
  onTestFinished(() => engine.dispose());
  return {
    engine,
    settle: async (root) => {
      const session = engine.session();
      await session.configure({ "database.url": url });
      await session.openFolders([root]);
      await session.whenIdle();
      await session.dispose();
    },
    rows: async () => {
      await engine.end();
      return url === "" ? await embeddedRows(engine) : await postgresRows(url);
    },
    edit: async (root) => {
      const client = startServer(engine.env);
      onTestFinished(() => void client.child.kill("SIGKILL"));
      await client.initialize(root);
      return client;
    },
  };
}

/** Both engines must have lost their last client. */
export async function expectSameRows(made: Place, clean: Place, root: string): Promise<void> {
  await clean.settle(root);
  const [found, expected] = [await made.rows(), await clean.rows()];
  expect(expected["chunks"]?.length).toBeGreaterThan(0);
  for (const [table, rows] of Object.entries(expected)) {
    expect({ table, rows: found[table] }).toEqual({ table, rows });
  }
}
