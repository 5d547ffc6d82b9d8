/** Opens a team's database for reading. It changes nothing there: a member may only select. */

import { messageOf, Unavailable } from "../common/errors.ts";
import type { Log } from "../common/log.ts";
import type { ReplicaState, TeamDatabase } from "../contracts/published.ts";
import { type Database, sqlStateOf } from "./database.ts";
import { tablesOf } from "./names.ts";
import { readPacked } from "./packed-lanes.ts";
import { PostgresDatabase } from "./postgres.ts";
import { listPublished } from "./published.ts";
import { publishedFiles } from "./published-files.ts";
import { createStore } from "./store.ts";

/** The group roles of a team's database. Names of their own, because roles are shared by all databases of a server. */
export const READER = "cocosearch_reader";
export const PUBLISHER = "cocosearch_publisher";

/** The environment variable that sets the URL of the database. */
export const TEAM_VARIABLE = "COCOSEARCH_TEAM_URL";

interface TeamOptions {
  readonly url: string;
  readonly log: Log;
}

/** Rejects with Unavailable, also if the database was not set up for a team or the user may not read it. */
export async function openTeam({ url, log }: TeamOptions): Promise<TeamDatabase> {
  const database = new PostgresDatabase(url, log, TEAM_VARIABLE);
  try {
    await checkTeam(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const store = createStore(database);
  return {
    store,
    listPublished: () => listPublished(database),
    replica: () => replicaState(database),
    filesOf: (published) => publishedFiles(database, published),
    packedLanes: ({ index, publisher }) => readPacked(database, tablesOf(index, publisher)),
    close: () => store.close(),
  };
}

async function replicaState(database: Database): Promise<ReplicaState | undefined> {
  const [state] = await database.query<{
    isReplica: boolean;
    isBehind: boolean;
    replayedAt: Date | null;
  }>(
    `select pg_is_in_recovery() as "isReplica", pg_last_xact_replay_timestamp() as "replayedAt",
       pg_last_wal_receive_lsn() is distinct from pg_last_wal_replay_lsn() as "isBehind"`,
  );
  if (state?.isReplica !== true) return undefined;
  const { isBehind, replayedAt } = state;
  return replayedAt === null ? { isBehind } : { isBehind, replayedAt: replayedAt.toISOString() };
}

/** Throws Unavailable unless the database was set up for a team and the user may read it. */
export async function checkTeam(database: Database): Promise<void> {
  const [found] = await database.query<{ isThere: boolean; mayRead: boolean; user: string }>(
    `select to_regclass('cocosearch_published') is not null as "isThere", current_user as "user",
       coalesce(has_table_privilege(to_regclass('cocosearch_published'), 'select'), false) as "mayRead"`,
  );
  const { place } = database;
  if (found?.isThere !== true) {
    throw new Unavailable(
      `the database ${place} is not set up for a team`,
      `check ${TEAM_VARIABLE}, or let its administrator run cocosearch-lsp team init`,
    );
  }
  if (!found.mayRead) {
    throw new Unavailable(
      `the user ${found.user} may not read the team's database ${place}`,
      `let its administrator run "grant ${READER} to ${found.user}" there`,
    );
  }
}

interface Failure {
  readonly what: string;
  readonly remedy?: string;
}

/** By SQLSTATE. */
const FAILURES: ReadonlyMap<string | undefined, Failure> = new Map([
  // insufficient_privilege
  ["42501", { what: "denies a privilege" }],
  // invalid_parameter_value: the database was restored on a server without its roles.
  ["22023", { what: "lacks a role", remedy: "let its administrator run cocosearch-lsp team init" }],
  // lock_not_available
  ["55P03", { what: "is in use by a publish", remedy: "try again when it has ended" }],
]);

/** Adds a remedy to the error of a failed statement in a team's database; returns other errors as they are. `grant` is the remedy for a missing privilege. */
export function asTeamError(error: unknown, place: string, grant: string): unknown {
  // raise_exception: the script of the setup has its own problem and remedy.
  if (sqlStateOf(error) === "P0001" && error instanceof Error && "hint" in error) {
    return new Unavailable(messageOf(error), String(error.hint), { cause: error });
  }
  const failure = FAILURES.get(sqlStateOf(error));
  if (failure === undefined) return error;
  const { what, remedy = grant } = failure;
  const problem = `the team's database ${place} ${what} (${messageOf(error)})`;
  return new Unavailable(problem, remedy, { cause: error });
}
