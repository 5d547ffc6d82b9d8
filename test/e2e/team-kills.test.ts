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
import { NO_POSTGRES } from "../support/databases.ts";
import { MAIN } from "../support/engine.ts";
import { commitAll, git } from "../support/git.ts";
import { publishedRows } from "../support/published.ts";
import { cloneOf, rowsOf, teamDatabase } from "../support/team.ts";
import { write } from "../support/workspace.ts";

const KILLS = Number(process.env["COCOSEARCH_TEST_KILLS"] ?? 6);
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

function publisher(url: string, root: string) {
  const home = mkdtempSync(join(tmpdir(), "cocosearch-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { ...process.env, COCOSEARCH_HOME: home, COCOSEARCH_TEAM_URL: url };
  const args = [MAIN, "publish", "--root", root, "--branch", "main"];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  return {
    child,
    ended: once(child, "exit").then(([code]) => (code === 0 ? "done" : `${code} ${said}`)),
  };
}

describe.skipIf(NO_POSTGRES !== undefined)(`a killed publisher ${NO_POSTGRES ?? ""}`, () => {
  it(
    `leaves the whole index of one commit, ${KILLS} times`,
    async () => {
      const { root, commits } = clone();
      const { url, user } = await teamDatabase();
      const own = await user("cocosearch_publisher");
      const expected = new Map<string | undefined, readonly string[]>([[undefined, []]]);
      let longestMs = 0;
      for (const commit of commits) {
        git(root, "checkout", "-q", commit);
        const fresh = await teamDatabase();
        const start = performance.now();
        expect(await publisher(fresh.url, root).ended).toBe("done");
        longestMs = Math.max(longestMs, performance.now() - start);
        expected.set(commit, (await publishedRows(fresh.url)).rows);
      }
      let before: string | undefined;
      const outcomes: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const target = commits[kill % commits.length] ?? "";
        git(root, "checkout", "-q", target);
        const { child, ended } = publisher(own, root);
        await delay(Math.random() * longestMs);
        child.kill("SIGKILL");
        await ended;
        const now = await publishedRows(url);
        expect([before, target]).toContain(now.commit);
        expect(now.rows).toEqual(expected.get(now.commit));
        outcomes.push(now.commit === before ? "old" : "new");
        before = now.commit;
      }
      process.stderr.write(
        `${KILLS} kills within ${Math.round(longestMs)} ms: ${outcomes.join()}\n`,
      );
      expect(await publisher(own, root).ended).toBe("done");
      const last = await publishedRows(url);
      expect(last.commit).toBe(git(root, "rev-parse", "HEAD"));
      expect(last.rows).toEqual(expected.get(last.commit));
      const left = "select count(*)::int as n from cocosearch_indexes";
      expect(await rowsOf(url, left)).toEqual([{ n: 1 }]);
    },
    60_000 + KILLS * 20_000,
  );
});
