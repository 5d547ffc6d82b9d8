/** A team's database on a server, with a user who publishes and one who reads; all of it is dropped in the end. */

import { execFileSync } from "node:child_process";
import { Client } from "pg";
import { MAIN } from "../editor.ts";

interface TeamPlace {
  readonly publisher: string;
  readonly reader: string;
  drop(): Promise<void>;
}

/** `server` is the URL of an administrator. */
export async function makeTeam(server: string): Promise<TeamPlace> {
  const unique = `${process.pid}_${Date.now()}`;
  const name = `cocosearch_team_${unique}`;
  const users = [`build_${unique}`, `member_${unique}`] as const;
  await run(server, [`create database ${name}`]);
  const of = (user?: string) => {
    const url = new URL(server);
    url.pathname = `/${name}`;
    if (user !== undefined) url.username = user;
    return url.href;
  };
  execFileSync(process.execPath, [MAIN, "team", "init"], {
    env: { ...process.env, COCOSEARCH_TEAM_URL: of() },
    stdio: "ignore",
  });
  await run(server, [
    `create role ${users[0]} login in role cocosearch_publisher`,
    `create role ${users[1]} login in role cocosearch_reader`,
  ]);
  const drops = [`drop database ${name} with (force)`, ...users.map((user) => `drop role ${user}`)];
  return { publisher: of(users[0]), reader: of(users[1]), drop: () => run(server, drops) };
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}
