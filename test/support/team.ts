/** A team's database on the test server, with users that may read, publish, or neither. */

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { Team, TeamSetup, TeamWatcher } from "../../server/contracts/published.ts";
import type { PartialSettings } from "../../server/contracts/settings.ts";
import { createTeam } from "../../server/engine/team/team.ts";
import { setUpTeam } from "../../server/store/team-setup.ts";
import { administer, createDatabase, dropDatabase, POSTGRES_URL } from "./databases.ts";
import { git, repositoryOf } from "./git.ts";

/** Roles belong to the server, so set-ups of several tests must not meet. An arbitrary number. */
const SETUP_LOCK = 728_144_902;

/** Each publisher may write all repositories. */
export const FOR_ALL: TeamSetup = { perRepository: false };

export interface TeamServer {
  /** The address for the administrator. */
  readonly url: string;
  /** Creates a user with these group roles and returns the address for it. */
  user(...roles: readonly string[]): Promise<string>;
}

/** An empty database that is dropped after the test, with its users. */
export async function teamServer(): Promise<TeamServer> {
  const url = await createDatabase();
  const users: string[] = [];
  onTestFinished(async () => {
    await dropDatabase(url);
    for (const name of users) await administer(`drop role "${name}"`);
  });
  return {
    url,
    user: async (...roles) => {
      const name = `member_${process.pid}_${Date.now()}_${users.length}`;
      await administer(`create role "${name}" login`);
      users.push(name);
      for (const role of roles) await administer(`grant ${role} to "${name}"`);
      const own = new URL(url);
      own.username = name;
      return own.href;
    },
  };
}

/** The same, set up for a team. */
export async function teamDatabase(setup: TeamSetup = FOR_ALL): Promise<TeamServer> {
  const server = await teamServer();
  await alone(() => setUpTeam(server.url, setup, silent));
  return server;
}

/** Runs one set-up at a time on this server. */
export async function alone<T>(run: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${SETUP_LOCK})`);
    return await run();
  } finally {
    await client.end();
  }
}

/** The rows of a statement. */
export async function rowsOf<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** The number of rows that each statement of this user returned, or its error. */
export async function outcomesOf(url: string, statements: readonly string[]): Promise<string[]> {
  const said: string[] = [];
  for (const sql of statements) {
    const outcome = await rowsOf(url, sql).then(
      (rows) => `${rows.length} rows`,
      (error: Error) => error.message,
    );
    said.push(`${sql}: ${outcome}`);
  }
  return said;
}

/** The commands of the team's database for one user, with one worker thread. Lanes of a larger index than `mostInMemory` are in SQL. */
export function teamOf(
  url: string,
  settings: PartialSettings = {},
  build = "1",
  mostInMemory?: number,
): Team {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-team-")));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return createTeam({
    user: { "team.url": url, "indexing.workers": 1, ...settings },
    home,
    log: silent,
    build,
    mostInMemory,
  });
}

interface Watched extends TeamWatcher {
  readonly notes: string[];
}

export function watcher(signal = new AbortController().signal): Watched {
  const notes: string[] = [];
  return {
    signal,
    notes,
    note: (sentence) => void notes.push(sentence),
    progress: () => undefined,
    embedding: () => undefined,
  };
}

/** A clone of `git.example.org/acme/shop` with these files in one commit. */
export function cloneOf(files: string): string {
  const root = repositoryOf(files);
  git(root, "remote", "add", "origin", "git@git.example.org:acme/shop.git");
  return root;
}
