/**
 * Damage to a stored index without missing files: detected at opening, reported, and repaired.
 * @module-tag slow
 */

import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import { tablesOf } from "../../server/store/names.ts";
import { PgliteDatabase } from "../../server/store/pglite.ts";
import { copyEmptyDatabase } from "../support/empty-database.ts";
import { openEngine } from "../support/engine-in-process.ts";
import { until } from "../support/lsp-client.ts";
import { sampleTree } from "../support/sample-tree.ts";

const QUESTION = { query: "parse a string as an email address" };
const PAGE = 8_192;
const TIMEOUT_MS = 240_000;

const folder = mkdtempSync(join(tmpdir(), "cocosearch-damage-"));
const clean = join(folder, "clean");
/** The files of tables and indexes, by their content. */
const files: Record<string, string> = {};
let root = "";
let expected: unknown;

beforeAll(async () => {
  root = join(folder, "tree");
  sampleTree(root);
  copyEmptyDatabase(clean);
  expected = await visit(clean, async (session) => {
    await session.whenIdle();
    return await look(session);
  });
  cpSync(join(folder, "lanes"), join(folder, "clean-lanes"), { recursive: true });
  const database = new PgliteDatabase({ directory: clean, log: silent });
  const { chunks, vectors, files: fileTable } = tablesOf("tree");
  const relations = {
    chunks,
    vectors,
    files: fileTable,
    catalog: "cocosearch_indexes",
    key: chunks.replace(/"$/, '_pkey"'),
  };
  for (const [name, relation] of Object.entries(relations)) {
    const [row] = await database.query<{ path: string }>(
      `select pg_relation_filepath('${relation}') as path`,
    );
    files[name] = row?.path ?? "";
  }
  await database.query("checkpoint");
  await database.close();
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true }));

async function visit<T>(data: string, run: (session: Session) => Promise<T>): Promise<T> {
  const engine = openEngine(data);
  try {
    const session = engine.session();
    await session.openFolders([root]);
    return await run(session);
  } finally {
    await engine.close();
  }
}

/** The size of the index and its search results, once it is ready. */
async function look(session: Session) {
  return await until("the index", async () => {
    const { state, indexes } = await session.status();
    if (state !== "ready" || (indexes[0]?.chunks ?? 0) === 0) return undefined;
    const { name, files: count, chunks, pending } = indexes[0] ?? {};
    const { hits } = await session.search(QUESTION);
    // Importers are counted in the background; no search waits for them.
    const uncounted = hits.map(({ importers: _importers, ...hit }) => hit);
    return { name, count, chunks, pending, hits: uncounted };
  });
}

const overwrite = (file: string, page: number, byte: number) => {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(PAGE, byte), 0, PAGE, page * PAGE);
  closeSync(descriptor);
};
const cut = (file: string) => truncateSync(file, Math.floor(statSync(file).size / PAGE / 2) * PAGE);

it.each<[string, string, (file: string) => void]>([
  ["a page of its chunks is empty", "chunks", (file) => overwrite(file, 1, 0)],
  ["a page of its chunks is garbage", "chunks", (file) => overwrite(file, 1, 0xa5)],
  ["half of its chunks are gone", "chunks", cut],
  ["all of its chunks are gone", "chunks", (file) => truncateSync(file, 0)],
  ["half of its vectors are gone", "vectors", cut],
  ["its files are gone", "files", (file) => truncateSync(file, 0)],
  ["the catalog is gone", "catalog", (file) => truncateSync(file, 0)],
  ["an index's page is garbage", "key", (file) => overwrite(file, 1, 0xa5)],
])(
  "A damaged index is repaired with a notice if %s",
  async (_, what, damage) => {
    const data = join(folder, "damaged");
    rmSync(data, { recursive: true, force: true });
    cpSync(clean, data, { recursive: true });
    // Lanes from a snapshot hide the damage from searches.
    cpSync(join(folder, "clean-lanes"), join(folder, "lanes"), { recursive: true });
    damage(join(data, files[what] ?? ""));
    const [found, { warnings }] = await visit(data, async (session) => {
      return [await look(session), await session.status()];
    });
    expect(found).toEqual(expected);
    // Vectors are rebuilt without a notice, unless the database failed on them.
    expect(warnings.length).toBeGreaterThanOrEqual(what === "vectors" ? 0 : 1);
    expect(warnings.filter((warning) => !warning.includes("damaged"))).toEqual([]);
  },
  TIMEOUT_MS,
);
