/** The empty database of the package: it opens without initdb, and is not used when its bytes are not the expected ones. */

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { silent } from "../../server/common/log.ts";
import { openEmbedded } from "../../server/store/embedded.ts";
import { EMPTY_DATABASE, unpackEmptyDatabase } from "../../server/store/empty-database.ts";

let folder: string;
let target: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cocosearch-empty-"));
  target = join(folder, "postgres");
  mkdirSync(target, { mode: 0o700 });
});

afterEach(() => rmSync(folder, { recursive: true }));

it("opens as a store that can create an index", async () => {
  expect(await unpackEmptyDatabase(target)).toBe(true);
  const store = await openEmbedded({ directory: target, log: silent });
  try {
    expect(await store.list()).toEqual([]);
    const record = { name: "shop", root: folder, modelId: "m", dimension: 3, chunkerVersion: "1" };
    await store.open(record);
    expect((await store.list()).map(({ name }) => name)).toEqual(["shop"]);
  } finally {
    await store.close();
  }
});

it.each([
  ["has no archive", (archive: string) => rmSync(archive)],
  ["has another archive than its manifest says", (archive: string) => writeFileSync(archive, "x")],
  ["has no manifest", (_archive: string, manifest: string) => rmSync(manifest)],
  ["has a manifest that is cut off", (_: string, manifest: string) => writeFileSync(manifest, "{")],
])("leaves the folder empty where the package %s", async (_, damage) => {
  const [archive, manifest] = [join(folder, "empty.tar.gz"), join(folder, "empty.json")];
  copyFileSync(EMPTY_DATABASE.archive, archive);
  copyFileSync(EMPTY_DATABASE.manifest, manifest);
  damage(archive, manifest);
  expect(await unpackEmptyDatabase(target, { archive, manifest })).toBe(false);
  expect(readdirSync(target)).toEqual([]);
});
