/** A team's database that is dumped and restored on another server: the same answers, and the next publish continues. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { administer, NO_POSTGRES } from "../support/databases.ts";
import { engineInProcess } from "../support/engine-in-process.ts";
import { commitAll } from "../support/git.ts";
import { NO_PROGRAMS, ownPostgres, postgresClient } from "../support/own-postgres.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { alone, cloneOf, rowsOf, teamDatabase, teamOf, watcher } from "../support/team.ts";
import { workspace, write } from "../support/workspace.ts";

const MISSING = NO_POSTGRES ?? NO_PROGRAMS;
const QUERIES = ["refresh the token of a session", "where is the pool opened", "token", "pool"];

/** Hits of searches in the published indexes, as a member sees them. */
async function answersAt(url: string): Promise<unknown> {
  const { engine, dispose } = engineInProcess();
  onTestFinished(() => dispose());
  const session = engine.session();
  await session.configure({ "team.url": url });
  await session.openFolders([workspace("//- notes.md\n# Notes\nOf nothing.\n")]);
  await session.whenIdle();
  const answers: unknown[] = [];
  for (const query of QUERIES) {
    const { hits, warnings } = await session.search({ query, indexes: ["*"], includeText: true });
    const ofTeam = hits.filter(({ published }) => published !== undefined);
    answers.push(warnings, ofTeam);
  }
  return answers;
}

const SERVERS = [
  { mode: "all", perRepository: false },
  { mode: "their own", perRepository: true },
];

describe.skipIf(MISSING !== undefined)(`a dump ${MISSING ?? ""}`, () => {
  it.each(SERVERS)(
    "is restored where publishers write $mode repositories",
    async ({ perRepository }) => {
      const { url, user } = await teamDatabase({ perRepository });
      const [publisher, reader] = [
        await user(...(perRepository ? [] : ["cocosearch_publisher"])),
        await user("cocosearch_reader"),
      ];
      const { username } = new URL(publisher);
      const allow = `call cocosearch_allow('${username}', 'git.example.org/acme/shop')`;
      if (perRepository) await alone(() => administer(allow, url));
      const root = cloneOf(SMALL_SHOP);
      const first = await teamOf(publisher).publish({ root }, watcher());
      const before = await answersAt(reader);
      expect(JSON.stringify(before)).toContain("src/token.py");

      const folder = mkdtempSync(join(tmpdir(), "cocosearch-dump-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const [dump, roles] = [join(folder, "dump"), join(folder, "roles.sql")];
      await postgresClient("pg_dump", "--format=custom", `--file=${dump}`, url);
      await postgresClient("pg_dumpall", "--roles-only", `--file=${roles}`, `--dbname=${url}`);
      const other = await ownPostgres();
      onTestFinished(() => other.dispose());
      // Some of the roles of this server are there already, and roles of other tests may be gone.
      await postgresClient("psql", "--quiet", `--file=${roles}`, other.url);
      await postgresClient("pg_restore", "--exit-on-error", `--dbname=${other.url}`, dump);

      const at = (member: string) => {
        const there = new URL(other.url);
        there.username = new URL(member).username;
        return there.href;
      };
      expect(await answersAt(at(reader))).toEqual(before);
      const write1 = "update cocosearch_published set commit_hash = 'x'";
      await expect(rowsOf(at(reader), write1)).rejects.toThrow("permission denied");
      const again = await teamOf(at(publisher)).publish({ root }, watcher());
      expect(again).toMatchObject({ isChanged: false, published: first.published });
      write(root, "//- src/queue.py\ndef enqueue_letter(letter):\n    letters.append(letter)\n");
      commitAll(root, "Add a file");
      const next = await teamOf(at(publisher)).publish({ root }, watcher());
      expect(next).toMatchObject({ indexed: 1, unchanged: first.published.files });
    },
  );
});
