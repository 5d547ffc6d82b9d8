/** Everything that is stored, row by row, to compare an index with a clean one of the same tree. */

import { silent } from "../../server/common/log.ts";
import type { Database } from "../../server/store/database.ts";
import { tablesOf } from "../../server/store/names.ts";
import { PgliteDatabase } from "../../server/store/pglite.ts";
import { PostgresDatabase } from "../../server/store/postgres.ts";
import type { TestEngine } from "./engine.ts";

/** The catalog's row without its times and its installation, and all rows of the index's tables, as text, sorted. */
export type Rows = Readonly<Record<string, readonly string[]>>;

/** When a file was last seen differs between two indexes of one tree. */
const NOT_COMPARED: Readonly<Record<string, string>> = {
  catalog: "- 'created_at' - 'updated_at' - 'installation' - 'lender'",
  files: "- 'mtime' - 'stamp'",
};

/** The rows of the built-in database in a home, once its engine has left. */
export async function embeddedRows({ home, left }: TestEngine): Promise<Rows> {
  await left();
  return await rowsIn(home.data);
}

/** The rows of the built-in database in a folder, which no engine has open. */
export async function rowsIn(directory: string, root?: string): Promise<Rows> {
  return await readAll(new PgliteDatabase({ directory, log: silent }), root);
}

export async function postgresRows(url: string, root?: string): Promise<Rows> {
  return await readAll(new PostgresDatabase(url, silent), root);
}

/** The rows of the index of a root, or of the only index in a database. */
async function readAll(database: Database, root?: string): Promise<Rows> {
  try {
    const [index, ...others] = await database.query<{ name: string }>(
      "select name from cocosearch_indexes where $1::text is null or root = $1::text",
      [root ?? null],
    );
    if (index === undefined || others.length > 0) throw new Error("there is not exactly one index");
    const { chunks, vectors, files, parseResults, tracking, dependencies } = tablesOf(index.name);
    const own = { chunks, vectors, files, parseResults, tracking, dependencies };
    const catalog = `(select * from cocosearch_indexes where name = '${index.name}')`;
    const tables = { catalog, ...own };
    const rows: Record<string, string[]> = {};
    for (const [name, table] of Object.entries(tables)) {
      const found = await database.query<{ row: string }>(
        `select (to_jsonb(t) ${NOT_COMPARED[name] ?? ""})::text as row from ${table} t`,
      );
      rows[name] = found.map(({ row }) => row).toSorted();
    }
    return rows;
  } finally {
    await database.close();
  }
}
