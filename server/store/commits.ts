/** Stores a repository's history: its commits, and a mark with the last position that was read. */

import type {
  CommitChangeRow,
  CommitLaneRow,
  CommitRow,
  HistoryMark,
  HistoryStore,
  TouchedFile,
} from "../contracts/history.ts";
import {
  borrowHistory,
  giveAllRows,
  giveRows,
  isBorrowing,
  stopBorrowing,
} from "./borrowed-rows.ts";
import { findRecord, lockIndex } from "./catalog.ts";
import { slices, storable, texts } from "./columns.ts";
import { hasTable, type Queryable } from "./database.ts";
import { deleteRows } from "./delete-rows.ts";
import { insertHunks, readHunks } from "./hunks.ts";
import { type Tables, tablesOf } from "./names.ts";

/** Rows per page; the lane data of a commit takes about a kilobyte. */
const PAGE_ROWS = 1000;

/** `read` and `write` come from the index: `read` reports a dropped index, `write` locks the index for a transaction. */
interface Access {
  read<T>(run: () => Promise<T>): Promise<T>;
  write<T>(run: (tx: Queryable) => Promise<T>): Promise<T>;
  /** The name of the index. */
  readonly name: string;
  /** The index whose commits new tables begin with. */
  readonly from: string | undefined;
  /** Called after the mark was set, when a run over the commits begins and ends. */
  markChanged(): void;
}

export function createHistoryStore(
  database: Queryable,
  tables: Tables,
  { read, write, name, from, markChanged }: Access,
): HistoryStore {
  return {
    open: () => write((tx) => openHistory(tx, tables, name, from)),
    mark: () => read(() => readMark(database, tables)),
    setMark: async (mark) => {
      await write((tx) => writeMark(tx, tables, mark));
      markChanged();
    },
    shas: () => read(() => readShas(database, tables)),
    oldest: () => read(() => readOldest(database, tables)),
    commit: (added, removed) => write((tx) => replaceCommits(tx, tables, name, { added, removed })),
    laneRows: () => readLaneRows(database, tables),
    changeRows: () => readChangeRows(database, tables),
    commits: (shas) => read(() => readCommitRows(database, tables, shas)),
    clear: () => write((tx) => clearHistory(tx, tables, name)),
  };
}

/**
 * Creates the tables of the history. With `from`, new tables begin with the commits of that index; the next run over the
 * history reads missing commits and deletes others.
 */
async function openHistory(
  tx: Queryable,
  tables: Tables,
  name: string,
  from: string | undefined,
): Promise<void> {
  if (await isBorrowing(tx, tables, "history")) return;
  const isNew = from !== undefined && !(await hasTable(tx, tables.history.marks));
  await createHistoryTables(tx, tables);
  if (!isNew) return;
  // Between two of these statements, another engine could add a commit: it would have no hunks here.
  await lockIndex(tx, from);
  const other = tablesOf(from);
  if (!(await hasTable(tx, other.history.marks))) return;
  const [to, source] = [tables.history, other.history];
  const lender = (await findRecord(tx, name))?.lender;
  const isLent = lender === from || (await isBorrowing(tx, other, "history"));
  if (lender !== undefined && isLent) {
    await borrowHistory(tx, { from, lender }, tables);
  } else {
    await tx.query(`insert into ${to.commits} select * from ${source.commits}`);
    await tx.query(`insert into ${to.hunks} select * from ${source.hunks}`);
  }
  await tx.query(`insert into ${to.marks} select * from ${source.marks}`);
}

async function createHistoryTables(tx: Queryable, { history }: Tables): Promise<void> {
  await tx.query(`
-- Commits of the repository. Written by commits.ts.
create table if not exists ${history.commits} (
  sha text collate "C" primary key,
  time bigint not null,
  -- The order among commits of the same second, the oldest first.
  place integer not null default 0,
  author text not null,
  subject text not null,
  body text not null,
  files jsonb not null,
  -- Why the diff is not searched.
  excluded text,
  -- Term counts and vector, in the format of history/lane-entry.ts.
  lanes bytea not null
);
-- Already incompressible.
alter table ${history.commits} alter column lanes set storage external;

-- The changed lines of commits. A row per hunk would take three times the space and twice the time. Written by hunks.ts.
create table if not exists ${history.hunks} (
  sha text collate "C" primary key,
  -- JSON: [[path, [[first line, lines, old first line, old lines, [symbols], hash of the text], ...]], ...].
  -- Lines count from zero.
  hunks text not null
);

-- One row: the last position that was read, and a fingerprint of how rows are made. Written by commits.ts.
create table if not exists ${history.marks} (
  position text not null,
  fingerprint text not null,
  reason text
);
`);
}

export async function dropHistoryTables(tx: Queryable, { history }: Tables): Promise<void> {
  await tx.query(
    `drop table if exists ${history.commits}, ${history.hunks}, ${history.marks} cascade`,
  );
}

async function clearHistory(tx: Queryable, tables: Tables, name: string): Promise<void> {
  const { history } = tables;
  await giveAllRows(tx, name, "history");
  await stopBorrowing(tx, tables, "history");
  await tx.query(`truncate ${history.commits}, ${history.hunks}, ${history.marks}`);
}

async function readMark(
  database: Queryable,
  { history }: Tables,
): Promise<HistoryMark | undefined> {
  const [row] = await database.query<{
    position: string;
    fingerprint: string;
    reason: string | null;
  }>(`select position, fingerprint, reason from ${history.marks}`);
  if (row === undefined) return undefined;
  const { reason, ...mark } = row;
  return reason === null ? mark : { ...mark, reason };
}

async function writeMark(
  tx: Queryable,
  { history }: Tables,
  { position, fingerprint, reason }: HistoryMark,
): Promise<void> {
  await tx.query(`delete from ${history.marks}`);
  await tx.query(
    `insert into ${history.marks} (position, fingerprint, reason) values ($1::text, $2::text, $3::text)`,
    [position, fingerprint, reason ?? null],
  );
}

async function readShas(database: Queryable, { history }: Tables): Promise<string[]> {
  const rows = await database.query<{ sha: string }>(`select sha from ${history.commits}`);
  return rows.map(({ sha }) => sha);
}

/** Commits that git could not read have the time 0. */
async function readOldest(database: Queryable, { history }: Tables): Promise<number | undefined> {
  const [row] = await database.query<{ time: string | null }>(
    `select min(time)::text as time from ${history.commits} where time > 0`,
  );
  return row?.time == null ? undefined : Number(row.time);
}

async function replaceCommits(
  tx: Queryable,
  tables: Tables,
  name: string,
  { added, removed }: { readonly added: readonly CommitRow[]; readonly removed: readonly string[] },
): Promise<void> {
  const { history } = tables;
  const gone = [...removed, ...added.map(({ sha }) => sha)];
  for (const slice of slices(gone)) {
    await giveRows(tx, name, "history", slice);
    await deleteRows(tx, history.hunks, "sha", slice);
    await deleteRows(tx, history.commits, "sha", slice);
  }
  for (const slice of slices(added)) await insert(tx, tables, slice);
  await insertHunks(tx, tables, added);
}

async function insert(
  tx: Queryable,
  { history }: Tables,
  rows: readonly CommitRow[],
): Promise<void> {
  await tx.query(
    `insert into ${history.commits} (sha, time, place, author, subject, body, files, excluded, lanes)
     select row.sha, row.time::bigint, row.place::integer, row.author, row.subject, row.body, row.files::jsonb,
       row.excluded, decode(row.lanes, 'base64')
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
       as row (sha, time, place, author, subject, body, files, excluded, lanes)`,
    [
      texts(rows.map(({ sha }) => sha)),
      texts(rows.map(({ time }) => String(time))),
      texts(rows.map(({ place = 0 }) => String(place))),
      texts(rows.map(({ author }) => storable(author))),
      texts(rows.map(({ subject }) => storable(subject))),
      texts(rows.map(({ body }) => storable(body))),
      texts(rows.map(({ files }) => JSON.stringify(files.map(storableFile)))),
      texts(rows.map(({ excluded }) => storable(excluded))),
      texts(rows.map(({ lanes }) => lanes)),
    ],
  );
}

interface ChangeRow {
  readonly sha: string;
  readonly time: string | number;
  readonly place: number;
  readonly files: readonly TouchedFile[] | string;
}

function readLaneRows(
  database: Queryable,
  tables: Tables,
): AsyncGenerator<readonly CommitLaneRow[], void> {
  return readPages(database, tables, ", author, encode(lanes, 'base64') as lanes");
}

/** In the order of `readLaneRows`, so that both give the same counts. */
function readChangeRows(
  database: Queryable,
  tables: Tables,
): AsyncGenerator<readonly CommitChangeRow[], void> {
  return readPages(database, tables, "");
}

/** Keyset pagination by hash, so that writes between two pages skip and repeat no row. */
async function* readPages<More extends object>(
  database: Queryable,
  { history }: Tables,
  moreColumns: string,
): AsyncGenerator<(CommitChangeRow & More)[], void> {
  const pageAfter = (sha: string) =>
    database.query<ChangeRow & More>(
      `select sha, time::text as time, place, files::text as files${moreColumns} from ${history.commits}
       where sha > $1::text and octet_length(lanes) > 0 order by sha limit ${PAGE_ROWS}`,
      [sha],
    );
  for (let next = pageAfter(""); ; ) {
    const rows = await next;
    const last = rows.at(-1);
    if (last === undefined) return;
    // The database reads the next page while the caller processes this one.
    next = pageAfter(last.sha);
    // The caller may stop here, so a failure must not be an unhandled rejection.
    next.catch(() => {});
    yield rows.map((row) => ({ ...row, time: Number(row.time), files: filesOf(row.files) }));
  }
}

interface Row extends ChangeRow {
  readonly author: string;
  readonly lanes: string;
  readonly subject: string;
  readonly body: string;
  readonly excluded: string | null;
}

async function readCommitRows(
  database: Queryable,
  tables: Tables,
  shas: readonly string[],
): Promise<CommitRow[]> {
  const found = new Map<string, Row>();
  for (const slice of slices(shas)) {
    const rows = await database.query<Row>(
      `select sha, time::text as time, place, author, subject, body, files::text as files, excluded, '' as lanes
       from ${tables.history.commits} where sha = any ($1::text[])`,
      [texts(slice)],
    );
    for (const row of rows) found.set(row.sha, row);
  }
  const hunks = await readHunks(database, tables, shas);
  return shas.flatMap((sha) => {
    const row = found.get(sha);
    if (row === undefined) return [];
    const { excluded, time, place, files, ...rest } = row;
    const commit = {
      ...rest,
      ...(place === 0 ? {} : { place }),
      time: Number(time),
      files: filesOf(files),
      hunks: hunks.get(sha) ?? [],
    };
    return [excluded === null ? commit : { ...commit, excluded }];
  });
}

function filesOf(files: readonly TouchedFile[] | string): readonly TouchedFile[] {
  return typeof files === "string" ? (JSON.parse(files) as TouchedFile[]) : files;
}

/** Cleans each string, because jsonb rejects NUL and lone surrogates also as escapes. */
function storableFile({ path, status, from }: TouchedFile): TouchedFile {
  return { path: storable(path), status, ...(from === undefined ? {} : { from: storable(from) }) };
}
