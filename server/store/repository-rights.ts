/**
 * The rights of publishers per repository: the SQL that sets them up, and the role that writes the index of a repository.
 *
 * Each publisher has a schema of its own name, with the tables of its indexes and its cache of vectors. Only the
 * administrator creates anything in the schema `public`: a publisher who could would write tables or functions that the
 * statements of other publishers use. The catalog and the list of published indexes are shared, with policies per row.
 */

import { Unavailable } from "../common/errors.ts";
import { type Database, hasTable, type Queryable, quoteIdentifier } from "./database.ts";
import type { Tables } from "./names.ts";
import { PUBLISHER, READER } from "./team.ts";

const RIGHTS_TABLE = `
-- The role that may publish a repository. Written by the procedure cocosearch_allow.
create table if not exists cocosearch_rights (
  -- host/path
  repository text collate "C" primary key,
  publisher name not null
);`;

/** A column that a publisher cannot choose, because the policies compare it. */
const PUBLISHER_COLUMN = `
-- The role that writes the index, whose schema has its tables.
alter table cocosearch_indexes add column if not exists publisher name not null default current_user;`;

const MAY_PUBLISH = (repository: string) => `exists (select from cocosearch_rights rights
  where rights.publisher = current_user and ${repository})`;

/** The root of a published index is its repository, with the folder. */
const IS_OWN_INDEX = `publisher = current_user and installation = 'published'
  and ${MAY_PUBLISH("(root = rights.repository or starts_with(root, rights.repository || '/'))")}`;

const IS_OWN_REPOSITORY = MAY_PUBLISH("rights.repository = cocosearch_published.repository");

const IS_OWN_PUBLICATION = `${IS_OWN_REPOSITORY} and exists (select from cocosearch_indexes indexes
  where indexes.name = index_name and indexes.publisher = current_user)`;

/** Rows that `using` does not let through count as missing, and new rows must pass `check`. */
function policies(table: string, using: string, check: string): string {
  const policy = (name: string, rule: string) =>
    `drop policy if exists cocosearch_${name} on ${table};\ncreate policy cocosearch_${name} on ${table} for ${name} ${rule};`;
  return [
    policy("select", "using (true)"),
    policy("insert", `with check (${check})`),
    policy("update", `using (${using})\nwith check (${check})`),
    policy("delete", `using (${using})`),
    `alter table ${table} enable row level security;`,
  ].join("\n");
}

/** The administrator calls it once per repository, again to give the repository to another role. */
const ALLOW = `
create or replace procedure cocosearch_allow(publisher name, repository text) language plpgsql as $$
begin
  if repository !~ '^[^/[:space:]]+(/[^/[:space:]]+)+$' then
    raise exception '"%" does not name a repository', repository
      using hint = 'write it as host/path, as publish shows it';
  end if;
  execute format('grant ${PUBLISHER} to %I', publisher);
  -- Of the administrator, so that the publisher cannot drop it.
  execute format('create schema if not exists %I', publisher);
  execute format('grant usage, create on schema %I to %1$I', publisher);
  execute format('grant usage on schema %I to ${READER}', publisher);
  -- Its own: the writer of the vector of a text decides where that text is found.
  execute format('create table if not exists %I.cocosearch_embeddings (like cocosearch_embeddings including all)', publisher);
  execute format('grant select, insert, update, delete on %I.cocosearch_embeddings to %1$I', publisher);
  insert into cocosearch_rights values (repository, publisher)
    on conflict on constraint cocosearch_rights_pkey do update set publisher = excluded.publisher;
end $$;`;

/** After the shared tables, which their administrator owns. */
export const REPOSITORY_RIGHTS: readonly string[] = [
  RIGHTS_TABLE,
  PUBLISHER_COLUMN,
  policies("cocosearch_indexes", "publisher = current_user", IS_OWN_INDEX),
  policies("cocosearch_published", IS_OWN_REPOSITORY, IS_OWN_PUBLICATION),
  `grant select on cocosearch_indexes, cocosearch_published, cocosearch_migrations, cocosearch_rights
  to ${READER}, ${PUBLISHER};`,
  `grant insert, update, delete on cocosearch_indexes, cocosearch_published to ${PUBLISHER};`,
  ALLOW,
];

/** The role that writes an index, and the schema for its tables if it has one of its own. */
export interface Acting {
  readonly role: string;
  readonly schema?: string;
}

/** Whether a team's database was set up with rights per repository. */
export async function hasRights(tx: Queryable): Promise<boolean> {
  return await hasTable(tx, "cocosearch_rights");
}

/** Rejects with Unavailable if rights are per repository and no role has this one. */
export async function actingFor(database: Database, repository: string): Promise<Acting> {
  if (!(await hasRights(database))) return { role: PUBLISHER };
  const [right] = await database.query<{ publisher: string }>(
    "select publisher::text from cocosearch_rights where repository = $1::text",
    [repository],
  );
  if (right === undefined) {
    throw new Unavailable(
      `no user may publish ${repository} in the team's database ${database.place}`,
      `let its administrator run "call cocosearch_allow('USER', '${repository}')" there`,
    );
  }
  return { role: right.publisher, schema: right.publisher };
}

/** The database as this role, which each transaction takes. */
export function asRole(
  database: Database,
  { role, schema }: Acting,
): Pick<Database, "query" | "transaction"> {
  const transaction = <T>(run: (tx: Queryable) => Promise<T>): Promise<T> =>
    database.transaction(async (tx) => {
      await tx.query(`set local role ${quoteIdentifier(role)}`);
      if (schema !== undefined) {
        // The schema of pgvector may be another one than public.
        await tx.query(
          "select set_config('search_path', $1::text || ', ' || current_setting('search_path'), true)",
          [quoteIdentifier(schema)],
        );
      }
      return await run(tx);
    });
  return { transaction, query: (sql, values) => transaction((tx) => tx.query(sql, values)) };
}

/** Lets readers read the tables of an index in the schema of its publisher. Only large indexes have lanes in SQL. */
export async function letRead(tx: Queryable, tables: Tables): Promise<void> {
  const { chunks, vectors, files, parseResults, exclusions, tracking, dependencies } = tables;
  const { words, packed, view, lanes } = tables;
  const inSql = (await hasTable(tx, lanes.chunks)) ? [lanes.chunks, lanes.names, lanes.terms] : [];
  const all = [
    chunks,
    vectors,
    files,
    parseResults,
    exclusions,
    tracking,
    dependencies,
    words,
    packed,
    view,
    ...inSql,
  ];
  await tx.query(`grant select on ${all.join(", ")} to ${READER}`);
}
