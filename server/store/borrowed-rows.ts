/**
 * Rows that the index of a new worktree borrows from another index, its lender (decision 28). The borrower's tables become views
 * of its own rows and of the borrowed ones; a rule sends inserts and deletes to its own rows. Before the lender deletes a row,
 * the borrowers get a copy.
 */

import { findBorrowers } from "./catalog.ts";
import { texts } from "./columns.ts";
import { hasTable, type Queryable } from "./database.ts";
import { type Tables, tablesOf } from "./names.ts";

/** Chunks, vectors and facts by path, or commits and hunks by hash. */
type Kind = "files" | "history";

interface Lendable {
  readonly name: string;
  readonly own: string;
  readonly key: string;
  /** The condition of the rule for deletes, for a row `old`. */
  readonly isOld: string;
  /** The values of a row of the table `lent` for another index. `hash` is the hash of the other index's edges of the file. */
  row(hash: string): string;
}

interface Group {
  /** The table of the borrowed keys. It exists only while the group is borrowed. */
  readonly keys: string;
  readonly key: string;
  readonly tables: readonly Lendable[];
}

function groupOf({ chunks, vectors, tracking, history, borrower }: Tables, kind: Kind): Group {
  const row = () => "lent.*";
  if (kind === "history") {
    const bySha = { key: "sha", isOld: "sha = old.sha", row };
    return {
      keys: borrower.shas,
      key: "sha",
      tables: [
        { name: history.commits, own: borrower.commits, ...bySha },
        { name: history.hunks, own: borrower.hunks, ...bySha },
      ],
    };
  }
  const isOld = "filename = old.filename and location = old.location";
  const byPlace = { key: "filename", isOld, row };
  const facts = {
    key: "file_path",
    isOld: "file_path = old.file_path",
    row: (hash: string) => `file_path, content_hash, facts_version, facts, ${hash}`,
  };
  return {
    keys: borrower.paths,
    key: "filename",
    tables: [
      { name: chunks, own: borrower.chunks, ...byPlace },
      { name: vectors, own: borrower.vectors, ...byPlace },
      { name: tracking, own: borrower.tracking, ...facts },
    ],
  };
}

/** The chunks and vectors that the index may write. All borrowed chunks have vectors. */
export async function ownTables(
  tx: Queryable,
  tables: Tables,
): Promise<Pick<Tables, "chunks" | "vectors">> {
  return (await isBorrowing(tx, tables, "files")) ? tables.borrower : tables;
}

/** The tables that have the hashes of stored edges, and their columns of paths. */
export async function tablesOfEdgeHashes(
  tx: Queryable,
  tables: Tables,
): Promise<readonly (readonly [table: string, path: string])[]> {
  const { tracking, paths } = tables.borrower;
  if (!(await isBorrowing(tx, tables, "files"))) return [[tables.tracking, "file_path"]];
  return [
    [tracking, "file_path"],
    [paths, "filename"],
  ];
}

export async function isBorrowing(tx: Queryable, tables: Tables, kind: Kind): Promise<boolean> {
  return await hasTable(tx, groupOf(tables, kind).keys);
}

interface Loan {
  /** The index whose rows the new index begins with: the lender, or another of its borrowers. */
  readonly from: string;
  readonly lender: string;
}

/** Borrows chunks, vectors and facts of the files that `to` has. Edges depend on other files as well, so none is stored. */
export async function borrowFiles(tx: Queryable, loan: Loan, to: Tables): Promise<void> {
  // A file that is deleted borrows nothing.
  const columns = `filename text collate "C" not null, edges_hash text not null default ''`;
  await tx.query(`drop view ${to.view}`);
  const isWanted = `in (select path from ${to.files})`;
  // A file without chunks has facts.
  const lent = `(select path as filename from ${tablesOf(loan.lender).files}) lent`;
  await borrow(tx, loan, groupsOf(loan, to, "files"), { columns, lent, isWanted });
  await tx.query(
    `alter table ${to.borrower.paths} add foreign key (filename) references ${to.files} on delete cascade`,
  );
  await createView(tx, to);
}

/** Borrows all commits that `from` has. */
export async function borrowHistory(tx: Queryable, loan: Loan, to: Tables): Promise<void> {
  const groups = groupsOf(loan, to, "history");
  const columns = `sha text collate "C" not null`;
  const lent = tablesOf(loan.lender).history.commits;
  await borrow(tx, loan, groups, { columns, lent, isWanted: "is not null" });
  const { keys, tables } = groups.ours;
  for (const { name } of tables) {
    await tx.query(
      `create rule return_row as on delete to ${name} do also delete from ${keys} where sha = old.sha`,
    );
  }
}

function groupsOf({ from, lender }: Loan, to: Tables, kind: Kind) {
  const [theirs, lent] = [groupOf(tablesOf(from), kind), groupOf(tablesOf(lender), kind)];
  return { theirs, lent, ours: groupOf(to, kind) };
}

async function borrow(
  tx: Queryable,
  { from, lender }: Loan,
  { theirs, lent, ours }: ReturnType<typeof groupsOf>,
  of: { readonly columns: string; readonly lent: string; readonly isWanted: string },
): Promise<void> {
  const { keys, key } = ours;
  const { isWanted } = of;
  await tx.query(`create table ${keys} (${of.columns})`);
  const isLender = from === lender;
  const source = isLender ? of.lent : theirs.keys;
  await tx.query(`insert into ${keys} select ${key} from ${source} where ${key} ${isWanted}`);
  // Added last: adding each of rails' files to the keys takes four times as long.
  await tx.query(`alter table ${keys} add primary key (${key})`);
  for (const [i, table] of ours.tables.entries()) {
    const { name, own, isOld } = table;
    await tx.query(`alter table ${name} rename to ${own}`);
    await tx.query(
      `create view ${name} as select * from ${own}
       union all select ${table.row("borrowed.edges_hash")} from ${lent.tables[i]?.name} lent
         join ${keys} borrowed on borrowed.${key} = lent.${table.key}`,
    );
    await tx.query(
      `create rule insert_row as on insert to ${name} do instead insert into ${own} values (new.*)`,
    );
    await tx.query(
      `create rule delete_row as on delete to ${name} do instead delete from ${own} where ${isOld}`,
    );
    if (isLender) continue;
    await tx.query(
      `insert into ${own} select ${table.row("''")} from ${theirs.tables[i]?.own} lent where ${table.key} ${isWanted}`,
    );
  }
}

/** Gives copies of rows that the index is about to delete to the borrowers. */
export async function giveRows(
  tx: Queryable,
  lender: string,
  kind: Kind,
  given: readonly string[],
): Promise<void> {
  for (const name of await findBorrowers(tx, lender)) {
    const tables = tablesOf(name);
    if (!(await isBorrowing(tx, tables, kind))) continue;
    const { keys, key } = groupOf(tables, kind);
    await copyBorrowed(tx, tables, kind, given);
    await tx.query(`delete from ${keys} where ${key} = any($1::text[])`, [texts(given)]);
  }
}

/** Gives copies of all rows, before the index loses them. Rows that cannot be read are lost, which the borrower's check finds. */
export async function giveAllRows(tx: Queryable, lender: string, kind: Kind): Promise<void> {
  for (const name of await findBorrowers(tx, lender)) {
    const tables = tablesOf(name);
    if (!(await isBorrowing(tx, tables, kind))) continue;
    await tx.query("savepoint given");
    try {
      await copyBorrowed(tx, tables, kind);
    } catch {
      await tx.query("rollback to savepoint given");
    }
    await stopBorrowing(tx, tables, kind);
  }
}

/** Copies borrowed rows, all or of these keys, to the index's own ones. */
async function copyBorrowed(
  tx: Queryable,
  tables: Tables,
  kind: Kind,
  given?: readonly string[],
): Promise<void> {
  const { keys, key: column, tables: members } = groupOf(tables, kind);
  for (const { name, own, key } of members) {
    await tx.query(
      `insert into ${own} select * from ${name} where ${key} in (select ${column} from ${keys})
         and ($1::text[] is null or ${key} = any($1::text[]))`,
      [given === undefined ? null : texts(given)],
    );
  }
}

/** Makes all rows the index's own. */
export async function copyAllRows(tx: Queryable, tables: Tables, kind: Kind): Promise<void> {
  if (!(await isBorrowing(tx, tables, kind))) return;
  await copyBorrowed(tx, tables, kind);
  await stopBorrowing(tx, tables, kind);
}

/** Makes tables of the index's own rows again. The borrowed rows are not part of them. */
export async function stopBorrowing(tx: Queryable, tables: Tables, kind: Kind): Promise<void> {
  if (!(await isBorrowing(tx, tables, kind))) return;
  const { keys, tables: members } = groupOf(tables, kind);
  for (const { name, own } of members) {
    await tx.query(`drop view if exists ${name} cascade`);
    await tx.query(`alter table ${own} rename to ${name}`);
  }
  await tx.query(`drop table ${keys}`);
  if (kind === "files") await createView(tx, tables);
}

/** For people who query the database: chunks with their vectors. */
export async function createView(tx: Queryable, { view, chunks, vectors }: Tables): Promise<void> {
  await tx.query(
    `create view ${view} as select chunks.*, vectors.embedding
     from ${chunks} chunks left join ${vectors} vectors using (filename, location)`,
  );
}
