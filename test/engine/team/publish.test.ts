/** Publishing, with real repositories and a real Postgres: the rows that it writes, and the repositories that it refuses. */

import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Unavailable } from "../../../server/common/errors.ts";
import { silent } from "../../../server/common/log.ts";
import type { PublishReport } from "../../../server/contracts/published.ts";
import { hashFile } from "../../../server/indexing/hash-file.ts";
import { tablesOf } from "../../../server/store/names.ts";
import { openTeam } from "../../../server/store/team.ts";
import { NO_POSTGRES } from "../../support/databases.ts";
import { embeddingServer } from "../../support/embedding-server.ts";
import { eventually } from "../../support/eventually.ts";
import { commitAll, git, repositoryOf } from "../../support/git.ts";
import { postgresRows } from "../../support/rows.ts";
import { SMALL_SHOP } from "../../support/shops.ts";
import { cloneOf, rowsOf, teamDatabase, teamOf, watcher } from "../../support/team.ts";
import { workspace, write } from "../../support/workspace.ts";

const SHOP = `${SMALL_SHOP}
//- docs/pool.md
# The pool
Connections are opened when they are first used.
//- lib/price.py
def with_tax(price):
    return price * 1.2
`;

const KEY = { repository: "git.example.org/acme/shop", subfolder: "", branch: "main" };

/** Version and place of each row of the published index: a row that is written has another one. */
async function rowVersions(url: string, { published }: PublishReport) {
  const { files, chunks, vectors, parseResults, tracking } = tablesOf(published.index);
  const select = (table: string, path: string) =>
    `select '${path}' as kind, ${path} as path, xmin::text || ctid::text as version from ${table}`;
  const tables = [
    select(files, "path"),
    select(chunks, "filename"),
    select(vectors, "filename"),
    select(parseResults, "file_path"),
    select(tracking, "file_path"),
  ];
  const rows = await rowsOf<{ kind: string; path: string; version: string }>(
    url,
    tables.join(" union all "),
  );
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

describe.skipIf(NO_POSTGRES !== undefined)(`a publish ${NO_POSTGRES ?? ""}`, () => {
  /** A team's database, a clone, and the command for a user that may publish. */
  async function started() {
    const { url, user } = await teamDatabase();
    const root = cloneOf(SHOP);
    const own = await user("cocosearch_publisher");
    const team = teamOf(own);
    const publish = (branch?: string) => team.publish({ root, branch }, watcher());
    return { url, user, root, team, publish };
  }

  it("names repository, branch, commit and counts", async () => {
    const { root, team, publish } = await started();
    const report = await publish();
    const commit = git(root, "rev-parse", "HEAD");
    expect(report).toMatchObject({ isChanged: true, unchanged: 0, removed: 0 });
    expect(report.published).toMatchObject({ ...KEY, commit, files: report.indexed });
    expect(report.published.chunks).toBeGreaterThan(0);
    expect((await team.list()).published).toEqual([report.published]);
  });

  it("publishing a published commit writes no row", async () => {
    const { url, publish } = await started();
    const first = await publish();
    const before = await rowVersions(url, first);
    const again = await publish();
    expect(again).toEqual({
      published: first.published,
      isChanged: false,
      indexed: 0,
      removed: 0,
      unchanged: first.published.files,
    });
    expect(await rowVersions(url, first)).toEqual(before);
  });

  it("publishing a commit with the same files writes no row of the index", async () => {
    const { url, root, publish } = await started();
    // Files in an encoding that git's attributes may declare.
    write(root, "//- .gitattributes\n*.txt text\n");
    writeFileSync(join(root, "menu.txt"), Buffer.from("caf\u00e9 cr\u00e8me\n", "latin1"));
    commitAll(root, "Add a menu");
    const first = await publish();
    const before = await rowVersions(url, first);
    const commit = commitAll(root, "Change nothing");
    const next = await publish();
    expect(next).toMatchObject({ isChanged: true, indexed: 0, removed: 0 });
    expect(next.published.commit).toBe(commit);
    expect(await rowVersions(url, first)).toEqual(before);
  });

  it("writes the rows of changed, new and removed files only, also from another clone", async () => {
    const { url, user, root, publish } = await started();
    const first = await publish();
    const before = await rowVersions(url, first);
    const other = workspace();
    git(other, "clone", "-q", root, "shop");
    const clone = join(other, "shop");
    git(clone, "remote", "set-url", "origin", "https://ci@git.example.org/acme/shop");
    appendFileSync(join(clone, "src/pool.py"), "\ndef drain(pool):\n    return pool.clear()\n");
    write(clone, "//- src/cache.py\ndef evict_oldest(entries):\n    return entries.pop(0)\n");
    rmSync(join(clone, "src/token.py"));
    commitAll(clone, "Change three files");
    const next = await teamOf(await user("cocosearch_publisher")).publish(
      { root: clone },
      watcher(),
    );
    expect(next).toMatchObject({ indexed: 2, removed: 1, unchanged: first.published.files - 2 });
    expect(next.published.files).toBe(first.published.files);
    const touched = /src\/(pool|cache|token)\.py/;
    const after = await rowVersions(url, next);
    const untouched = (rows: readonly string[]) => rows.filter((row) => !touched.test(row));
    expect(untouched(after)).toEqual(untouched(before));
    expect(untouched(after).length).toBeGreaterThan(5);
    expect(after.filter((row) => touched.test(row))).not.toEqual([]);
  });

  it("has the rows of a first publish of the same commit", async () => {
    const { url, root, publish } = await started();
    await publish();
    appendFileSync(join(root, "src/pool.py"), "\ndef drain(pool):\n    return pool.clear()\n");
    rmSync(join(root, "src/token.py"));
    commitAll(root, "Change two files");
    await publish();
    const { url: fresh, user } = await teamDatabase();
    await teamOf(await user("cocosearch_publisher")).publish({ root }, watcher());
    expect(await postgresRows(url)).toEqual(await postgresRows(fresh));
  });

  it("stores no time and no inode of the clone", async () => {
    const { url, root, publish } = await started();
    // A younger file has no fingerprint that could be stored.
    const isOld = async () => (await hashFile(root, "src/pool.py"))?.statFingerprint !== undefined;
    await eventually(async () => expect(await isOld()).toBe(true));
    const { published } = await publish();
    const { files, exclusions } = tablesOf(published.index);
    const stamped = `select count(stamp)::int + (select count(*)::int from ${exclusions}) as n from ${files}`;
    expect(await rowsOf(url, stamped)).toEqual([{ n: 0 }]);
  });

  it("stores no password of the remote", async () => {
    const { url, root, publish } = await started();
    git(root, "remote", "set-url", "origin", "https://me:hunter2@git.example.org/acme/shop.git");
    const { published } = await publish();
    expect(published.repository).toBe(KEY.repository);
    const [row] = await rowsOf<{ all: string }>(
      url,
      `select json_agg(i)::text || (select json_agg(p)::text from cocosearch_published p) as all from cocosearch_indexes i`,
    );
    expect(row?.all).toContain("git.example.org");
    expect(row?.all).not.toMatch(/hunter2|\bme\b/);
  });

  it("has an index for each branch and each folder", async () => {
    const { root, team, publish } = await started();
    await publish();
    await publish("release");
    await team.publish({ root: join(root, "src") }, watcher());
    const { published: listed } = await team.list();
    expect(listed.map(({ subfolder, branch }) => `${subfolder} ${branch}`)).toEqual([
      " main",
      " release",
      "src main",
    ]);
    expect(new Set(listed.map(({ index }) => index)).size).toBe(3);
    expect(listed[2]?.files).toBeLessThan(listed[0]?.files ?? 0);
  });

  it("publishing with other settings makes a new index, and drops the old one", async () => {
    const { url, root, publish } = await started();
    const first = await publish();
    write(root, "//- cocosearch.yaml\nindexing:\n  chunkSize: 400\n  chunkOverlap: 0\n");
    commitAll(root, "Cut smaller chunks");
    const next = await publish();
    expect(next).toMatchObject({ unchanged: 0, indexed: next.published.files });
    expect(next.published.index).not.toBe(first.published.index);
    const names = await rowsOf(url, "select name from cocosearch_indexes");
    expect(names).toEqual([{ name: next.published.index }]);
    const { files } = tablesOf(first.published.index);
    expect(await rowsOf(url, `select to_regclass('${files}') as gone`)).toEqual([{ gone: null }]);
  });

  it("uses the repository that cocosearch.yaml names", async () => {
    const { team } = await started();
    const root = repositoryOf(
      `${SMALL_SHOP}\n//- cocosearch.yaml\nrepository: https://Git.example.org/acme/other.git\n`,
    );
    const { published } = await team.publish({ root }, watcher());
    expect(published.repository).toBe("git.example.org/acme/other");
  });

  it("waits for another one of the same index, and then finds its commit published", async () => {
    const { team, root } = await started();
    const [one, other] = [watcher(), watcher()];
    const reports = await Promise.all([team.publish({ root }, one), team.publish({ root }, other)]);
    expect(new Set(reports.map(({ isChanged }) => isChanged))).toEqual(new Set([true, false]));
    expect([...one.notes, ...other.notes]).toEqual([
      "another publish of this index runs; waiting for it to end",
    ]);
  });

  it("a cancelled publish leaves the earlier commit", async () => {
    const { url, team, root, publish } = await started();
    const first = await publish();
    const before = await rowVersions(url, first);
    appendFileSync(join(root, "src/pool.py"), "\ndef drain(pool):\n    return pool.clear()\n");
    commitAll(root, "Change a file");
    const controller = new AbortController();
    const cancelled = team.publish(
      { root },
      { ...watcher(controller.signal), progress: () => controller.abort() },
    );
    await expect(cancelled).rejects.toThrow("aborted");
    expect((await team.list()).published).toEqual([first.published]);
    expect(await rowVersions(url, first)).toEqual(before);
  });

  it("fails if the files change meanwhile, and leaves the earlier commit", async () => {
    const { team, root, publish } = await started();
    const first = await publish();
    commitAll(root, "Change nothing");
    const changing = team.publish(
      { root },
      { ...watcher(), progress: () => writeFileSync(join(root, "src/pool.py"), "x = 1\n") },
    );
    await expect(changing).rejects.toThrow(/differs from its commit: src\/pool\.py/);
    expect((await team.list()).published).toEqual([first.published]);
  });

  describe("is refused with what to do", () => {
    /** The message for a clone that `change` has changed. */
    async function refusal(change: (root: string) => void, branch?: string): Promise<string> {
      const { root, team, publish } = await started();
      change(root);
      const message = await publish(branch).then(
        () => "published",
        (error: Error) => `${error.name}: ${error.message}`,
      );
      expect((await team.list()).published).toHaveLength(message === "published" ? 1 : 0);
      return message.replace(root, "ROOT");
    }

    it("changed, removed and untracked files are refused", async () => {
      const message = await refusal((root) => {
        appendFileSync(join(root, "src/pool.py"), "\nx = 1\n");
        rmSync(join(root, "src/token.py"));
        write(root, "//- new.py\ny = 2\n");
      });
      expect(message).toBe(
        "BadRequest: ROOT differs from its commit: src/pool.py, src/token.py, new.py; commit, stash or ignore these files, or publish a fresh clone",
      );
    });

    it("a staged change is refused", async () => {
      const message = await refusal((root) => {
        write(root, "//- new.py\ny = 2\n");
        git(root, "add", "new.py");
      });
      expect(message).toContain("differs from its commit: new.py;");
    });

    it("ignored files are not refused", async () => {
      const message = await refusal((root) => {
        write(root, "//- .gitignore\nbuild/\n");
        commitAll(root, "Ignore");
        write(root, "//- build/out.py\ny = 2\n");
      });
      expect(message).toBe("published");
    });

    it("a repository without an origin, or with a local path as its origin, is refused", async () => {
      const expected =
        /^BadRequest: the repository of ROOT has no remote "origin".*"repository: HOST\/PATH" into cocosearch.yaml$/;
      expect(await refusal((root) => git(root, "remote", "remove", "origin"))).toMatch(expected);
      const local = (root: string) => git(root, "remote", "set-url", "origin", "/srv/shop.git");
      expect(await refusal(local)).toMatch(expected);
    });

    it("a detached commit is refused, unless a branch is named", async () => {
      const detach = (root: string) => git(root, "checkout", "-q", "--detach");
      expect(await refusal(detach)).toContain("name the branch to publish with --branch");
      expect(await refusal(detach, "main")).toBe("published");
    });

    it("a name that is not a branch is refused, as from an unset variable", async () => {
      const expected = 'BadRequest: branch: "" is not the name of a branch';
      expect(await refusal(() => undefined, "")).toBe(expected);
    });

    it("a sparse checkout is refused, because its other files would count as removed", async () => {
      const sparse = (root: string) => git(root, "sparse-checkout", "set", "--no-cone", "src");
      expect(await refusal(sparse)).toMatch(
        /ROOT is a sparse checkout without (docs|lib)\/.*; run "git sparse-checkout disable"/,
      );
    });

    it("a folder without indexing is refused", async () => {
      const message = await refusal((root) => {
        write(root, "//- cocosearch.yaml\nindexing:\n  enabled: false\n");
        commitAll(root, "Turn indexing off");
      });
      expect(message).toBe("BadRequest: ROOT is not indexed: indexing.enabled is false");
    });

    it("outside of git, and before the first commit", async () => {
      const { team } = await started();
      const outside = team.publish({ root: workspace(SMALL_SHOP) }, watcher());
      await expect(outside).rejects.toThrow(
        /cannot be published, because the folder is not in a git work tree; publish a clone/,
      );
      const empty = workspace(SMALL_SHOP);
      git(empty, "init", "-q");
      await expect(team.publish({ root: empty }, watcher())).rejects.toThrow(/has no commit/);
    });
  });

  it("a publish that cannot embed leaves the earlier commit, and the next one embeds only new files", async () => {
    const { url, root, user } = await started();
    const server = await embeddingServer();
    onTestFinished(() => server.close());
    const team = teamOf(await user("cocosearch_publisher"), {
      "embedding.provider": "openai",
      "embedding.model": "m",
      "embedding.baseUrl": server.url,
    });
    const first = await team.publish({ root }, watcher());
    const asked = server.texts.length;
    write(
      root,
      `//- src/many.py\n${Array.from({ length: 40 }, (_, i) => `def part_${i}(order):\n    return order.parts[${i}]\n`).join("\n")}`,
    );
    write(root, "//- src/refund.py\ndef refund(order):\n    return order.paid\n");
    commitAll(root, "Add two files");
    server.fail("unauthorized");
    await expect(team.publish({ root }, watcher())).rejects.toThrow(Unavailable);
    expect((await team.list()).published).toEqual([first.published]);
    server.fail("none");
    const before = server.texts.length;
    const next = await team.publish({ root }, watcher());
    expect(next).toMatchObject({ indexed: 2, unchanged: first.published.files });
    const pending = `select count(*)::int as n from ${tablesOf(next.published.index).chunks} c
      where not exists (select from ${tablesOf(next.published.index).vectors} v where (v.filename, v.location) = (c.filename, c.location))`;
    expect(await rowsOf(url, pending)).toEqual([{ n: 0 }]);
    const texts = server.texts.slice(before);
    expect(texts.some((text) => server.texts.slice(0, asked).includes(text))).toBe(false);
  });

  it("is read by a member who may only select", async () => {
    const { user, publish } = await started();
    const { published } = await publish();
    const url = await user("cocosearch_reader");
    const database = await openTeam({ url, log: silent });
    expect(await database.listPublished()).toEqual([published]);
    const store = await database.store.find(published.index);
    expect((await store?.hashes())?.size).toBe(published.files);
    const chunks = (await store?.chunksOf(["src/pool.py"])) ?? [];
    expect(chunks[0]?.vector).toHaveLength(published.dimension);
    await database.close();
  });
});
