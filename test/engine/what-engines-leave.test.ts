/**
 * The data that an engine stores when it ends while a folder is open: a snapshot of the lanes for its next start, and
 * the import edges.
 */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import { PgliteDatabase } from "../../server/store/pglite.ts";
import { copyEmptyDatabase } from "../support/empty-database.ts";
import { openEngine } from "../support/engine-in-process.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";
import { workspace } from "../support/workspace.ts";

it("A closed engine leaves a snapshot of the lanes and the stored imports", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-edges-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const data = join(folder, "postgres");
  copyEmptyDatabase(data);
  const root = workspace("//- a.py\nimport b\n//- b.py\nimport c\n//- c.py\n1\n");
  const engine = openEngine(data);
  const session = engine.session();
  await session.configure({ indexName: "edges" });
  await session.openFolders([root]);
  await session.whenIdle();
  await engine.close();
  expect(existsSync(join(folder, "lanes", "edges.lanes"))).toBe(true);
  const database = new PgliteDatabase({ directory: data, log: silent });
  onTestFinished(() => database.close());
  const rows = await database.query<{ source_file: string; target_file: string }>(
    "select source_file, target_file from cocosearch_deps_edges order by 1",
  );
  expect(rows.map((row) => `${row.source_file} ${row.target_file}`)).toEqual([
    "a.py b.py",
    "b.py c.py",
  ]);
});

leaveNothingBehind();
