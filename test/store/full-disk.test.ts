/**
 * The built-in database on a full disk: committed data stays, and writes succeed again once there is space.
 * @module-tag slow
 */

import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import { PgliteDatabase } from "../../server/store/pglite.ts";
import {
  coverReadOnly,
  mountSmall,
  type SmallDisk,
  WHY_NOT_MOUNTED,
} from "../support/small-disk.ts";

describe.skipIf(WHY_NOT_MOUNTED !== undefined)(WHY_NOT_MOUNTED ?? "a full disk", () => {
  let folder: string;
  let disk: SmallDisk;
  let database: PgliteDatabase;
  let notices: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cocosearch-disk-"));
    disk = mountSmall(join(folder, "disk"), "160m");
    notices = [];
    open();
  });
  afterEach(async () => {
    await database.close();
    disk.unmount();
    rmSync(folder, { recursive: true });
  });

  function open(): void {
    database = new PgliteDatabase({
      directory: join(disk.path, "db"),
      log: silent,
      watchdogMs: 20_000,
      notify: (notice) => notices.push(notice),
    });
  }

  /** Leaves nothing but these bytes. */
  function fill(leave = 0): void {
    const { bavail, bsize } = statfsSync(disk.path);
    writeFileSync(join(disk.path, "ballast"), Buffer.alloc(bavail * bsize - leave));
  }

  const free = () => rmSync(join(disk.path, "ballast"));
  const numbers = async () =>
    (await database.query<{ n: number }>("select n from t order by n")).map(({ n }) => n);
  /** After a failure the next attempts are some seconds apart. */
  const answers = () => expect.poll(numbers, { timeout: 60_000, interval: 200 });
  const databases = () => readdirSync(disk.path).filter((name) => name.startsWith("db"));

  it("a disk that fills up during the work loses nothing that was committed", async () => {
    await database.query("create table t (n int, filler text)");
    fill(4_000_000);
    const committed: number[] = [];
    const work = async () => {
      for (let n = 0; n < 500; n++) {
        await database.transaction(async (tx) => {
          await tx.query(
            `insert into t select $1::int, string_agg(md5(random()::text), '')
             from generate_series(1, 6000)`,
            [n],
          );
        });
        committed.push(n);
      }
    };
    await expect(work()).rejects.toThrow(Unavailable);
    expect(committed.length).toBeGreaterThan(0);
    free();
    await answers().toEqual(committed);
    await database.query("insert into t values (1000)");
    expect(await numbers()).toEqual([...committed, 1000]);
    expect([databases(), notices]).toEqual([["db"], []]);
  });

  it("a disk that becomes read-only is reported, and committed data stays", async () => {
    await database.query("create table t (n int)");
    await database.query("insert into t values (1)");
    const uncover = coverReadOnly(join(disk.path, "db"));
    const more = () => database.query("create table more (n int)");
    try {
      await expect(more()).rejects.toThrow("make the folder writable");
      await expect(more()).rejects.toThrow("make the folder writable");
    } finally {
      uncover();
    }
    await answers().toEqual([1]);
    expect([databases(), notices]).toEqual([["db"], []]);
  });

  it("is reported at the start, and nothing is moved aside", async () => {
    await database.query("create table t (n int)");
    await database.query("insert into t values (1)");
    await database.close();
    fill();
    open();
    await expect(numbers()).rejects.toThrow("MB left");
    await expect(numbers()).rejects.toThrow("free some space");
    free();
    await answers().toEqual([1]);
    expect([databases(), notices]).toEqual([["db"], []]);
  });

  it("is reported at the very first start, and leaves no files behind", async () => {
    fill(10_000_000);
    await expect(database.query("select")).rejects.toThrow("MB left");
    free();
    await expect
      .poll(() => database.query("select 1 as one"), { timeout: 60_000, interval: 200 })
      .toEqual([{ one: 1 }]);
    expect([databases(), notices]).toEqual([["db"], []]);
  });
});
