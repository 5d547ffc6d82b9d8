/**
 * A publisher is killed at random moments: the index of the earlier or of the new commit is complete each time.
 * @module-tag slow
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { tablesOf } from "../../server/store/names.ts";
import { NO_POSTGRES } from "../support/databases.ts";
import { MAIN } from "../support/engine.ts";
import { engineInProcess } from "../support/engine-in-process.ts";
import { commitAll, git } from "../support/git.ts";
import { COUNT_AS_LARGE, publishedRows, rowsOfLanes } from "../support/published.ts";
import { cloneOf, rowsOf, teamDatabase } from "../support/team.ts";
import { write } from "../support/workspace.ts";

const KILLS = Number(process.env["COCOSEARCH_TEST_KILLS"] ?? 6);
const QUESTION = "open a connection to the database";
const LARGE = resolve(import.meta.dirname, "../support/publish-large.ts");
/** Real code, a hundred files. */
const SOURCES = resolve(import.meta.dirname, "../../server/store");

/** A clone with three commits: of real files, of others in every second file, and of all files in other chunks. */
function clone(): { readonly root: string; readonly commits: readonly string[] } {
  const root = cloneOf("//- README.md\n# The store\n");
  cpSync(SOURCES, join(root, "store"), { recursive: true });
  const first = commitAll(root, "Begin");
  for (const [i, path] of git(root, "ls-files", "store").split("\n").entries()) {
    if (i % 10 === 0) rmSync(join(root, path));
    else if (i % 2 === 0) appendFileSync(join(root, path), `\nexport const other_${i} = 1;\n`);
  }
  const second = commitAll(root, "Change half of the files");
  write(root, "//- cocosearch.yaml\nindexing:\n  chunkSize: 500\n  chunkOverlap: 0\n");
  return { root, commits: [first, second, commitAll(root, "Cut smaller chunks")] };
}

/** A publisher by the command, whose lanes are a file, or one whose lanes are rows. */
interface Kind {
  readonly lanes: "a file" | "rows";
  readonly command: (root: string) => readonly string[];
}

const KINDS: readonly Kind[] = [
  { lanes: "a file", command: (root) => [MAIN, "publish", "--root", root, "--branch", "main"] },
  { lanes: "rows", command: (root) => ["--import", "tsx", LARGE, root] },
];

function publisher({ command }: Kind, url: string, root: string) {
  const home = mkdtempSync(join(tmpdir(), "cocosearch-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { ...process.env, COCOSEARCH_HOME: home, COCOSEARCH_TEAM_URL: url };
  const child = spawn(process.execPath, command(root), { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  const ended = once(child, "exit").then(([code]) => (code === 0 ? "done" : `${code} ${said}`));
  return { child, ended, allRead: Promise.race([once(child.stdout, "data"), ended]) };
}

/** Everything that a publish has written, without the numbers of its rows. */
async function stateOf(url: string) {
  const { commit, rows } = await publishedRows(url);
  const [found] = await rowsOf<{ index: string }>(
    url,
    "select index_name as index from cocosearch_published",
  );
  const tables = found && tablesOf(found.index).lanes;
  const [known] = await rowsOf<{ isThere: boolean }>(
    url,
    `select to_regclass('${tables?.chunks}') is not null as "isThere"`,
  );
  const lanes = tables && known?.isThere ? await rowsOfLanes(url, tablesOf(found.index)) : [];
  return { commit, rows: [...rows, ...lanes.flat()] };
}

/** The hits of one question; none before the first publish. */
async function answerOf(url: string, commit: string | undefined) {
  if (commit === undefined) return [];
  const { engine, dispose } = engineInProcess();
  try {
    const session = engine.session();
    await session.configure({ "team.url": url });
    const request = { query: QUESTION, indexes: ["acme/shop"], includeText: true, minScore: 0 };
    const { hits, warnings } = await session.search(request);
    expect(warnings).toEqual([]);
    return hits.map(({ path, lines, score, text }) => ({ path, lines, score, text }));
  } finally {
    await dispose();
  }
}

/** The tables of indexes, without their numbers. */
const TABLES = `select count(*)::int as tables from pg_class where relkind in ('r', 'i') and relname like 'codeindex%'`;

describe.skipIf(NO_POSTGRES !== undefined)(`a killed publisher ${NO_POSTGRES ?? ""}`, () => {
  it.each(KINDS.map((kind) => [kind.lanes, kind] as const))(
    `whose lanes are %s leaves the whole index of one commit, ${KILLS} times`,
    async (_, kind) => {
      const { root, commits } = clone();
      const team = async () => {
        const made = await teamDatabase();
        if (kind.lanes === "rows") await rowsOf(made.url, COUNT_AS_LARGE);
        return made;
      };
      const { url, user } = await team();
      const own = await user("cocosearch_publisher");
      const expected = new Map<string | undefined, unknown>([[undefined, []]]);
      const answers = new Map<string | undefined, unknown>([[undefined, []]]);
      let longestMs = 0;
      let longestEndMs = 0;
      let tables: unknown;
      for (const commit of commits) {
        git(root, "checkout", "-q", commit);
        const fresh = await team();
        const start = performance.now();
        const { allRead, ended } = publisher(kind, fresh.url, root);
        await allRead;
        const read = performance.now();
        expect(await ended).toBe("done");
        longestMs = Math.max(longestMs, performance.now() - start);
        longestEndMs = Math.max(longestEndMs, performance.now() - read);
        expected.set(commit, (await stateOf(fresh.url)).rows);
        answers.set(commit, await answerOf(fresh.url, commit));
        tables = await rowsOf(fresh.url, TABLES);
      }
      let before: string | undefined;
      const outcomes: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const target = commits[kill % commits.length] ?? "";
        git(root, "checkout", "-q", target);
        const { child, allRead, ended } = publisher(kind, own, root);
        // Every second one of rows where the lanes are written.
        if (kind.lanes === "a file" || kill % 2 === 0) await delay(Math.random() * longestMs);
        else await allRead.then(() => delay(Math.random() * longestEndMs));
        child.kill("SIGKILL");
        await ended;
        const now = await stateOf(url);
        expect([before, target]).toContain(now.commit);
        expect(now.rows).toEqual(expected.get(now.commit));
        expect(await answerOf(own, now.commit)).toEqual(answers.get(now.commit));
        outcomes.push(now.commit === before ? "old" : "new");
        before = now.commit;
      }
      process.stderr.write(
        `lanes in ${kind.lanes}, ${KILLS} kills within ${Math.round(longestMs)} ms: ${outcomes.join()}\n`,
      );
      expect(await publisher(kind, own, root).ended).toBe("done");
      const last = await stateOf(url);
      expect(last.commit).toBe(git(root, "rev-parse", "HEAD"));
      expect(last.rows).toEqual(expected.get(last.commit));
      const left = "select count(*)::int as n from cocosearch_indexes";
      expect(await rowsOf(url, left)).toEqual([{ n: 1 }]);
      expect(await rowsOf(url, TABLES)).toEqual(tables);
    },
    120_000 + KILLS * 40_000,
  );
});
