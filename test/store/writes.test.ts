/** Cached results of an index are never older than its last write. */

import { describe, expect, it, onTestFinished } from "vitest";
import { deferred } from "../../server/common/deferred.ts";
import type { FileCommit } from "../../server/contracts/store.ts";
import { readUntilWritten, Writes } from "../../server/store/writes.ts";
import { DATABASES } from "../support/databases.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";

const INDEX = { name: "shop", root: "/home/me/shop", modelId: "m1", chunkerVersion: "1" };
const SPAN = { start: 0, end: 3 };
const LINES = { start: 0, end: 1 };
const FILE: FileCommit = {
  file: {
    path: "a.py",
    sha256: "0",
    size: 3,
    mtimeMs: 1,
    languageId: "python",
    category: "implementation",
    parse: { status: "partial", message: "line 3" },
    secrets: 0,
  },
  chunks: [
    {
      span: SPAN,
      lines: LINES,
      text: "one",
      symbols: [],
      context: LINES,
      hierarchy: "shop",
    },
  ],
  vectors: [undefined],
};

function counting(readings: (() => Promise<string>)[], writes = new Writes(true)) {
  let asked = 0;
  const read = readUntilWritten(writes, "shop", () =>
    (readings[asked++] ?? (async () => `reading ${asked}`))(),
  );
  return { read, write: (name = "shop") => writes.note(name), asked: () => asked };
}

it("reads once until something is written", async () => {
  const { read, write, asked } = counting([]);
  expect([await read(), await read(), asked()]).toEqual(["reading 1", "reading 1", 1]);
  write("another index");
  expect(await read()).toBe("reading 1");
  write();
  expect([await read(), await read(), asked()]).toEqual(["reading 2", "reading 2", 2]);
});

it("reads once for all who ask at the same time", async () => {
  const { read, asked } = counting([]);
  await Promise.all([read(), read(), read()]);
  expect(asked()).toBe(1);
});

it("does not cache a read that overlaps a write", async () => {
  const old = deferred();
  const { read, write } = counting([() => old.promise.then(() => "old")]);
  const early = read();
  write();
  const late = read();
  old.resolve();
  expect([await early, await late, await read()]).toEqual(["old", "reading 2", "reading 2"]);
});

it("keeps no failure", async () => {
  const { read } = counting([() => Promise.reject(new Error("the disk is full"))]);
  await expect(read()).rejects.toThrow("the disk is full");
  expect(await read()).toBe("reading 2");
});

it("reads each time where other programs write too", async () => {
  const { read, asked } = counting([], new Writes(false));
  await read();
  await read();
  expect(asked()).toBe(2);
});

describe.each(DATABASES)("in $name", ({ missing, create }) => {
  it.skipIf(missing !== undefined)(
    "returns immediately what another store has written",
    async () => {
      const database = await create();
      const store = await database.open();
      onTestFinished(async () => {
        await store.close();
        await database.dispose();
      });
      const index = await store.open({ ...INDEX, dimension: 3 });
      const found = await store.find("shop");
      const seen = async () => [await found?.counts(), await found?.parseSummary()];
      expect(await seen()).toMatchObject([{ files: 0, pending: 0 }, []]);
      await index.commit([FILE], []);
      expect(await seen()).toMatchObject([{ files: 1, pending: 1 }, [{ partial: 1 }]]);
      await index.setVectors([{ path: "a.py", span: SPAN, vector: Float32Array.of(1, 0, 0) }]);
      expect(await found?.counts()).toMatchObject({ pending: 0 });
      expect(await found?.record()).toMatchObject({ state: "partial" });
      await index.update({ state: "complete", commit: "c1" });
      expect(await found?.record()).toMatchObject({ state: "complete", commit: "c1" });
      await index.truncate();
      expect(await found?.record()).toMatchObject({ state: "partial" });
      expect(await seen()).toMatchObject([{ files: 0, chunks: 0 }, []]);
      await store.drop("shop");
      await expect(found?.counts()).rejects.toThrow('the index "shop" is gone');
      await expect(found?.record()).rejects.toThrow('the index "shop" is gone');
    },
  );
});

leaveNothingBehind();
