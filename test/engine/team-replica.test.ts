/** Members read a streaming replica of the team's database while the build server publishes on its primary. */

import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import { openPublisher } from "../../server/store/publisher.ts";
import { setUpTeam } from "../../server/store/team-setup.ts";
import { administer } from "../support/databases.ts";
import { engineInProcess } from "../support/engine-in-process.ts";
import { eventually } from "../support/eventually.ts";
import { commitAll, git } from "../support/git.ts";
import { NO_PROGRAMS, type OwnPostgres, ownPostgres, replicaOf } from "../support/own-postgres.ts";
import { messageOf } from "../support/publish-rows.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { cloneOf, FOR_ALL, teamOf, watcher } from "../support/team.ts";
import { workspace, write } from "../support/workspace.ts";

const QUEUE = "//- src/queue.py\ndef enqueue_letter(letter):\n    letters.append(letter)\n";

async function member(url: string, root: string): Promise<Session> {
  const { engine, dispose } = engineInProcess();
  onTestFinished(() => dispose());
  const session = engine.session();
  await session.configure({ "team.url": url });
  await session.openFolders([root]);
  await session.whenIdle();
  return session;
}

/** A clone at another path. */
function cloneHere(root: string): string {
  const clone = `${workspace()}/shop`;
  git(root, "clone", "-q", root, clone);
  git(clone, "remote", "set-url", "origin", "git@git.example.org:acme/shop.git");
  return clone;
}

const asReader = ({ url }: OwnPostgres) => url.replace("postgres@", "member@");
const elsewhere = () => workspace("//- notes.md\n# Notes\nHow to enqueue a letter.\n");

describe.skipIf(NO_PROGRAMS !== undefined)(`a replica ${NO_PROGRAMS ?? ""}`, () => {
  let primary: OwnPostgres;
  let replica: OwnPostgres;
  beforeAll(async () => {
    primary = await ownPostgres();
    await setUpTeam(primary.url, FOR_ALL, silent);
    await administer("create role member login in role cocosearch_reader", primary.url);
    replica = await replicaOf(primary);
    return async () => {
      await replica.dispose();
      await primary.dispose();
    };
  });

  it("answers its members; if it lags, with the earlier commit; if it is stopped, without it", async () => {
    const root = cloneOf(SMALL_SHOP);
    const publish = () => teamOf(primary.url).publish({ root }, watcher());
    const first = await publish();
    const outside = await member(asReader(replica), elsewhere());
    const find = (query: string) => outside.search({ query, indexes: ["*"] });
    const published = async (query: string) => {
      const { hits, warnings } = await find(query);
      const hit = hits.find((each) => each.published !== undefined);
      return { path: hit?.path, commit: hit?.published?.commit, warnings };
    };
    const { commit } = first.published;
    await eventually(async () =>
      expect(await published("refresh the token of a session")).toEqual({
        path: "src/token.py",
        commit,
        warnings: [],
      }),
    );

    const shown = async () => await teamOf(asReader(replica)).list();
    await eventually(async () => expect((await shown()).replica?.isBehind).toBe(false));

    await administer("select pg_wal_replay_pause()", replica.url);
    write(root, QUEUE);
    commitAll(root, "Add a file");
    const next = await publish();
    expect(await published("refresh the token of a session")).toMatchObject({ commit });
    const { published: listed, replica: state } = await shown();
    expect(listed).toMatchObject([{ commit }]);
    expect(state?.isBehind).toBe(true);
    expect(Date.parse(state?.replayedAt ?? "")).toBeLessThan(
      Date.parse(next.published.publishedAt),
    );
    expect((await teamOf(primary.url).list()).replica).toBeUndefined();
    expect(await published("enqueue_letter")).toMatchObject({
      commit: first.published.commit,
      warnings: [],
    });
    const checkout = await member(asReader(replica), cloneHere(root));
    const begun = async () => (await checkout.status()).indexes[0]?.begunWith;
    const total = next.published.files;
    const files = first.published.files;
    expect(await begun()).toEqual({
      repository: "git.example.org/acme/shop",
      commit,
      files,
      total,
    });
    const own = async () => {
      const { hits, warnings } = await checkout.search({ query: "enqueue_letter", indexes: ["*"] });
      return { path: hits[0]?.path, published: hits[0]?.published, warnings };
    };
    const found = { path: "src/queue.py", published: undefined };
    expect(await own()).toEqual({ ...found, warnings: [] });

    await administer("select pg_wal_replay_resume()", replica.url);
    const up = { path: "src/queue.py", commit: next.published.commit, warnings: [] };
    await eventually(async () => expect(await published("enqueue_letter")).toEqual(up));

    await replica.stop("fast");
    const { host } = new URL(replica.url);
    const named = [
      expect.stringMatching(
        new RegExp(
          `^the team's database was not searched: the database ${host}/postgres does not answer`,
        ),
      ),
    ];
    expect((await find("enqueue_letter")).hits[0]?.path).toBe("notes.md");
    expect(await published("enqueue_letter")).toMatchObject({ path: undefined, warnings: named });
    expect(await own()).toEqual({ ...found, warnings: named });
    const alone = await member(asReader(replica), cloneHere(root));
    const [index] = (await alone.status()).indexes;
    expect(index?.teamRemark).toContain(`the database ${host}/postgres does not answer`);
    expect(index?.files).toBe(total);

    await replica.start();
    await eventually(async () => expect(await published("enqueue_letter")).toEqual(up));
    expect(await own()).toEqual({ ...found, warnings: [] });
  });

  it("takes no publish and no set-up, and says why", async () => {
    const expected = /use a writable server, not a replica$/;
    const root = cloneOf(SMALL_SHOP);
    expect(await messageOf(teamOf(replica.url).publish({ root }, watcher()))).toMatch(expected);
    expect(await messageOf(setUpTeam(replica.url, FOR_ALL, silent))).toMatch(expected);
    const publisher = await openPublisher(replica.url, silent);
    onTestFinished(() => publisher.close());
    const { signal } = watcher();
    const removing = publisher.remove("git.example.org/acme/shop", undefined, {
      signal,
      waiting: () => undefined,
    });
    expect(await messageOf(removing)).toMatch(expected);
  });
});
