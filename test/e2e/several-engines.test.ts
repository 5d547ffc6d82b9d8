/**
 * Engines of one installation on several machines that have the same files, on one Postgres: one writes an index, the others see
 * what it writes, and one of them takes over when it is killed. Engines of two installations have separate indexes.
 * @module-tag slow
 */

import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Session } from "../../server/contracts/session.ts";
import { createDatabase, dropDatabase, NO_POSTGRES } from "../support/databases.ts";
import { testEngine } from "../support/engine.ts";
import { eventually } from "../support/eventually.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { workspace, write } from "../support/workspace.ts";

const FOLLOWED = "another engine keeps the index up to date";

async function engineOn(url: string, root: string, { lanes = "memory", installation = "team" }) {
  const engine = testEngine({
    COCOSEARCH_DATABASE_URL: "",
    COCOSEARCH_SEARCH_LANES: "",
    COCOSEARCH_INSTALLATION: installation,
  });
  onTestFinished(() => engine.dispose());
  const session = engine.session();
  await session.configure({ "database.url": url, "search.lanes": lanes as "memory" });
  await session.openFolders([root]);
  await session.whenIdle();
  return { session, pid: (await session.status()).engine.pid };
}

async function found(session: Session, query: string, path: string): Promise<void> {
  await eventually(async () => expect((await session.search({ query })).hits[0]?.path).toBe(path));
}

const reasonOf = async (session: Session) => (await session.status()).indexes[0]?.reason;

describe.skipIf(NO_POSTGRES !== undefined)(NO_POSTGRES ?? "engines on one Postgres", () => {
  it.each(["memory", "sql"])("share one index, with lanes in %s", async (lanes) => {
    const url = await createDatabase();
    onTestFinished(() => dropDatabase(url));
    const root = workspace(SMALL_SHOP);
    const first = await engineOn(url, root, { lanes });
    const second = await engineOn(url, root, { lanes });
    expect([await reasonOf(first.session), await reasonOf(second.session)]).toEqual([
      undefined,
      FOLLOWED,
    ]);
    await found(second.session, "where is the pool opened", "src/pool.py");

    write(root, "//- src/cache.py\ndef evict_oldest(entries):\n    return entries.pop(0)\n");
    await found(first.session, "evict_oldest", "src/cache.py");
    await found(second.session, "evict_oldest", "src/cache.py");

    // Without its client, which would start it again at once.
    await first.session.dispose();
    process.kill(first.pid, "SIGKILL");
    await eventually(async () => expect(await reasonOf(second.session)).toBeUndefined());
    write(root, "//- src/queue.py\ndef enqueue_letter(letter):\n    letters.append(letter)\n");
    rmSync(join(root, "src/cache.py"));
    await found(second.session, "enqueue_letter", "src/queue.py");
    const { hits } = await second.session.search({ query: "evict_oldest" });
    expect(hits.map(({ path }) => path)).not.toContain("src/cache.py");

    const third = await engineOn(url, root, { lanes });
    await found(third.session, "enqueue_letter", "src/queue.py");
    expect(await reasonOf(third.session)).toBe(FOLLOWED);
    await third.session.reindex({ full: true });
    await found(second.session, "enqueue_letter", "src/queue.py");
  });

  it("engines of two installations have separate indexes of the same path, and share vectors", async () => {
    const url = await createDatabase();
    onTestFinished(() => dropDatabase(url));
    const root = workspace(SMALL_SHOP);
    const options = { installation: "" };
    const first = await engineOn(url, root, options);
    await first.session.pause();
    // Another machine has these files under the same path.
    write(root, "//- src/cache.py\ndef evict_oldest(entries):\n    return entries.pop(0)\n");
    rmSync(join(root, "src/pool.py"));
    const second = await engineOn(url, root, options);
    await found(second.session, "evict_oldest", "src/cache.py");
    expect(await reasonOf(second.session)).toBeUndefined();
    const pathsOf = async ({ session }: typeof first) =>
      (await session.search({ query: "open" })).hits.map(({ path }) => path);
    expect(await pathsOf(second)).not.toContain("src/pool.py");
    expect(await pathsOf(first)).toContain("src/pool.py");

    const name = basename(root);
    const [own, ...more] = await second.session.list();
    expect([own?.name.startsWith(`${name}-`), more]).toEqual([true, []]);
    const foreign = { name, root, installation: "another" };
    expect(await second.session.list({ others: true })).toContainEqual(
      expect.objectContaining(foreign),
    );
    // A name means what this installation keeps; that of the other one is not forgotten by mistake.
    expect(await second.session.clear(name)).toBe(true);
    expect(await second.session.list()).toEqual([]);
    await expect(second.session.clear(name)).rejects.toThrow("belongs to another installation");
    const named = await second.session.search({ query: "open", indexes: [name] });
    expect(named.warnings.join()).toContain("belongs to another installation");
    expect(await second.session.clear(name, { others: true })).toBe(true);
  });
});
