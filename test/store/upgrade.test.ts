/**
 * An index that version 0.1 stored: opened by this version without rebuilding it, and still readable by that one.
 * @module-tag slow
 */

import { afterEach, describe, expect, it } from "vitest";
import type { FileCommit } from "../../server/contracts/store.ts";
import type { Database } from "../../server/store/database.ts";
import { tablesOf } from "../../server/store/names.ts";
import { DATABASES, type FreshDatabase } from "../support/databases.ts";
import {
  createTablesOf01,
  insertChunkOf01,
  SHARED_TABLES_OF_01,
} from "../support/tables-of-0.1.ts";

const INDEX = { name: "shop", root: "/shop", modelId: "m1", dimension: 3, chunkerVersion: "1" };
const tables = tablesOf(INDEX.name);

/** What 0.1 stored of a file with one chunk. */
async function fillAs01(bare: Database): Promise<void> {
  await bare.query("create extension if not exists vector");
  // A new built-in database is unpacked with the shared tables of this version.
  await bare.query(
    "drop table if exists cocosearch_migrations, cocosearch_indexes, cocosearch_embeddings",
  );
  await bare.query(SHARED_TABLES_OF_01);
  await bare.query(createTablesOf01(INDEX.name));
  await bare.query(
    `insert into cocosearch_indexes (name, root, model_id, dimension, chunker_version, schema_version,
       commit_hash, branch, state) values ('shop', '/shop', 'm1', 3, '1', 3, 'abc', 'main', 'complete')`,
  );
  await bare.query(insertChunkOf01(INDEX.name, "a.py", "def total(): pass"));
  await bare.query(`insert into ${tables.vectors} values ('a.py', int4range(0, 17), '[1,2,3]')`);
  await bare.query(
    `insert into ${tables.files} values ('a.py', 'hash of a.py', 17, 1.5, 'stamp', 'python', 'implementation', 0, 1)`,
  );
  await bare.query(`insert into ${tables.parseResults} values ('a.py', 'python', 'ok', null)`);
}

async function columnsOf(bare: Database, table: string): Promise<string[]> {
  const rows = await bare.query<{ attname: string }>(
    `select attname from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return rows.map(({ attname }) => attname);
}

describe.each(DATABASES)("an index of 0.1 in $name", ({ missing, create }) => {
  describe.skipIf(missing !== undefined)(missing ?? "", () => {
    let database: FreshDatabase;

    /** Runs on the bare database: the built-in one can be open only once at a time. */
    async function withBare<T>(run: (bare: Database) => Promise<T>): Promise<T> {
      const bare = database.openBare();
      try {
        return await run(bare);
      } finally {
        await bare.close();
      }
    }

    async function open01() {
      database = await create();
      await withBare(fillAs01);
      return await database.open();
    }

    afterEach(async () => await database.dispose());

    it("opens with everything that it holds", async () => {
      const store = await open01();
      try {
        const index = await store.open(INDEX);
        expect(await index.record()).toMatchObject({
          schemaVersion: 3,
          state: "complete",
          commit: "abc",
          branch: "main",
        });
        expect(await index.counts()).toMatchObject({ files: 1, chunks: 1, pending: 0 });
        expect(await index.hashes()).toEqual(new Map([["a.py", "hash of a.py"]]));
        expect(await index.statFingerprints()).toEqual(new Map([["a.py", "stamp"]]));
        expect(await index.pathsWithoutFacts()).toEqual(["a.py"]);
        const [chunk] = await index.chunksOf(["a.py"]);
        expect(chunk).toMatchObject({
          words: "def total pass",
          symbols: [{ name: "total" }],
          vector: Float32Array.of(1, 2, 3),
        });
      } finally {
        await store.close();
      }
    });

    it("loses the column that nothing reads, and nothing else", async () => {
      const store = await open01();
      await store.open(INDEX);
      // A second opening finds nothing left to do.
      await store.open(INDEX);
      await store.close();
      await withBare(async (bare) => {
        const columns = await columnsOf(bare, tables.chunks);
        expect(columns).not.toContain("content_tsv");
        expect(columns).toHaveLength(16);
        expect(await columnsOf(bare, tables.view)).toEqual([...columns, "embedding"]);
        const rows = await bare.query(
          `select filename, content_text, embedding::text from ${tables.view}`,
        );
        expect(rows).toEqual([
          { filename: "a.py", content_text: "def total(): pass", embedding: "[1,2,3]" },
        ]);
      });
    });

    it("takes commits of this version, and then those of 0.1", async () => {
      const store = await open01();
      const index = await store.open(INDEX);
      await index.commit([changed()], []);
      expect((await index.chunksOf(["a.py"])).map(({ words }) => words)).toEqual(["def price"]);
      await store.close();
      await withBare((bare) => bare.query(insertChunkOf01(INDEX.name, "b.py", "def old(): pass")));
      const again = await database.open();
      const found = await again.find(INDEX.name);
      expect(await found?.counts()).toMatchObject({ chunks: 2, pending: 1 });
      await again.close();
    });
  });
});

function changed(): FileCommit {
  const lines = { start: 0, end: 0 };
  const text = "def price(): pass";
  return {
    file: {
      path: "a.py",
      sha256: "another hash",
      size: text.length,
      mtimeMs: 2,
      languageId: "python",
      category: "implementation",
      parse: { status: "ok" },
      secrets: 0,
    },
    chunks: [
      {
        span: { start: 0, end: text.length },
        lines,
        text,
        symbols: [],
        context: lines,
        words: "def price",
      },
    ],
    vectors: [Float32Array.of(3, 2, 1)],
  };
}
