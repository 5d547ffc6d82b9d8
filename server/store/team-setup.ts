/** Sets up a database for a team: the extension, two group roles, the shared tables, and their privileges. */

import type { Log } from "../common/log.ts";
import { checkPgvector, checkServer } from "./external.ts";
import { CREATE_MIGRATIONS_TABLE } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { PostgresDatabase } from "./postgres.ts";
import { PUBLISHED_TABLE } from "./published.ts";
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

/**
 * Statements for one transaction; running them again changes nothing. The role of publishers owns all tables, so that each
 * publisher may write what another one has published, and its default privileges let readers read tables of later publishes.
 */
const STATEMENTS: readonly string[] = [
  // A publish holds locks on the catalog: this fails after a moment, so that readers do not wait behind it.
  "set local lock_timeout = '10s';",
  "create extension if not exists vector;",
  createRole(READER),
  createRole(PUBLISHER),
  `grant usage on schema public to ${READER};`,
  `grant usage, create on schema public to ${PUBLISHER};`,
  // To act as that role below. An administrator without superuser rights is not a member of roles that he creates.
  `grant ${PUBLISHER} to current_user;`,
  `set local role ${PUBLISHER};`,
  `alter default privileges in schema public grant select on tables to ${READER};`,
  `${CREATE_MIGRATIONS_TABLE};`,
  ...migrations,
  PUBLISHED_TABLE,
  "reset role;",
];

/** The SQL script that `setUpTeam` runs, for an administrator who wants to run it with another client. */
export function teamSetupScript(): string {
  const body = STATEMENTS.map((sql) => sql.trim()).join("\n\n");
  return `begin;\n\n${body}\n\ncommit;`;
}

/** Sets up the database, or completes its setup. Resolves to its address without user and password. */
export async function setUpTeam(url: string, log: Log): Promise<string> {
  const database = new PostgresDatabase(url, log, TEAM_VARIABLE);
  const { place } = database;
  try {
    await checkServer(database);
    await database.transaction(async (tx) => {
      await checkPgvector(tx, place);
      for (const sql of STATEMENTS) await tx.query(sql);
    });
    return place;
  } catch (error) {
    throw asTeamError(error, place, `run it as an administrator of the database ${place}`);
  } finally {
    await database.close();
  }
}
