/** Sets up a database for a team: the extension, two group roles, the shared tables, and their privileges. */

import type { Log } from "../common/log.ts";
import type { TeamSetup } from "../contracts/published.ts";
import { checkPgvector, checkServer } from "./external.ts";
import { CREATE_MIGRATIONS_TABLE } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { PostgresDatabase } from "./postgres.ts";
import { PUBLISHED_TABLE } from "./published.ts";
import { REPOSITORY_RIGHTS } from "./repository-rights.ts";
import { asTeamError, PUBLISHER, READER, TEAM_VARIABLE } from "./team.ts";

/** Roles belong to the server: another database may be set up at the same time. */
const createRole = (role: string) => `do $$ begin
  if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
exception when duplicate_object or unique_violation then null;
end $$;`;

const migrations = MIGRATIONS.flatMap((sql, i) => [
  sql,
  `insert into cocosearch_migrations (version) values (${i + 1}) on conflict do nothing;`,
]);

/** Fails with a remedy if the database was set up with the other rights. */
const refuse = (condition: string, problem: string, remedy: string) => `do $$ begin
  if ${condition} then
    raise exception '${problem}' using hint = '${remedy}';
  end if;
end $$;`;

const HAS_RIGHTS = "to_regclass('cocosearch_rights') is not null";

const tables: readonly string[] = [`${CREATE_MIGRATIONS_TABLE};`, ...migrations, PUBLISHED_TABLE];

const common: readonly string[] = [
  // A publish holds locks on the catalog: this fails after a moment, so that readers do not wait behind it.
  "set local lock_timeout = '10s';",
  "create extension if not exists vector;",
  createRole(READER),
  createRole(PUBLISHER),
  `grant usage on schema public to ${READER}, ${PUBLISHER};`,
];

/**
 * The role of publishers owns all tables, so that each publisher may write what another one has published, and its default
 * privileges let readers read tables of later publishes.
 */
const FOR_ALL: readonly string[] = [
  refuse(
    HAS_RIGHTS,
    "the database was set up with --per-repository",
    "run cocosearch-lsp team init --per-repository",
  ),
  ...common,
  `grant create on schema public to ${PUBLISHER};`,
  // To act as that role below. An administrator without superuser rights is not a member of roles that he creates.
  `grant ${PUBLISHER} to current_user;`,
  `set local role ${PUBLISHER};`,
  `alter default privileges in schema public grant select on tables to ${READER};`,
  ...tables,
  "reset role;",
];

/** The administrator owns the shared tables. */
const PER_REPOSITORY: readonly string[] = [
  refuse(
    `not ${HAS_RIGHTS} and to_regclass('cocosearch_indexes') is not null`,
    "the database was set up without --per-repository",
    "make another database for it with create database",
  ),
  ...common,
  `revoke create on schema public from public, ${PUBLISHER};`,
  ...tables,
  ...REPOSITORY_RIGHTS,
];

/** Statements for one transaction; running them again changes nothing. */
const statementsOf = ({ perRepository }: TeamSetup) => (perRepository ? PER_REPOSITORY : FOR_ALL);

/** The SQL script that `setUpTeam` runs, for an administrator who wants to run it with another client. */
export function teamSetupScript(setup: TeamSetup): string {
  const body = statementsOf(setup)
    .map((sql) => sql.trim())
    .join("\n\n");
  return `begin;\n\n${body}\n\ncommit;`;
}

/** Sets up the database, or completes its setup. Resolves to its address without user and password. */
export async function setUpTeam(url: string, setup: TeamSetup, log: Log): Promise<string> {
  const database = new PostgresDatabase(url, log, TEAM_VARIABLE);
  const { place } = database;
  try {
    await checkServer(database);
    await database.transaction(async (tx) => {
      await checkPgvector(tx, place);
      for (const sql of statementsOf(setup)) await tx.query(sql);
    });
    return place;
  } catch (error) {
    throw asTeamError(error, place, `run it as an administrator of the database ${place}`);
  } finally {
    await database.close();
  }
}
