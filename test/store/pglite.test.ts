/**
 * The built-in database when it hangs, is ended, or finds its files damaged.
 * @module-tag slow
 */

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { silent } from "../../server/common/log.ts";
import type { Column } from "../../server/store/columns.ts";
import { PgliteDatabase, type PgliteOptions } from "../../server/store/pglite.ts";
import { StoreInterrupted } from "../../server/store/pglite-thread.ts";

// Starting and recovering databases takes its time where many tests run at once.

const ENDLESS = "select count(*) from generate_series(1, 1000000000000)";

/** A database with one committed row, made once and copied. */
let template: string;
let folder: string;
let database: PgliteDatabase;
let notices: string[];

beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), "cocosearch-template-"));
  const made = new PgliteDatabase({ directory: join(template, "db"), log: silent });
  await made.query("create table t (n int)");
  await made.query("insert into t values (1)");
  await made.close();
});

afterAll(() => rmSync(template, { recursive: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cocosearch-pglite-"));
  notices = [];
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** A database of its own with one committed row. */
function begin(options: Partial<PgliteOptions> = {}): void {
  cpSync(join(template, "db"), options.directory ?? join(folder, "db"), { recursive: true });
  open(options);
}

function open(options: Partial<PgliteOptions> = {}): void {
  database = new PgliteDatabase({
    directory: join(folder, "db"),
    log: silent,
    notify: (notice) => notices.push(notice),
    ...options,
  });
}

const numbers = async () =>
  (await database.query<{ n: number }>("select n from t order by n")).map(({ n }) => n);

const putAside = () => readdirSync(folder).filter((name) => name.startsWith("db.broken-"));

describe("a statement that does not end", () => {
  it("ends the thread; the next one finds the committed rows", async () => {
    begin({ watchdogMs: 2_000 });
    await expect(database.query(ENDLESS)).rejects.toThrow(StoreInterrupted);
    expect(await numbers()).toEqual([1]);
  });

  it("takes its transaction along, and no statement of it is committed by itself afterwards", async () => {
    begin({ watchdogMs: 2_000 });
    const hung = database.transaction(async (tx) => {
      await tx.query("insert into t values (2)");
      await expect(tx.query(ENDLESS)).rejects.toThrow(StoreInterrupted);
      await expect(tx.query("insert into t values (3)")).rejects.toThrow(StoreInterrupted);
    });
    await expect(hung).rejects.toThrow(StoreInterrupted);
    expect(await numbers()).toEqual([1]);
  });

  it("does not take along what waits for its turn behind it", async () => {
    begin({ watchdogMs: 2_000 });
    const hung = database.query(ENDLESS);
    const next = database.query("insert into t values (2)");
    await expect(hung).rejects.toThrow(StoreInterrupted);
    await next;
    expect(await numbers()).toEqual([1, 2]);
  });
});

it("survives a FATAL error, after which its session would spin for ever", async () => {
  begin({ watchdogMs: 2_000 });
  await database.query("set idle_in_transaction_session_timeout = 1");
  const fatal = database.transaction(async (tx) => {
    await tx.query("insert into t values (2)");
    // The timeout has to pass between two statements.
    await new Promise((resolve) => setTimeout(resolve, 50));
    await tx.query("insert into t values (3)");
  });
  await expect(fatal).rejects.toThrow(StoreInterrupted);
  expect(await numbers()).toEqual([1]);
});

it("runs transactions one after the other and rolls back a failed one", async () => {
  begin();
  const add = (n: number, fail: boolean) =>
    database.transaction(async (tx) => {
      await tx.query("insert into t values ($1::int)", [n]);
      if (fail) throw new Error("changed my mind");
    });
  const results = await Promise.allSettled([add(2, false), add(3, true), add(4, false)]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await numbers()).toEqual([1, 2, 4]);
});

it("refuses a statement that comes after its transaction", async () => {
  begin();
  const tx = await database.transaction(async (lent) => lent);
  await expect(tx.query("insert into t values (2)")).rejects.toThrow("after the end");
  expect(await numbers()).toEqual([1]);
});

it("checkpoints by itself, which PGlite does not, so that its log stays short", async () => {
  begin();
  const place = async () => {
    const rows = await database.query("select redo_lsn::text from pg_control_checkpoint()");
    return JSON.stringify(rows);
  };
  const before = await place();
  await database.query("insert into t values (2)");
  const megabyte: Column = { type: "text", values: ["x".repeat(1_000_000)] };
  for (let i = 0; i < 51; i++) await database.query("select cardinality($1::text[])", [megabyte]);
  expect(await place()).not.toBe(before);
});

it("is started again by the next statement after its memory was given back", async () => {
  let starts = 0;
  begin({ prepare: async () => void starts++ });
  const added = database.query("insert into t values (2)");
  await database.suspend();
  await added;
  await database.suspend();
  expect(starts).toBe(1);
  expect(await numbers()).toEqual([1, 2]);
  expect(starts).toBe(2);
});

it("passes over tables that are gone when it tidies", async () => {
  begin();
  await database.vacuum(["gone", "t"]);
  expect(await numbers()).toEqual([1]);
});

describe("damage", () => {
  const file = (name: string) => join(folder, "db", name);

  it.each<[string, () => void]>([
    ["PG_VERSION is missing", () => rmSync(file("PG_VERSION"))],
    ["pg_control is missing", () => rmSync(file("global/pg_control"))],
    ["pg_control is cut off", () => truncateSync(file("global/pg_control"), 100)],
    ["postgresql.conf is missing", () => rmSync(file("postgresql.conf"))],
    ["it is of another version", () => writeFileSync(file("PG_VERSION"), "9\n")],
  ])("is moved aside, reported and replaced if %s", async (_, damage) => {
    let prepared = 0;
    begin({
      prepare: async (tx) => {
        prepared++;
        await tx.query("create table t (n int)");
      },
    });
    damage();
    expect(await numbers()).toEqual([]);
    expect(prepared).toBe(1);
    expect(putAside()).toHaveLength(1);
    expect(existsSync(join(folder, putAside()[0] ?? "", "base"))).toBe(true);
    expect(notices).toEqual([expect.stringContaining("is rebuilt")]);
  });

  it("damage that shows only later is handled the same, and the new database is prepared", async () => {
    begin({
      prepare: async (tx) => {
        await tx.query("create table if not exists t (n int)");
      },
    });
    await loseTable();
    await expect(numbers()).rejects.toThrow(StoreInterrupted);
    expect(await numbers()).toEqual([]);
    expect(putAside()).toHaveLength(1);

    // Damage that recurs immediately is left to the user; the folder is not moved aside again.
    await loseTable();
    await expect(numbers()).rejects.toThrow(StoreInterrupted);
    await expect(numbers()).rejects.toThrow("damaged again soon");
    expect(putAside()).toHaveLength(1);
  });

  it("damage that shows during the preparation is repaired before the first answer", async () => {
    let prepared = 0;
    begin({
      prepare: async (tx) => {
        await tx.query("create table if not exists t (n int)");
        await tx.query("select n from t");
        prepared++;
      },
    });
    await loseTable();
    expect(await numbers()).toEqual([]);
    expect(prepared).toBe(2);
    expect(putAside()).toHaveLength(1);
    expect(notices).toEqual([expect.stringContaining("is rebuilt")]);
  });

  /** Deletes the table's file, and opens the database again without it. */
  async function loseTable(): Promise<void> {
    const [table] = await database.query<{ path: string }>(
      "select pg_relation_filepath('t') as path",
    );
    await database.query("checkpoint");
    rmSync(file(table?.path ?? ""));
    await database.suspend();
  }
});

it("leaves nothing of a first start that was cut off, and takes nothing from it", async () => {
  mkdirSync(join(folder, "db.new-1", "base"), { recursive: true });
  open();
  expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
  expect(readdirSync(folder)).toEqual(["db"]);
  expect(notices).toEqual([]);
});

it.skipIf(process.getuid?.() === 0).each([
  ["it", ""],
  ["a folder in it", "global"],
  ["a file in it", "global/pg_control"],
])(
  "is not damaged where %s may not be read (skipped for an administrator, who may)",
  async (_, path) => {
    begin();
    const locked = join(folder, "db", path);
    chmodSync(locked, 0o000);
    await expect(numbers()).rejects.toThrow("make the folder writable");
    chmodSync(locked, 0o700);
    expect(putAside()).toEqual([]);
  },
);

it("says that its folder was replaced by a file while it was open, and is made again without that", async () => {
  begin();
  expect(await numbers()).toEqual([1]);
  rmSync(join(folder, "db"), { recursive: true });
  writeFileSync(join(folder, "db"), "");
  const size = () => database.query("select pg_total_relation_size('t') as size");
  await expect(size()).rejects.toThrow("is not a folder: remove it");
  await expect(numbers()).rejects.toThrow("is not a folder: remove it");
  rmSync(join(folder, "db"));
  await expect
    .poll(() => database.query("select 1 as one"), { timeout: 60_000, interval: 200 })
    .toEqual([{ one: 1 }]);
  expect([putAside(), readdirSync(folder)]).toEqual([[], ["db"]]);
});

it("says what to do where its folder cannot be made", async () => {
  writeFileSync(join(folder, "file"), "");
  open({ directory: join(folder, "file", "db") });
  await expect(database.query("select 1")).rejects.toThrow(Unavailable);
  await expect(database.query("select 1")).rejects.toThrow("COCOSEARCH_HOME");
});

it("is tried again in time also where the clock was put back by a year meanwhile", async () => {
  writeFileSync(join(folder, "file"), "");
  open({ directory: join(folder, "file", "db") });
  await expect(database.query("select 1")).rejects.toThrow(Unavailable);
  rmSync(join(folder, "file"));
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2001-01-01") });
  onTestFinished(() => void vi.useRealTimers());
  await expect
    .poll(() => database.query("select 1 as one"), { timeout: 60_000, interval: 200 })
    .toEqual([{ one: 1 }]);
});
